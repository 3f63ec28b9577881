/** What an id names; it stands in front of every id, so that a value found in a log tells its kind. */
export type IdPrefix = 'gen' | 'acct' | 'key' | 'req' | 'lot';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Builds an id: the prefix, `_`, and a ULID in lower-case Crockford base32 (26 characters, sortable
 * by time; design section 4).
 * @param nowMs Milliseconds since the epoch, below 2^48.
 * @param random Ten random bytes.
 */
export function formatId(prefix: IdPrefix, nowMs: number, random: Uint8Array): string {
  if (random.length !== 10) throw new RangeError('an id takes ten random bytes');
  let bits = BigInt(Math.trunc(nowMs));
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let place = 0; place < 26; place += 1) {
    text = crockford.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}

const idPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` has the form of an id of this kind; says nothing of whether it exists. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && idPattern.test(text.slice(prefix.length + 1));
}
