import type { Generation } from '../domain/generation.ts';
import { leaseMs, type WorkDeps } from './workDeps.ts';

/**
 * Works on a leased generation and prolongs the lease meanwhile. When the lease is lost the work is
 * aborted: somebody else has the generation by now, and our late writes miss by their epoch.
 */
export async function holdLease<T>(
  { database, log }: Pick<WorkDeps, 'database' | 'log'>,
  generation: Generation,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    database.generations.extendLease(generation, leaseMs).then(
      (kept) => {
        if (!kept) lost.abort(new Error(`the lease of ${generation.id} was lost`));
      },
      (error: unknown) => {
        log.warn({ generationId: generation.id, error }, 'a lease could not be prolonged');
      },
    );
  }, leaseMs / 3);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}
