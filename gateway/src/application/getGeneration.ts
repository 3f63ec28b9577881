import type * as wire from '@framegate/contract';
import { isId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Caller } from './authenticate.ts';
import { pollHintFor } from './pollHint.ts';
import type { Clock } from './ports/clock.ts';
import type { Database } from './ports/database.ts';
import type { DurationStats } from './ports/durationStats.ts';
import type { Random } from './ports/random.ts';
import { presentGeneration, type Addresses } from './presentGeneration.ts';

/**
 * Reads one generation of the caller's account, whichever channel made it. Never calls a provider,
 * never writes, never bills.
 * @throws Refusal `generation_not_found`, also for another account's.
 */
export async function getGeneration(
  deps: {
    database: Database;
    clock: Clock;
    random: Random;
    durations: DurationStats;
    addresses: Addresses;
  },
  caller: Pick<Caller, 'accountId'>,
  generationId: string,
): Promise<wire.GenerationRecord> {
  const view = isId('gen', generationId)
    ? await deps.database.generations.view(generationId)
    : null;
  if (view?.accountId !== caller.accountId) throw new Refusal('generation_not_found');
  return presentGeneration(view, deps.addresses, deps.clock.now(), pollHintFor(deps, view));
}
