import { parseHostName } from './inputHost.ts';

/** The longest input URL in characters. */
export const maxInputUrlLength = 2048;

/**
 * An input URL that was read: the host in lower case and the URL as it will be fetched, or a sentence
 * for people that says what to do.
 */
export type ParsedInputUrl =
  { ok: true; host: string; url: string } | { ok: false; reason: string };

const no = (reason: string): ParsedInputUrl => ({ ok: false, reason });

const printable = /^[\x21-\x7e]*$/;

/**
 * Checks an input URL as it is written: https, port 443 or none, a DNS name, no user info, no fragment,
 * at most 2,048 characters. What a URL parser would repair or change is refused, so that every reader of
 * the URL sees the same host and path; only the case of scheme and host, an explicit `:443` and an empty
 * path are free. Whether the host is approved for the key, and which address it has, is checked later.
 */
export function parseInputUrl(text: string): ParsedInputUrl {
  if (text.length > maxInputUrlLength) {
    return no(`Use a URL of at most ${maxInputUrlLength} characters.`);
  }
  if (/^data:/i.test(text))
    return no('Host the file on an approved host: data: URLs are not accepted.');
  if (!printable.test(text) || text.includes('\\')) {
    return no('Percent-encode spaces, control, backslash and non-ASCII characters in the URL.');
  }
  const scheme = /^https:\/\//i.exec(text);
  if (!scheme) return no('Use a URL that begins with https://.');
  if (text.includes('#'))
    return no('Remove the fragment: nothing may follow a #, nor the # itself stay.');
  const rest = text.slice(scheme[0].length);
  const authority = /^[^/?]*/.exec(rest)?.[0] ?? '';
  if (authority.includes('@')) return no('Remove user name and password (everything up to the @).');
  const named = parseAuthority(authority);
  if (!named.ok) return named;
  return compareWithParser(text, named.host, rest.slice(authority.length));
}

/** Host and port: the host alone or with exactly `:443`. */
function parseAuthority(authority: string): ReturnType<typeof parseHostName> {
  if (authority.startsWith('[')) return parseHostName(authority);
  const colon = authority.indexOf(':');
  if (colon === -1) return parseHostName(authority);
  if (authority.slice(colon) !== ':443') {
    return { ok: false, reason: 'Use port 443: leave the port out of the URL.' };
  }
  return parseHostName(authority.slice(0, colon));
}

/** Holds what was written against what the URL parser, and with it the fetching client, makes of it. */
function compareWithParser(text: string, host: string, rest: string): ParsedInputUrl {
  if (!URL.canParse(text)) return no('Check the URL: it cannot be read.');
  const parsed = new URL(text);
  const written = rest.startsWith('/') ? rest : `/${rest}`;
  // The parser writes an apostrophe in a query as %27, although RFC 3986 allows it: both name the same.
  const query = written.indexOf('?');
  const expected =
    query === -1
      ? written
      : written.slice(0, query) + written.slice(query).replaceAll("'", '%27').replace(/^\?$/, '');
  if (parsed.hostname !== host || parsed.pathname + parsed.search !== expected) {
    return no(
      'Write the path as it is: without . or .. segments, and with special characters percent-encoded.',
    );
  }
  return { ok: true, host, url: parsed.href };
}
