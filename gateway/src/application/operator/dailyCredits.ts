import { dayMs } from '@framegate/contract';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { takeFromDay } from '../credits/dailySums.ts';
import { DuplicateValueError } from '../ports/database.ts';
import type { OperatorCall } from './operatorCall.ts';

type DailyDeps = Pick<App, 'attempts' | 'clock' | 'database' | 'operatorCreditsPerDay'>;

/**
 * Moves credits within the daily sum of an operator key, `OPERATOR_CREDITS_PER_DAY`: grants, adjustments in either
 * direction, and the monthly credits of plans. Without it, one stolen key could create unlimited credits. Refused
 * movements, and those booked before, do not count.
 * @param move.reference The ledger entry's reference, if it has one: an entry booked under it is answered again, also
 * when the sum is used up.
 * @param work Moves them.
 * @returns Something if they were booked before; undefined if they were moved now.
 * @throws Refusal `key_limit_reached` beyond the sum.
 */
export async function reserveDailyCredits(
  deps: DailyDeps,
  { key }: Pick<OperatorCall, 'key'>,
  { credits, reference }: { credits: number; reference?: string | undefined },
  work: () => Promise<object | undefined>,
): Promise<object | undefined> {
  if (reference !== undefined && (await deps.database.ledger.findByReference(reference))) {
    return work();
  }
  const { clock, operatorCreditsPerDay: max } = deps;
  const sums = { names: [`operator key:${key.id}`], credits, max };
  const deduction = await takeFromDay(deps, sums);
  if (!deduction.isWithin) {
    const restMs = dayMs - (clock.now() % dayMs);
    throw new Refusal('key_limit_reached', { retryAfterSeconds: Math.ceil(restMs / 1000) });
  }
  try {
    const before = await work();
    if (before !== undefined) await deduction.refund();
    return before;
  } catch (error) {
    if (isRefused(error)) await deduction.refund();
    throw error;
  }
}

const isRefused = (error: unknown) =>
  error instanceof Refusal || error instanceof DuplicateValueError;
