import type { Account } from '../../domain/accounts/account.ts';
import { hasPlan, monthsAfter, type Plan, planEndedAt } from '../../domain/credits/plan.ts';
import { grantMonth } from '../../domain/credits/planMonth.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import { type AccountChange, changeAccountById } from '../accounts/changeAccount.ts';
import type { AppCore } from '../app.ts';

type PlanDeps = Pick<AppCore, 'database' | 'clock' | 'random'>;

/** How far ahead a plan may start, in months. */
const maxMonthsAhead = 12;
/** Months granted in one round after an outage; the next round continues. */
const maxMonthsAtOnce = 60;

/**
 * Starts a plan. Its first credits come now, in the same transaction, or at `startsAt`; the next ones monthly.
 * @param command.startsAt In ms since the epoch; null for now.
 * @throws Refusal `plan_runs`, `plan_start_invalid`.
 */
export async function startPlan(
  deps: PlanDeps,
  command: { accountId: string; name: string; credits: number; startsAt: number | null },
): Promise<Plan> {
  const { accountId, name, credits, startsAt } = command;
  const nowMs = deps.clock.now();
  if (startsAt !== null && (startsAt <= nowMs || startsAt > monthsAfter(nowMs, maxMonthsAhead))) {
    throw new Refusal('plan_start_invalid', { values: { now: isoTime(nowMs) } });
  }
  const startedAt = startsAt ?? nowMs;
  const id = deps.random.newId('pln');
  const plan = { id, name, credits, startedAt, months: 0, nextAt: startedAt, endedAt: null };
  const ids = { lotId: deps.random.newId('lot'), requestId: deps.random.newId('req') };
  return changePlanOf(deps, accountId, (account) => {
    if (account.plan?.id === id) return { after: account };
    if (hasPlan(account)) throw new Refusal('plan_runs');
    const started = { ...account, plan };
    return grantMonth(started, nowMs, ids) ?? { after: started };
  });
}

/**
 * Changes the name or credits of a plan from the next month; the current month is unaffected.
 * @throws Refusal `plan_not_found`.
 */
export function changePlan(
  deps: Pick<PlanDeps, 'database'>,
  { accountId, ...change }: { accountId: string; name?: string; credits?: number },
): Promise<Plan> {
  return changePlanOf(deps, accountId, (account) => ({
    after: { ...account, plan: { ...requirePlan(account), ...change } },
  }));
}

/**
 * Ends a plan: it grants no further credits; credits already granted stay until they expire.
 * @throws Refusal `plan_not_found`.
 */
export function endPlan(
  { database, clock }: Pick<PlanDeps, 'database' | 'clock'>,
  accountId: string,
): Promise<Plan> {
  return changePlanOf({ database }, accountId, (account) => ({
    after: { ...account, plan: planEndedAt(requirePlan(account), clock.now()) },
  }));
}

function requirePlan(account: Account): Plan {
  if (account.plan && hasPlan(account)) return account.plan;
  throw new Refusal('plan_not_found');
}

async function changePlanOf(
  { database }: Pick<PlanDeps, 'database'>,
  accountId: string,
  decide: (account: Account) => AccountChange,
): Promise<Plan> {
  const { after } = await changeAccountById(database, accountId, decide);
  if (!after.plan) throw new Error('the changed plan is not in its account');
  return after.plan;
}

/** Grants the credits of all due months, each once, however many processes run it. */
export async function grantDueMonths(
  { database, clock, random }: PlanDeps,
  accountId: string,
): Promise<void> {
  for (let months = 0; months < maxMonthsAtOnce; months += 1) {
    const ids = { lotId: random.newId('lot'), requestId: random.newId('req') };
    const isGranted = await database.changeAccount(accountId, (account) => {
      const granted = grantMonth(account, clock.now(), ids);
      return granted ? { ...granted, result: true } : { after: account, result: false };
    });
    if (!isGranted) return;
  }
}
