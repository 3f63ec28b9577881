import { createHash } from 'node:crypto';
import { addressGroup } from '../../domain/addressGroup.ts';
import type { Clock } from '../ports/clock.ts';
import { FormProblem } from './formProblem.ts';
import type { AttemptStore } from './ports.ts';

const minuteMs = 60_000;

/** How often each thing may be tried; by address of the caller and by the account that is meant. */
export const attemptLimits = {
  signInAddress: { most: 60, windowMs: 15 * minuteMs },
  signInAccount: { most: 10, windowMs: 15 * minuteMs },
  signUpAddress: { most: 20, windowMs: 60 * minuteMs },
  mailAccount: { most: 5, windowMs: 60 * minuteMs },
  mailAddress: { most: 30, windowMs: 60 * minuteMs },
  codeAddress: { most: 60, windowMs: 15 * minuteMs },
  // One at a time: forgotten when it ends.
  ledgerExport: { most: 1, windowMs: 10 * minuteMs },
  staffCode: { most: 10, windowMs: 15 * minuteMs },
} as const;

/** The name under which something is counted: no address of a mailbox is kept in it. */
function nameOf(kind: keyof typeof attemptLimits, who: string): string {
  const meant = kind.endsWith('Address') ? addressGroup(who) : who;
  return `${kind}:${createHash('sha256').update(meant).digest('base64url')}`;
}

/** Counts an attempt. @throws FormProblem once there were too many; it says how long to wait. */
export async function countAttempt(
  { attempts, clock }: { attempts: AttemptStore; clock: Clock },
  kind: keyof typeof attemptLimits,
  who: string,
): Promise<void> {
  const { most, windowMs } = attemptLimits[kind];
  const { count, endsAt } = await attempts.count(nameOf(kind, who), windowMs);
  if (count <= most) return;
  const minutes = Math.max(1, Math.ceil((endsAt - clock.now()) / minuteMs));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const trouble =
    kind === 'ledgerExport'
      ? `A download of this ledger is under way. Try again when it has ended, or in ${wait}.`
      : `That was tried too often. Wait ${wait}, then try again.`;
  throw new FormProblem({}, trouble, 429);
}

/** Forgets the attempts: the last one succeeded. */
export async function forgetAttempts(
  { attempts }: { attempts: AttemptStore },
  kind: keyof typeof attemptLimits,
  who: string,
): Promise<void> {
  await attempts.clear(nameOf(kind, who));
}
