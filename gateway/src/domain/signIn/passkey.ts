import { createHmac } from 'node:crypto';
import { equalInConstantTime, type VersionedSecret } from '../accounts/apiKey.ts';

/* Passkeys of staff (WebAuthn): challenges, and reasons for refused responses. */

/** Random bytes of a challenge (WebAuthn, 13.4.3: at least 16). */
export const challengeBytes = 16;

/** Algorithms of signatures (COSE): EdDSA, ES256 and RS256. */
export const passkeyAlgorithms = [-8, -7, -257] as const;

/** The purpose of a challenge: one form in one session. Elsewhere its response proves nothing. */
export interface ChallengeUse {
  /** The path to which the form is sent. */
  form: string;
  /** The session; before a sign-in, the browser. */
  holder: string;
}

const macOf = (text: string, { form, holder }: ChallengeUse, secret: string) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['passkey', text, form, holder]))
    .digest('base64url');

/**
 * The text that a passkey signs. It is not stored: its signature proves its issuer, purpose and expiry.
 * @param of.untilMs Its expiry, in ms since the epoch.
 */
export function makeChallenge(
  use: ChallengeUse,
  { untilMs, random }: { untilMs: number; random: Uint8Array },
  { secret }: VersionedSecret,
): string {
  const text = `${untilMs}.${Buffer.from(random).toString('base64url')}`;
  return `${text}.${macOf(text, use, secret)}`;
}

/** Whether a challenge is ours, for this use, and has not expired. The caller checks that it was not used before. */
export function isChallenge(
  challenge: string,
  use: ChallengeUse,
  nowMs: number,
  keys: readonly VersionedSecret[],
): boolean {
  const [time = '', random = '', signature = '', ...rest] = challenge.split('.');
  if (rest.length > 0 || !(Number(time) > nowMs)) return false;
  return keys.some(({ secret }) =>
    equalInConstantTime(signature, macOf(`${time}.${random}`, use, secret)),
  );
}

/** Why a response of a passkey is refused; `passkey_<problem>` is the code of the refusal. */
export type PasskeyProblem =
  | 'unreadable'
  | 'unregistered'
  | 'taken'
  | 'expired'
  | 'origin'
  | 'site'
  | 'unconfirmed'
  | 'counter'
  | 'invalid'
  | 'of_another';

/** Longest name of a passkey, in characters. */
export const maxPasskeyNameLength = 60;
/** Maximum passkeys per person. */
export const maxPasskeys = 20;
