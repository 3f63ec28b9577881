/**
 * Reads a public address of the gateway: http or https, without user, query and fragment. A slash at
 * the end is dropped, so that paths can be put behind it.
 * @throws Error that says what is wrong.
 */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    throw new Error('it is not an http or https URL');
  }
  if (url.username !== '' || url.password !== '') throw new Error('it has a user name in it');
  if (text.includes('?') || text.includes('#')) throw new Error('it has a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

/** Reads the base URL of the API, whose path ends in /v1. */
export function parseBaseUrl(text: string): string {
  const url = parsePublicUrl(text);
  if (!url.endsWith('/v1')) throw new Error('its path does not end in /v1');
  return url;
}

/** Reads a connection string by its schemes; its own reader judges the rest. */
export function parseConnectionUrl(schemes: readonly string[]): (text: string) => string {
  return (text) => {
    const scheme = /^([a-z+]+):\/\/[^/]/.exec(text)?.[1];
    if (scheme === undefined || !schemes.includes(scheme)) {
      throw new Error('it does not start so, or names no host');
    }
    return text;
  };
}
