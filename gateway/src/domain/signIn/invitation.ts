import { createHmac } from 'node:crypto';
import { dayMs } from '@framegate/contract';
import { equalInConstantTime, type VersionedSecret } from '../accounts/apiKey.ts';

/** Validity of an invitation, in ms: a week. */
export const invitationMs = 7 * dayMs;

const mac = (email: string, untilMs: number, { secret }: VersionedSecret) =>
  createHmac('sha256', secret).update(`sign-up invitation ${untilMs} ${email}`).digest('base64url');

/**
 * An invitation to sign up with one address, which it does not reveal. The link is not stored: an address has only one
 * account, so a reused invitation makes no second one.
 * @param untilMs Its expiry, in ms since the epoch.
 */
export function makeInvitation(email: string, untilMs: number, key: VersionedSecret): string {
  return `${untilMs}.${mac(email, untilMs, key)}`;
}

/**
 * Whether an invitation is for this address, and neither expired nor revoked.
 * @param revokedUntilMs Invitations that expire by then were revoked; null if none was.
 */
export function isInvited(
  invitation: string,
  email: string,
  nowMs: number,
  keys: readonly VersionedSecret[],
  revokedUntilMs: number | null = null,
): boolean {
  const [, time = '', signature = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(invitation) ?? [];
  if (time === '' || Number(time) <= nowMs) return false;
  if (revokedUntilMs !== null && Number(time) <= revokedUntilMs) return false;
  return keys.some((key) => equalInConstantTime(signature, mac(email, Number(time), key)));
}
