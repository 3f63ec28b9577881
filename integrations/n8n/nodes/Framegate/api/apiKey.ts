/**
 * The key of a credential as the API takes it. People paste it with a line break, in quotes, or with the word Bearer
 * from an example; a header with a line break is refused before it is sent, which would look like a broken network.
 * @throws RangeError with a sentence for the user if no key can be meant.
 */
export function parseApiKey(typed: unknown): string {
  const pasted = typeof typed === 'string' ? typed.trim() : '';
  const key = pasted.replace(/^Bearer\s+/i, '').replace(/^(["'`])(.*)\1$/, '$2');
  if (key === '') throw new RangeError("The credential's API Key is empty");
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new RangeError("The credential's API Key contains spaces or invalid characters");
  }
  return key;
}

/** Advice for such a key. */
export const apiKeyAdvice =
  "Open Credentials, choose the Framegate credential and paste the API Key again, without anything else. Keys are created on your account's API keys page.";
