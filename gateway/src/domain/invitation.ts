import { createHmac } from 'node:crypto';
import type { VersionedSecret } from './apiKey.ts';
import { equalInConstantTime } from './equalInConstantTime.ts';

/** How long an invitation works, in ms: a week. */
export const invitationMs = 7 * 24 * 3600 * 1000;

const mac = (email: string, until: number, { secret }: VersionedSecret) =>
  createHmac('sha256', secret).update(`sign-up invitation ${until} ${email}`).digest('base64url');

/**
 * An invitation to sign up with one address, which it does not show. It is not stored: an address has one
 * account, so it makes no second one.
 * @param untilMs When it ends, in ms since the epoch.
 */
export function makeInvitation(email: string, untilMs: number, key: VersionedSecret): string {
  return `${untilMs}.${mac(email, untilMs, key)}`;
}

/** Whether an invitation is for this address, and not over. */
export function isInvited(
  invitation: string,
  email: string,
  nowMs: number,
  keys: readonly VersionedSecret[],
): boolean {
  const [, time = '', given = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(invitation) ?? [];
  if (time === '' || Number(time) <= nowMs) return false;
  return keys.some((key) => equalInConstantTime(given, mac(email, Number(time), key)));
}
