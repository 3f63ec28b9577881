import { baseUrlProblem } from './generated/connection.ts';

/**
 * The base URL as typed, without surrounding white space and trailing slashes. Every request URL is built from it
 * and an id, never from a URL returned by a server.
 * @throws RangeError with a sentence for the user if the key may not be sent there.
 */
export function parseBaseUrl(typed: string | undefined): string {
  const base = (typed ?? '').trim().replace(/\/+$/, '');
  const problem = baseUrlProblem(base, '/v1');
  if (problem === null) return new URL(base).href;
  throw new RangeError(`${problem} Your account's API keys page shows it.`);
}
