import { Refusal } from '../domain/refusal.ts';
import type { Clock } from './ports/system.ts';

/**
 * Refuses what would write times while the database's clock is wrong: they would be taken for true afterwards.
 * @throws Refusal `clock_wrong`.
 */
export function requireRightClock({ wrongClock }: Pick<Clock, 'wrongClock'>): void {
  if (wrongClock() === 'database') throw new Refusal('clock_wrong');
}
