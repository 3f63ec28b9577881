import { isPrivateHost } from './generated/privateHost.ts';

/**
 * The base URL as typed, without surrounding white space and trailing slashes. Every request address is built from it
 * and an id, never from an address returned by a server.
 * @throws RangeError with a sentence for the user if it is not an https address ending in /v1 (plain http is accepted
 * only for a gateway on the same machine or in a private network).
 */
export function parseBaseUrl(typed: string | undefined): string {
  const text = (typed ?? '').trim().replace(/\/+$/, '');
  if (text === '') {
    throw new RangeError("Enter the Base URL that your account's API keys page shows.");
  }
  if (!/^https?:\/\//i.test(text)) throw new RangeError('The Base URL must start with https://.');
  const url = URL.parse(text);
  if (url === null) throw new RangeError('The Base URL is not a valid URL.');
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
    throw new RangeError('The Base URL must start with https://.');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new RangeError('The Base URL must contain no user name, "?" or "#".');
  }
  if (!url.pathname.endsWith('/v1')) throw new RangeError('The Base URL must end in /v1.');
  return url.origin + url.pathname;
}
