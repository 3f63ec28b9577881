import { pause } from '@framegate/limits';
import { isUnordered } from '../../../domain/generations/phase.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { AppCore } from '../../app.ts';
import { StaleWriteError } from '../../ports/database.ts';
import { endGeneration } from './endGeneration.ts';

/** Workers hold a waiting generation only briefly; one that is being started stays held. */
const maxAttempts = 4;
const pauseMs = 250;

/**
 * Ends a generation that no provider has, for its owner, and refunds it immediately. It takes no lease: the end is
 * written only while the generation is unchanged since the read and no process holds it, so it is either cancelled or
 * started, never both.
 * @throws Refusal `generation_started`, `generation_ended`.
 */
export async function cancelGeneration(deps: AppCore, generationId: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const generation = await deps.database.generations.find(generationId);
    if (!generation || generation.step === 'ended') throw new Refusal('generation_ended');
    if (!isUnordered(generation)) throw new Refusal('generation_started');
    try {
      await endGeneration(deps, generation, {
        status: 'failed',
        failure: { code: 'capacity_exceeded', wasCancelled: true },
        note: 'cancelled by its owner',
        mustBeUnheld: true,
      });
      return;
    } catch (error) {
      if (!(error instanceof StaleWriteError)) throw error;
      if (attempt === maxAttempts) throw new Refusal('generation_started');
      await pause(pauseMs);
    }
  }
}
