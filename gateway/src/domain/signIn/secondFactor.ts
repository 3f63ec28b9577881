import { createHash, createHmac } from 'node:crypto';
import { minuteMs } from '@framegate/contract';
import type { Account } from '../accounts/account.ts';
import { equalInConstantTime, type VersionedSecret } from '../accounts/apiKey.ts';
import { formatRandom } from '../ids.ts';

/* A customer's second factor: codes of an app (RFC 6238), and recovery codes for a lost app. */

/** How long after the password a code is accepted, in ms. */
export const proofMs = 10 * minuteMs;

type Owner = Pick<Account, 'id' | 'email' | 'passwordHash' | 'identities'>;

/** The sign-in that a proof is for: it completes no other. */
export type ProofAudience = 'site' | 'console';

const macOf = (
  { id, email, passwordHash, identities = [] }: Owner,
  audience: ProofAudience,
  untilMs: number,
  secret: string,
) =>
  createHmac('sha256', secret)
    .update(`password typed ${audience} ${id} ${untilMs} `)
    .update(
      JSON.stringify([
        ...[passwordHash, email],
        ...identities.map(({ issuer, subject }) => [issuer, subject]),
      ]),
    )
    .digest('base64url');

/**
 * A proof that an account's password was typed, for the page that requests the code. It signs no one in, is not
 * stored, and becomes void when the password, the address or an identity changes.
 * @param untilMs Its expiry, in ms since the epoch.
 */
export function makeProof(
  account: Owner,
  audience: ProofAudience,
  untilMs: number,
  { secret }: VersionedSecret,
): string {
  return `${account.id}.${untilMs}.${macOf(account, audience, untilMs, secret)}`;
}

/** The id of the account named by a proof, not yet verified by `isProof`; null for malformed text. */
export function accountIdOf(proof: string): string | null {
  return /^(acct_\w{1,40})\.\d{1,16}\.[\w-]{43}$/.exec(proof)?.[1] ?? null;
}

/** Whether a proof is for this sign-in, belongs to this account and its current ways in, and has not expired. */
export function isProof(
  proof: string,
  account: Owner,
  audience: ProofAudience,
  nowMs: number,
  keys: readonly VersionedSecret[],
): boolean {
  const [id = '', time = '', signature = ''] = proof.split('.');
  if (id !== account.id || !(Number(time) > nowMs)) return false;
  return keys.some(({ secret }) =>
    equalInConstantTime(signature, macOf(account, audience, Number(time), secret)),
  );
}

/** Random bytes of a recovery code: above 112 bits a plain hash is sufficient (ASVS 5.0, 6.5.2). */
export const recoveryCodeBytes = 15;
/** Number of recovery codes issued together. */
export const recoveryCodeCount = 10;

/** Formats `recoveryCodeBytes` random bytes in readable groups: `abcd-efgh-jkmn-pqrs-tvwx-yz01`. */
export function formatRecoveryCode(random: Uint8Array): string {
  return (formatRandom(random).match(/.{4}/g) ?? []).join('-');
}

/**
 * The stored hash of a recovery code. The code has 120 random bits, so the hash needs no secret and survives
 * secret rotation.
 * @param typed Case, spaces and hyphens are ignored, and letters that resemble digits count as those digits.
 * @returns Null for text without the form of a code.
 */
export function hashRecoveryCode(accountId: string, typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
  if (!/^[0-9a-hjkmnp-tv-z]{24}$/.test(code)) return null;
  return createHash('sha256').update(`recovery ${accountId} ${code}`).digest('hex');
}
