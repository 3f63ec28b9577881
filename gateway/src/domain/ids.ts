/** The kind of an id, which starts with it, so that an id in a log reveals its kind. */
export type IdPrefix =
  | 'gen'
  | 'acct'
  | 'key'
  | 'req'
  | 'lot'
  | 'cfm'
  | 'aud'
  | 'prp'
  | 'mail'
  | 'upl'
  | 'opk'
  | 'pln'
  | 'col'
  | 'sil'
  | 'log';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Builds an id: the prefix, `_`, and a ULID in lower-case Crockford base32 (26 characters, sortable by time).
 * @param nowMs Milliseconds since the epoch, below 2^48.
 * @param random Ten random bytes.
 */
export function formatId(prefix: IdPrefix, nowMs: number, random: Uint8Array): string {
  if (random.length !== 10) throw new RangeError('an id takes ten random bytes');
  return `${prefix}_${formatTime(nowMs)}${formatRandom(random)}`;
}

/** The lowest id of a generation at a time in ms since the epoch, where a page of ids begins. */
export function firstGenerationId(atMs: number): string {
  return formatId('gen', atMs, new Uint8Array(10));
}

/**
 * When ids with this start were made, in ms since the epoch; `until` is exclusive.
 * @param start Prefix, `_` and characters.
 */
export function timesOf(start: string): { from: number; until: number } {
  const characters = start.slice(start.indexOf('_') + 1).slice(0, timeCharacters);
  const firstMs = [...characters].reduce(
    (time, character) => time * 32 + crockford.indexOf(character),
    0,
  );
  const unit = 32 ** (timeCharacters - characters.length);
  return { from: firstMs * unit, until: (firstMs + 1) * unit };
}

const timeCharacters = 10;

/** The part of an id that states when it was made: its prefix, and its time. */
export const timePrefixOf = (id: string): string =>
  id.slice(0, id.indexOf('_') + 1 + timeCharacters);

const idPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** 48 bits of time as 10 characters, most significant first. */
function formatTime(nowMs: number): string {
  let rest = Math.trunc(nowMs);
  let text = '';
  for (let place = 0; place < timeCharacters; place += 1) {
    text = crockford.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Eighty bits as 16 characters of lower-case Crockford base32: eight for every five bytes. */
export function formatRandom(random: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of random) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += crockford.charAt((buffer >>> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/** Whether `text` has the form of an id of this kind; the id may not exist. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && idPattern.test(text.slice(prefix.length + 1));
}

/** The ids of accounts, generations, keys and lots among values. */
export const idsAmong = (values: readonly unknown[]): string[] =>
  values.filter(
    (value): value is string =>
      typeof value === 'string' && /^(acct|gen|key|lot|opk)_\w{1,40}$/.test(value),
  );
