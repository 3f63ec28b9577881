import { createHash, createHmac } from 'node:crypto';
import type { Account } from './account.ts';
import type { VersionedSecret } from './apiKey.ts';
import { randomText } from './ids.ts';
import { equalInConstantTime } from './signIn.ts';

/*
 * The second factor of a customer: codes of an app (RFC 6238), and recovery codes for when the app is lost.
 */

/** For how long a code may follow the password, in ms: ten minutes. */
export const proofMs = 10 * 60 * 1000;

type Owner = Pick<Account, 'id' | 'passwordHash'>;

const macOf = ({ id, passwordHash }: Owner, untilMs: number, secret: string) =>
  createHmac('sha256', secret)
    .update(`password typed ${id} ${untilMs} ${passwordHash ?? ''}`)
    .digest('base64url');

/**
 * A proof that the password of an account was typed, for the page that asks for the code. It signs nobody in,
 * is not stored, and is void with another password.
 * @param untilMs When it ends, in ms since the epoch.
 */
export function makeProof(account: Owner, untilMs: number, { secret }: VersionedSecret): string {
  return `${account.id}.${untilMs}.${macOf(account, untilMs, secret)}`;
}

/** The id of the account that a proof is about, yet to be checked by `isProof`; null when it is none. */
export function accountIdOf(proof: string): string | null {
  return /^(acct_\w{1,40})\.\d{1,16}\.[\w-]{43}$/.exec(proof)?.[1] ?? null;
}

/** Whether a proof is of this account and its password, and not over. */
export function isProof(
  proof: string,
  account: Owner,
  nowMs: number,
  keys: readonly VersionedSecret[],
): boolean {
  const [id = '', time = '', given = ''] = proof.split('.');
  if (id !== account.id || !(Number(time) > nowMs)) return false;
  return keys.some(({ secret }) =>
    equalInConstantTime(given, macOf(account, Number(time), secret)),
  );
}

/** Random bytes of a recovery code: beyond 112 bits a plain hash is enough (ASVS 5.0, 6.5.2). */
export const recoveryCodeBytes = 15;
/** Recovery codes that an account gets at once. */
export const recoveryCodeCount = 10;

/** A recovery code from `recoveryCodeBytes` random bytes, in groups for people: `abcd-efgh-jkmn-pqrs-tvwx-yz01`. */
export function formatRecoveryCode(random: Uint8Array): string {
  return (randomText(random).match(/.{4}/g) ?? []).join('-');
}

/**
 * The stored hash of a recovery code. The code has 120 random bits, so the hash needs none of our secrets and
 * outlives their rotation.
 * @param typed Case, blanks and hyphens do not matter, nor letters that look like digits.
 * @returns null when it has not the form of one.
 */
export function hashRecoveryCode(accountId: string, typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
  if (!/^[0-9a-hjkmnp-tv-z]{24}$/.test(code)) return null;
  return createHash('sha256').update(`recovery ${accountId} ${code}`).digest('hex');
}
