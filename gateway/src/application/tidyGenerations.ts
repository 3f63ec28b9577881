import type { Generation } from '../domain/generation.ts';
import type { WorkDeps } from './workDeps.ts';

const atMost = 200;

/** How long inputs are kept after the end, in ms: 24 hours (design section 7). */
export const inputsKeptMs = 24 * 3600 * 1000;

/**
 * Removes what has had its time of ended generations: inputs a day after the end, then outputs and the
 * replayed answer, which are kept equally long. Files first, then the mark, so that none is forgotten.
 */
export async function tidyGenerations(
  deps: Pick<WorkDeps, 'database' | 'clock' | 'media' | 'outputsKeptMs'>,
): Promise<void> {
  const now = deps.clock.now();
  for (const generation of await deps.database.generations.findToTidy(now, atMost)) {
    await tidy(deps, generation, now);
  }
}

async function tidy(
  { database, media, outputsKeptMs }: Pick<WorkDeps, 'database' | 'media' | 'outputsKeptMs'>,
  generation: Generation,
  now: number,
): Promise<void> {
  for (const { key } of generation.storedInputs ?? []) await media.delete(key);
  const endedAt = generation.endedAt ?? now;
  const outputsDeleteAt = generation.outputsDeleteAt ?? endedAt + outputsKeptMs;
  if (now < outputsDeleteAt) {
    const change = { storedInputs: null, tidyAt: outputsDeleteAt };
    await database.generations.markTidied(generation.id, change);
    return;
  }
  for (const { key } of generation.outputs) await media.delete(key);
  await database.generations.markTidied(generation.id, {
    storedInputs: null,
    outputsDeletedAt: generation.outputs.length > 0 ? now : null,
    replay: null,
    tidyAt: null,
  });
}
