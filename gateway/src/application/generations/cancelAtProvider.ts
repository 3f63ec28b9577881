import type { Generation } from '../../domain/generation.ts';
import { giveUpAfter } from '../ports/timing.ts';
import type { WorkDeps } from './workDeps.ts';

/** How long a provider is waited for, in ms. */
const cancelWithinMs = 10_000;

/**
 * Asks the provider to stop working for a generation that has ended without its result, so that the operator
 * does not pay for it, and notes in the attempt what it said. To be called behind the end: the refund waits
 * for nothing. Best effort: it is tried once, and never throws.
 * @param generation As it was before its end.
 */
export async function cancelAtProvider(
  { routes, database, clock, log }: Pick<WorkDeps, 'routes' | 'database' | 'clock' | 'log'>,
  { id, attempts }: Pick<Generation, 'id' | 'attempts'>,
): Promise<void> {
  const attempt = attempts.at(-1);
  const { operation = null, provider = '', key } = attempt ?? {};
  if (!attempt || operation === null) return;
  try {
    const route = routes.find(provider, attempt.model, key);
    if (!route?.cancel) return;
    const limit = AbortSignal.timeout(cancelWithinMs);
    const result = await giveUpAfter(cancelWithinMs, route.cancel(operation, limit, key)).catch(
      (error: unknown) => ({ accepted: false, note: error instanceof Error ? error.message : '' }),
    );
    const cancel = { at: clock.now(), ...result };
    await database.generations.noteCancel(id, attempt.number, cancel);
    log.info(
      { generationId: id, provider, accepted: cancel.accepted },
      'a provider was asked to cancel a job',
    );
  } catch (error) {
    log.warn({ generationId: id, provider, error }, 'a job could not be cancelled');
  }
}
