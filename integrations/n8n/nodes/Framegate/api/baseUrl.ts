/**
 * The base URL as requests need it, or undefined when the text is no http address.
 * People paste it with and without the last slash, and with and without /v1.
 */
export function baseUrlOf(text: string): string | undefined {
  const address = text.trim();
  if (!/^https?:\/\/[^\s/?#]+[^\s?#]*$/i.test(address)) return undefined;
  return address.replace(/\/+$/, '').replace(/(\/v1)?$/, '/v1');
}
