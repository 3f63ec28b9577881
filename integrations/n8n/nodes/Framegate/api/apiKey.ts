import { keyProblem } from '../generated/connection';

/**
 * The key of a credential as the API takes it. People paste it with a line break, in quotes, or with the word Bearer
 * from an example.
 * @throws RangeError with a sentence for the user if no key can be meant.
 */
export function parseApiKey(typed: unknown): string {
  const pasted = typeof typed === 'string' ? typed.trim() : '';
  const key = pasted.replace(/^Bearer\s+/i, '').replace(/^(["'`])(.*)\1$/, '$2');
  const problem = keyProblem(key, 'fg_live_');
  if (problem === null) return key;
  throw new RangeError(problem);
}

/** Advice for such a key. */
export const apiKeyAdvice =
  "Open Credentials, choose the Framegate credential and paste the API Key again, without anything else. Keys are created on your account's API keys page.";
