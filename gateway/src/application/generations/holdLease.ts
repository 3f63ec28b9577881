import type { Generation } from '../../domain/generation.ts';
import type { WorkDeps } from './workDeps.ts';
import { pause } from '../ports/timing.ts';

/**
 * Works on a leased generation and prolongs the lease meanwhile. When the lease is lost the work is
 * aborted: another process has the generation by now, and our late writes miss by their epoch. The lease
 * is not prolonged without end when the work hangs: it lapses a grace after the deadline, or two leases
 * after a start past the deadline, and another process ends the generation.
 */
export async function holdLease<T>(
  { database, clock, log, timings }: Pick<WorkDeps, 'database' | 'clock' | 'log' | 'timings'>,
  generation: Generation,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { leaseMs, deadlineGraceMs } = timings;
  const lateMs = Math.max(0, clock.now() - generation.deadlineAt);
  const graceMs = Math.max(deadlineGraceMs, lateMs + leaseMs) + leaseMs;
  const lost = new AbortController();
  const done = new AbortController();
  const prolong = async (): Promise<void> => {
    let waitMs = leaseMs / 3;
    for (;;) {
      await pause(waitMs, done.signal);
      if (done.signal.aborted) return;
      try {
        if (!(await database.generations.extendLease(generation, leaseMs, graceMs))) {
          lost.abort(new Error(`the lease of ${generation.id} was lost`));
          return;
        }
        waitMs = leaseMs / 3;
      } catch (error) {
        log.warn({ generationId: generation.id, error }, 'a lease could not be prolonged');
        // Soon again: a lapsed lease is still ours until another process takes it.
        waitMs = leaseMs / 30;
      }
    }
  };
  void prolong();
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    done.abort();
  }
}
