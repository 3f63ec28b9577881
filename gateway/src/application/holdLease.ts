import type { Generation } from '../domain/generation.ts';
import type { WorkDeps } from './workDeps.ts';

/**
 * Works on a leased generation and prolongs the lease meanwhile. When the lease is lost the work is
 * aborted: somebody else has the generation by now, and our late writes miss by their epoch.
 */
export async function holdLease<T>(
  { database, log, timings }: Pick<WorkDeps, 'database' | 'log' | 'timings'>,
  generation: Generation,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    database.generations.extendLease(generation, timings.leaseMs).then(
      (kept) => {
        if (!kept) lost.abort(new Error(`the lease of ${generation.id} was lost`));
      },
      (error: unknown) => {
        log.warn({ generationId: generation.id, error }, 'a lease could not be prolonged');
      },
    );
  }, timings.leaseMs / 3);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}
