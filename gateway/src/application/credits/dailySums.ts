import { dayMs } from '@framegate/contract';
import { dayNumberOf } from '../../domain/time/utcDay.ts';
import type { AttemptStore } from '../ports/site.ts';
import type { Clock } from '../ports/system.ts';

/** Credits taken from daily sums. */
export interface DailyDeduction {
  /** Whether every sum stays within the limit; if not, nothing is left counted. */
  isWithin: boolean;
  /** Credits that the fullest sum had left before. */
  left: number;
  /** Undoes the count if nothing was moved. */
  refund: () => Promise<void>;
}

/**
 * Adds credits to sums of the UTC day. Counts before comparing, so that one of two simultaneous requests sees the
 * other's sum. If the process dies between counting and moving, the count stays too high and refuses too early.
 * @param sums.names Names of the sums, without the day.
 * @param sums.credits Negative amounts count like positive ones.
 * @param sums.max The limit of each sum.
 */
export async function takeFromDay(
  { attempts, clock }: { attempts: Pick<AttemptStore, 'count'>; clock: Pick<Clock, 'now'> },
  { names, credits, max }: { names: readonly string[]; credits: number; max: number },
): Promise<DailyDeduction> {
  const day = dayNumberOf(clock.now());
  const amount = Math.abs(credits);
  const countedNames: string[] = [];
  const refund = async () => {
    for (const name of countedNames.splice(0)) await attempts.count(name, dayMs, -amount);
  };
  let left = max;
  for (const name of names.map((each) => `${each}:${day}`)) {
    countedNames.push(name);
    const { count } = await attempts.count(name, dayMs, amount);
    left = Math.min(left, max - count + amount);
    if (count <= max) continue;
    await refund();
    return { isWithin: false, left, refund };
  }
  return { isWithin: true, left, refund };
}
