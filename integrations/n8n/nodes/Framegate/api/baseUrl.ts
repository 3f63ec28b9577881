import { baseUrlProblem } from '../generated/connection';

/**
 * The base URL in the form required by requests. People paste it with and without the trailing slash and /v1.
 * @throws RangeError with a sentence for the user if the key may not be sent there.
 */
export function parseBaseUrl(typed: unknown): string {
  const address = typeof typed === 'string' ? typed.trim() : '';
  const base = address.replace(/\/+$/, '').replace(/(\/v1)?$/, '/v1');
  const problem = baseUrlProblem(base, '/v1');
  if (problem === null) return base;
  throw new RangeError(problem);
}

/** Advice for such a base URL. */
export const baseUrlAdvice =
  "Open Credentials, choose the Framegate credential and enter the Base URL that your account's API keys page shows, such as https://media.example.com/v1. Plain http is for localhost and private networks only.";
