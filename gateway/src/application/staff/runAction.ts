import { Refusal } from '../../domain/refusal.ts';
import { needsProof } from '../../domain/staff/staffProofs.ts';
import {
  mayDo,
  type OperatorAction,
  type StaffAction,
  type StaffRole,
} from '../../domain/staff/staffRights.ts';
import type { App } from '../app.ts';
import { UnknownOutcomeError } from '../credits/grantCredits.ts';
import { DuplicateValueError } from '../ports/database.ts';
import type { AuditLog } from '../ports/staff.ts';
import { auditEntry } from './auditEntry.ts';

/** The staff member and the request of an action. */
export interface StaffActor {
  accountId: string;
  email: string;
  role: StaffRole;
  requestId: string;
  address: string;
  /** Requires a proof of the person, given with this request. @throws Refusal */
  prove: () => Promise<void>;
}

/** An action about to be done. */
export interface PlannedAction {
  action: StaffAction;
  targets: string[];
  reason: string;
  /** The form, which takes effect once; null if repetition is harmless. */
  formId: string | null;
}

const maxReasonLength = 500;

/**
 * Performs an action of a staff member: checks the role, requires a proof of the person where the action needs one
 * (domain/staff/staffProofs.ts), and writes the audit entry before the action and its
 * outcome after it. The log thus records everything that is done; an action interrupted by a crash stays `begun`.
 * @param work Performs it and returns its result as a sentence.
 * @throws Refusal `role_lacks_right`, `form_sent_already`, `booking_unknown`, or that of the work.
 */
export async function runAction(
  deps: Pick<App, 'audit' | 'clock' | 'random'>,
  { prove, ...actor }: StaffActor,
  plan: PlannedAction,
  work: () => Promise<string>,
): Promise<string> {
  const isAllowed = mayDo(actor.role, plan.action);
  const { audit } = deps;
  const entry = auditEntry(deps, {
    ...actor,
    ...plan,
    reason: plan.reason.trim().slice(0, maxReasonLength),
    outcome: isAllowed ? 'begun' : 'refused',
    result: isAllowed ? '' : `The role ${actor.role} does not allow this.`,
  });
  try {
    await audit.begin(entry);
  } catch (error) {
    if (!(error instanceof DuplicateValueError)) throw error;
    throw new Refusal('form_sent_already');
  }
  if (!isAllowed) throw new Refusal('role_lacks_right');
  try {
    if (needsProof[plan.action]) await prove();
    const result = await work();
    await audit.finish(entry.id, 'done', result);
    return result;
  } catch (error) {
    const shownError =
      error instanceof UnknownOutcomeError ? new Refusal('booking_unknown') : error;
    const result =
      shownError instanceof Refusal ? shownError : 'Something went wrong; see the log.';
    await audit.finish(entry.id, error instanceof Refusal ? 'refused' : 'failed', result);
    throw shownError;
  }
}

/** Like `runAction`, for work that makes something besides the sentence for the audit log. */
export async function runActionForValue<T>(
  deps: Pick<App, 'audit' | 'clock' | 'random'>,
  actor: StaffActor,
  plan: PlannedAction,
  work: () => Promise<{ value: T; summary: string }>,
): Promise<T> {
  let value: T | undefined;
  await runAction(deps, actor, plan, async () => {
    const outcome = await work();
    value = outcome.value;
    return outcome.summary;
  });
  return value as T;
}

/** @throws Refusal `reason_missing`. */
export function requireReason(reason: string): string {
  if (reason.trim().length < 3) throw new Refusal('reason_missing');
  return reason.trim().slice(0, maxReasonLength);
}

/** Records an action that always succeeds: a sign-in, a sign-out, an enrolment. */
export async function recordAction(
  deps: Pick<App, 'audit' | 'clock' | 'random'>,
  actor: StaffActor,
  action: StaffAction,
): Promise<void> {
  const plan = { action, targets: [], reason: '', formId: null };
  await runAction(deps, actor, plan, async () => '');
}

/** Records an act of the first start in the operator's name. */
export async function recordOperator(
  deps: Pick<App, 'clock' | 'random'> & { audit: Pick<AuditLog, 'begin'> },
  action: OperatorAction,
  target: string,
  result: string,
): Promise<void> {
  const by = { accountId: 'operator', email: 'operator', role: 'operator' } as const;
  const from = { requestId: deps.random.newId('req'), address: 'this machine' };
  await deps.audit.begin(auditEntry(deps, { ...by, ...from, action, targets: [target], result }));
}
