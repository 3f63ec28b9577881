import { Refusal } from '../domain/refusal.ts';
import type { Clock } from './ports/system.ts';

/**
 * Refuses work that writes times while the database's clock is wrong: nothing would mark them as wrong afterwards.
 * @throws Refusal `clock_wrong`.
 */
export function requireRightClock({ wrongClock }: Pick<Clock, 'wrongClock'>): void {
  if (wrongClock() === 'database') throw new Refusal('clock_wrong');
}
