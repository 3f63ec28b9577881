import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The fixed live prefix of every API key. */
export const apiKeyPrefix = 'fg_live_';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^fg_live_[0-9A-Za-z]{38}$/;

function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let place = 0; place < 6; place += 1) {
    text = base62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/**
 * What is kept of a key in the open, beside its last four: its beginning, which staff can look for. Six
 * of its 32 random characters leave more than a hundred and fifty bits.
 */
export function shownStart(apiKey: string): string {
  return apiKey.slice(0, apiKeyPrefix.length + 6);
}

/**
 * Builds an API key: prefix, 32 base62 characters, and 6 base62 characters of their CRC32, so that a
 * mistyped key is refused without a database read.
 * @param random At least 32 random bytes below 248 (others are skipped, which keeps letters equally likely).
 */
export function formatApiKey(random: Uint8Array): string {
  const letters = [...random].filter((byte) => byte < 248).map((byte) => base62.charAt(byte % 62));
  if (letters.length < 32) throw new RangeError('not enough random bytes for a key');
  const secret = letters.slice(0, 32).join('');
  return apiKeyPrefix + secret + checksumOf(secret);
}

/** Whether `text` has the form and the checksum of an API key. */
export function isApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const secret = text.slice(apiKeyPrefix.length, -6);
  return text.endsWith(checksumOf(secret));
}

/** A secret of an ordered list; its version is stored with what it made, so that it can be rotated. */
export interface VersionedSecret {
  version: string;
  secret: string;
}

/** The secret of a list that makes what is new; all of them verify. @throws Error where there is none. */
export function firstSecret<T extends Pick<VersionedSecret, 'secret'>>(secrets: readonly T[]): T {
  const [first] = secrets;
  if (!first) throw new Error('a list of secrets is empty');
  return first;
}

/** HMAC-SHA256 of a key under a pepper, in hex: all that is stored of it. */
export function hashApiKey(apiKey: string, pepper: VersionedSecret): string {
  return createHmac('sha256', pepper.secret).update(apiKey).digest('hex');
}
