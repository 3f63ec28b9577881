import { pause } from '@framegate/limits';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { AppCore } from '../../app.ts';

/** The lease under which a process works on a generation. */
export interface Lease {
  /** Aborted when the lease is lost and when the process stops. */
  signal: AbortSignal;
  /**
   * False once the lease may have expired, for example after the process was suspended: another process may have the
   * generation, or may have refunded it. Check immediately before calling a provider.
   */
  isHeld(): boolean;
}

type LeaseDeps = Pick<AppCore, 'database' | 'clock' | 'log' | 'timings'>;

/**
 * Works on a leased generation and renews the lease meanwhile. The work is aborted when the lease is lost: another
 * process has the generation by then, and our late writes miss by their epoch. Renewal has an end even if the work
 * hangs: the lease expires a grace after the deadline, or two leases after a start past the deadline, and another
 * process ends the generation.
 */
export async function holdLease<T>(
  { database, clock, log, timings }: LeaseDeps,
  generation: Generation,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const { leaseMs, deadlineGraceMs } = timings;
  const lateMs = Math.max(0, clock.now() - generation.deadlineAt);
  const graceMs = Math.max(deadlineGraceMs, lateMs + leaseMs) + leaseMs;
  const lost = new AbortController();
  const completion = new AbortController();
  let until = generation.leaseUntil;
  // Also measured by the monotonic counter: a clock that is set back must not lengthen a lease.
  let ends = performance.now() + Math.min(leaseMs, until - clock.now());
  const renew = async (): Promise<void> => {
    let waitMs = leaseMs / 3;
    for (;;) {
      await pause(waitMs, completion.signal);
      if (completion.signal.aborted) return;
      const [askedAt, askedAtCounter] = [clock.now(), performance.now()];
      try {
        if (!(await database.generations.renewLease(generation, leaseMs, graceMs))) {
          lost.abort(new Error(`the lease of ${generation.id} was lost`));
          return;
        }
        [until, ends] = [askedAt + leaseMs, askedAtCounter + leaseMs];
        waitMs = leaseMs / 3;
      } catch (error) {
        log.warn({ generationId: generation.id, error }, 'failed to renew a lease');
        // Retry soon: an expired lease is still ours until another process takes it.
        waitMs = leaseMs / 30;
      }
    }
  };
  void renew();
  const untilLost = AbortSignal.any([signal, lost.signal]);
  try {
    return await work({
      signal: untilLost,
      isHeld: () => !lost.signal.aborted && clock.now() < until && performance.now() < ends,
    });
  } finally {
    completion.abort();
  }
}
