import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyMaker, MonthlyLimit } from '../teams/members.ts';

/** An input host of a key: requested by the account, approved or refused by staff. */
export interface KeyHost {
  /** Exact host or `*.suffix`. */
  rule: string;
  state: 'requested' | 'approved' | 'refused';
}

/** A key as stored, without the secret. Times in ms since the epoch. */
export interface StoredKey {
  id: string;
  name: string;
  /** HMAC of the key under the pepper of this version. */
  hash: string;
  pepperVersion: string;
  /** The key's start: the prefix of its kind and six more characters. */
  prefix: string;
  lastFour: string;
  createdAt: number;
  /** When it stopped or will stop working: a rotated key keeps working until then. */
  revokedAt: number | null;
}

/** A key of the API. */
export interface ApiKey extends StoredKey, MonthlyLimit {
  /** Models that the key may use; null means all. */
  models: string[] | null;
  hosts: KeyHost[];
  /** Id of the key that replaced it. */
  replacedBy?: string;
  /** Credits that it may spend per UTC day; unlimited if absent. */
  dailyCredits?: number;
  /** Credits spent on the last day with spending; tracked only under a daily limit. */
  daySpent?: { day: number; credits: number };
  /** The member who made it; absent if the account's owner or the operator did. */
  madeBy?: KeyMaker;
}

/** Prefix of keys of the API. */
export const apiKeyPrefix = 'fg_live_';
/** Prefix of keys of the operator API; neither API accepts the other's keys. */
export const operatorKeyPrefix = 'fg_operator_';
type KeyPrefix = typeof apiKeyPrefix | typeof operatorKeyPrefix;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretPattern = /^[0-9A-Za-z]{38}$/;

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
 * The start of a key, stored in clear text next to its last four characters so that staff can search for it. Revealing
 * six of the 32 random characters leaves more than 150 bits.
 */
export function shownStart(apiKey: string, prefix: KeyPrefix = apiKeyPrefix): string {
  return apiKey.slice(0, prefix.length + 6);
}

/**
 * Builds an API key: prefix, 32 base62 characters, and their CRC32 as 6 base62 characters, so that a mistyped
 * key is refused without a database read.
 * @param random At least 32 random bytes below 248; others are skipped to keep all characters equally likely.
 */
export function formatApiKey(random: Uint8Array, prefix: KeyPrefix = apiKeyPrefix): string {
  const characters = [...random]
    .filter((byte) => byte < 248)
    .map((byte) => base62.charAt(byte % 62));
  if (characters.length < 32) throw new RangeError('not enough random bytes for a key');
  const secret = characters.slice(0, 32).join('');
  return prefix + secret + checksumOf(secret);
}

/** Whether `text` has the form and the checksum of a key with this prefix. */
export function isApiKey(text: string, prefix: KeyPrefix = apiKeyPrefix): boolean {
  const characters = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !secretPattern.test(characters)) return false;
  return characters.endsWith(checksumOf(characters.slice(0, -6)));
}

/** One secret of an ordered list. Its version is stored with everything made from it, to allow rotation. */
export interface VersionedSecret {
  version: string;
  secret: string;
}

/** The first secret of a list makes new values; all of them verify. @throws Error for an empty list. */
export function firstSecret<T extends Pick<VersionedSecret, 'secret'>>(secrets: readonly T[]): T {
  const [first] = secrets;
  if (!first) throw new Error('a list of secrets is empty');
  return first;
}

/** HMAC-SHA256 of a key under a pepper, in hex; the key itself is never stored. */
export function hashApiKey(apiKey: string, pepper: VersionedSecret): string {
  return createHmac('sha256', pepper.secret).update(apiKey).digest('hex');
}

/** The stored fields that are made from a key: its secret only as a hash. */
export const storedPartsOf = (
  key: string,
  pepper: VersionedSecret,
  prefix: KeyPrefix = apiKeyPrefix,
): Pick<StoredKey, 'hash' | 'pepperVersion' | 'prefix' | 'lastFour'> => ({
  hash: hashApiKey(key, pepper),
  pepperVersion: pepper.version,
  prefix: shownStart(key, prefix),
  lastFour: key.slice(-4),
});

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const [one, right] = [Buffer.from(a), Buffer.from(b)];
  return one.length === right.length && timingSafeEqual(one, right);
}

/** Whether the key works at `nowMs`. */
export function isLive(key: Pick<ApiKey, 'revokedAt'>, nowMs: number): boolean {
  return key.revokedAt === null || key.revokedAt > nowMs;
}

/** The key, revoked at `nowMs` or earlier. */
export function endKey(key: ApiKey, nowMs: number): ApiKey {
  return { ...key, revokedAt: Math.min(key.revokedAt ?? nowMs, nowMs) };
}

/** The account's active key with this id, or null. */
export function liveKey(
  account: { keys: readonly ApiKey[] },
  keyId: string,
  nowMs: number,
): ApiKey | null {
  return account.keys.find((key) => key.id === keyId && isLive(key, nowMs)) ?? null;
}

/**
 * The rights of the account's own site (channel `pc`): every model, and the input hosts approved for one of the
 * account's live keys or for all accounts.
 */
export function siteRequester(
  account: { keys: readonly ApiKey[] },
  autoApproved: readonly string[],
  nowMs: number,
): Pick<ApiKey, 'models' | 'hosts'> & { mayUpload: true } {
  const own = account.keys.filter((key) => isLive(key, nowMs)).flatMap(({ hosts }) => hosts);
  const forAll = autoApproved.map((rule): KeyHost => ({ rule, state: 'approved' }));
  return { models: null, hosts: [...own, ...forAll], mayUpload: true };
}
