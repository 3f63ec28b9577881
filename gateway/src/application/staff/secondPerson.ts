import { dayMs, hourMs } from '@framegate/contract';
import { Refusal } from '../../domain/refusal.ts';
import type { StaffAction } from '../../domain/staff/staffRights.ts';
import type { App } from '../app.ts';
import { takeFromDay } from '../credits/dailySums.ts';
import type { Proposal } from '../ports/staff.ts';
import type { StaffActor } from './runAction.ts';
import { takeSupportAllowance } from './supportAllowance.ts';

/**
 * An action that requires another admin's confirmation. Pages with proposals turn it into one; elsewhere it is
 * a refusal.
 * @param credits That it moves; 0 for other actions.
 */
export const secondAdminRefusal = (credits = 0) =>
  new Refusal('second_admin_needed', { values: { credits } });

/** A movement of credits by staff. */
export interface StaffMove {
  by: Pick<StaffActor, 'role' | 'email'>;
  accountId: string;
  /** Credits; negative amounts count like positive ones. */
  amount: number;
  /** The action just confirmed by a second admin; null if one person acts alone. */
  confirms: StaffAction | null;
}

/**
 * Moves credits within the limits of one person: support have a daily sum; the daily sums per admin and per account may
 * not exceed `secondPersonCredits`. Refused movements do not count. The other admins are notified of a
 * confirmed movement.
 * @param work Moves them.
 * @throws Refusal `second_admin_needed` if another admin must confirm it, or the refusal of the allowance of support
 * or `work`.
 */
export async function moveCredits<T>(
  deps: App,
  move: StaffMove,
  work: () => Promise<T>,
): Promise<T> {
  const refund = await takeAllowance(deps, move);
  try {
    const moved = await work();
    if (move.confirms !== null) await notifyAdmins(deps, move, 'Confirmed', move.confirms);
    return moved;
  } catch (error) {
    if (error instanceof Refusal) await refund();
    throw error;
  }
}

const doNothing = () => Promise.resolve();

async function takeAllowance(deps: App, move: StaffMove): Promise<() => Promise<void>> {
  if (move.confirms !== null || move.amount === 0) return doNothing;
  if (move.by.role === 'support') return takeSupportAllowance(deps, move.by, move.amount);
  return takeAloneAllowance(deps, move);
}

/** @throws Refusal `second_admin_needed` beyond the daily sum of the admin or of the account. */
async function takeAloneAllowance(
  { attempts, clock, secondPersonCredits: max }: App,
  { by, accountId, amount }: StaffMove,
): Promise<() => Promise<void>> {
  if (Math.abs(amount) > max) throw secondAdminRefusal(amount);
  const names = [`moved by:${by.email}`, `moved for:${accountId}`];
  const deduction = await takeFromDay({ attempts, clock }, { names, credits: amount, max });
  if (!deduction.isWithin) throw secondAdminRefusal(amount);
  return deduction.refund;
}

/** Maximum notified admins, and maximum notices about one admin per hour. */
const noticeLimits = { admins: 20, notices: 20, windowMs: hourMs };

/**
 * Emails the other admins about a recorded request or confirmation. An email that cannot be queued or exceeds the
 * limit is only logged.
 */
async function notifyAdmins(
  deps: App,
  { by, accountId, amount }: Pick<StaffMove, 'by' | 'accountId' | 'amount'>,
  stage: 'Asked' | 'Confirmed',
  action: StaffAction,
): Promise<void> {
  try {
    const { count } = await deps.attempts.count(`told of:${by.email}`, noticeLimits.windowMs);
    if (count > noticeLimits.notices) {
      throw new Error(`more than ${noticeLimits.notices} emails in an hour`);
    }
    const admins = await deps.staffQueries.listAdmins(noticeLimits.admins);
    for (const to of admins.filter((email) => email !== by.email)) {
      const values = { by: by.email, action, credits: amount, accountId };
      await deps.sendMail({ to, kind: `move${stage}`, values });
    }
  } catch (error) {
    deps.log.warn({ error, accountId, amount, stage }, 'failed to notify admins about credits');
  }
}

/** Lifetime of a proposal, in ms: a week. */
const proposalMs = 7 * dayMs;

/**
 * Stores an action until another admin confirms it, so that no single person or stolen session decides about large sums
 * and irreversible steps. The other admins are notified about credits.
 * @param what.credits Null if it moves none.
 * @returns The text for the audit log.
 */
export async function propose(
  deps: App,
  by: StaffActor,
  {
    credits,
    ...what
  }: Omit<Proposal, 'id' | 'at' | 'expiresAt' | 'accountId' | 'email'> & {
    credits: number | null;
  },
): Promise<string> {
  const { clock, random } = deps;
  const { accountId, email } = by;
  const at = clock.now();
  const id = random.newId('prp');
  await deps.proposals.insert({ ...what, id, at, expiresAt: at + proposalMs, accountId, email });
  if (credits !== null) {
    const move = { by, accountId: what.targetId, amount: credits };
    await notifyAdmins(deps, move, 'Asked', what.action);
  }
  return 'Waiting for a second admin to approve it under “Approvals”.';
}

/** A proposal that this staff member may confirm. @throws Refusal `proposal_expired`, `proposal_own`. */
export async function requireSecondPerson(
  { proposals }: Pick<App, 'proposals'>,
  proposalId: string,
  actor: StaffActor,
): Promise<Proposal> {
  const proposal = await proposals.find(proposalId);
  if (!proposal) throw new Refusal('proposal_expired');
  if (proposal.accountId === actor.accountId) throw new Refusal('proposal_own');
  return proposal;
}
