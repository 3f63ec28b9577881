import { coversHost } from '@framegate/contract';
/** Maximum length of an input URL in characters. */
export const maxInputUrlLength = 2048;

/** A parsed input URL: the host in lower case and the URL to fetch, or an instruction for the caller. */
export type ParsedInputUrl =
  { ok: true; host: string; url: string } | { ok: false; reason: string };

const printable = /^[\x21-\x7e]*$/;

/**
 * Checks an input URL as written: https, port 443 or none, a DNS name, no user info, no fragment, at most 2,048
 * characters. Anything that a URL parser would repair or change is refused, so that every reader of the URL sees the
 * same host and path; only the case of scheme and host, an explicit `:443` and an empty path may vary. Later checks
 * decide whether the host is approved for the key and which address it has.
 */
export function parseInputUrl(text: string): ParsedInputUrl {
  if (text.length > maxInputUrlLength) {
    return badUrl(`Use a URL of at most ${maxInputUrlLength} characters.`);
  }
  if (/^data:/i.test(text)) {
    return badUrl('Host the file on an approved host: data: URLs are not accepted.');
  }
  if (!printable.test(text) || text.includes('\\')) {
    return badUrl(
      'Percent-encode spaces, control characters, backslashes and non-ASCII characters in the URL.',
    );
  }
  const scheme = /^https:\/\//i.exec(text);
  if (!scheme) return badUrl('Use a URL that begins with https://.');
  if (text.includes('#')) {
    return badUrl('Remove the fragment: the # and everything after it.');
  }
  const rest = text.slice(scheme[0].length);
  const authority = /^[^/?]*/.exec(rest)?.[0] ?? '';
  if (authority.includes('@')) {
    return badUrl('Remove the user name and password (everything up to and including the @).');
  }
  const parsed = parseAuthority(authority);
  if (!parsed.ok) return parsed;
  return compareWithParser(text, parsed.host, rest.slice(authority.length));
}

/** The host alone or with exactly `:443`. */
function parseAuthority(
  authority: string,
): Exclude<ParsedHostName, BadHost> | { ok: false; reason: string } {
  if (authority.startsWith('[')) return parseHostName(authority);
  const colon = authority.indexOf(':');
  if (colon === -1) return parseHostName(authority);
  if (authority.slice(colon) !== ':443') {
    return { ok: false, reason: 'Use port 443: omit the port from the URL.' };
  }
  return parseHostName(authority.slice(0, colon));
}

/** Compares the text with the URL parser's reading, which the fetching client uses. */
function compareWithParser(text: string, host: string, rest: string): ParsedInputUrl {
  const parsed = URL.parse(text);
  if (!parsed) return badUrl('Check the URL: it is not valid.');
  const pathAndQuery = rest.startsWith('/') ? rest : `/${rest}`;
  // The parser writes an apostrophe in a query as %27, although RFC 3986 allows it; both are equivalent.
  const query = pathAndQuery.indexOf('?');
  const expected =
    query === -1
      ? pathAndQuery
      : pathAndQuery.slice(0, query) +
        pathAndQuery.slice(query).replaceAll("'", '%27').replace(/^\?$/, '');
  if (parsed.hostname !== host || parsed.pathname + parsed.search !== expected) {
    return badUrl(
      'Write the path without . or .. segments, and percent-encode special characters.',
    );
  }
  return { ok: true, host, url: parsed.href };
}

/** Faults of a host, for the API and English pages; German pages use the text of the refusal `host_invalid`. */
const hostProblems = {
  missing: 'Enter a host: the URL has none.',
  address: 'Use a DNS name: IP addresses are not accepted in any notation.',
  long: 'Use a host name of at most 253 characters.',
  dot: 'Remove the dot at the end of the host name.',
  local: 'Use a public host: names like this are not reachable from the internet.',
  short: 'Use a full host name with at least two parts, such as a.example.',
  letters:
    'Use a host name with only letters, digits, hyphens and dots; write international names in Punycode (xn--).',
  url: 'Enter only the host name, without https://, port or path.',
  wildcard:
    'Write a wildcard as *. followed by a name with at least two parts, such as *.media.example.',
  registry: "Use your own host: this wildcard would match other people's domains.",
  store:
    'Use your own host: this wildcard would match the buckets and sites of all customers of a storage service.',
} as const;
type HostProblem = keyof typeof hostProblems;

/** A host that is refused, with an instruction for the caller. */
interface BadHost {
  ok: false;
  problem: HostProblem;
  reason: string;
}

/** The refusal of a host for this fault. */
export const badHost = (problem: HostProblem): BadHost => ({
  ok: false,
  problem,
  reason: hostProblems[problem],
});

/** A parsed host name in lower case. */
export type ParsedHostName = { ok: true; host: string } | BadHost;

/** A parsed host rule as stored and compared. */
export type ParsedHostRule = { ok: true; rule: string } | BadHost;

/** The target of connections to one host (INPUT_HOST_OVERRIDES). */
export interface HostOverride {
  /** IPv4 or IPv6 address. */
  address: string;
  port: number;
}

/**
 * Top-level names that no public storage host can have: they stand for this machine, the local network or no DNS at all
 * (RFC 6761, 6762 with its appendix G, 7686, 8375, 9476; `.internal`: ICANN 2024). `.example`, `.test` and `.invalid`
 * are allowed: they lead nowhere unless the operator maps them.
 */
const specialNames = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'onion',
  'alt',
];

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const topLabel = /^(?:[a-z]{2,63}|xn--[a-z0-9-]*[a-z0-9])$/;
/** A last label that makes the URL parser expect an IPv4 address (WHATWG URL, "ends in a number"). */
const numberLabel = /^(?:\d+|0x[0-9a-f]*)$/;

const badUrl = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });

/**
 * Checks a host name as written: letters, digits and hyphens (RFC 1123) in at least two labels, ASCII only
 * (punycode is compared as such), no trailing dot, no IP literal in any notation, no name of a local or special
 * network. Upper case is allowed.
 */
export function parseHostName(text: string): ParsedHostName {
  const host = text.toLowerCase();
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  if (host === '') return badHost('missing');
  if (host.includes('[') || host.includes(':') || numberLabel.test(last)) {
    return badHost('address');
  }
  if (host.length > 253) return badHost('long');
  if (last === '') return badHost('dot');
  if (specialNames.includes(last)) return badHost('local');
  if (labels.length < 2) return badHost('short');
  if (!labels.every((part) => label.test(part)) || !topLabel.test(last)) {
    return badHost('letters');
  }
  return { ok: true, host };
}

/**
 * Parses a host rule of a key: an exact host, or `*.suffix` with at least two labels after the star. Public
 * suffixes such as `co.uk` are checked by `checkSharedSuffix` (sharedSuffix.ts).
 */
export function parseHostRule(text: string): ParsedHostRule {
  if (/[/:]/.test(text) && !text.startsWith('[')) {
    return badHost('url');
  }
  const isWildcard = text.startsWith('*.');
  const name = parseHostName(isWildcard ? text.slice(2) : text);
  if (name.ok) return { ok: true, rule: isWildcard ? `*.${name.host}` : name.host };
  if (text.includes('*')) {
    return badHost('wildcard');
  }
  return name;
}

/** Whether the operator's rules for all accounts already cover a host rule. */
export function isAutoApproved(rule: string, autoApproved: readonly string[]): boolean {
  if (!rule.startsWith('*.')) return coversHost(autoApproved, rule);
  const wildcards = autoApproved.filter((each) => each.startsWith('*.'));
  return wildcards.includes(rule) || coversHost(wildcards, rule.slice(2));
}
