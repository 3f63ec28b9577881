const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The base URL as entered, without surrounding white space and trailing slashes. Every request address is built from it
 * and an id, never from an address returned by a server.
 * @throws RangeError with a sentence for the user if it is not an https address ending in /v1 (plain http is accepted
 * only for a gateway on the same machine).
 */
export function readBaseUrl(entered: string | undefined): string {
  const text = (entered ?? '').trim().replace(/\/+$/, '');
  if (text === '')
    throw new RangeError("Enter the Base URL that your account's API keys page shows.");
  if (!/^https?:\/\//i.test(text)) throw new RangeError('The Base URL must start with https://.');
  const url = URL.parse(text);
  if (url === null) throw new RangeError('The Base URL is not an address.');
  if (url.protocol === 'http:' && !loopback.has(url.hostname)) {
    throw new RangeError('The Base URL must start with https://.');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new RangeError('The Base URL must contain no user name, "?" or "#".');
  }
  if (!url.pathname.endsWith('/v1')) throw new RangeError('The Base URL must end in /v1.');
  return url.origin + url.pathname;
}
