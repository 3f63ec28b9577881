import type { GenerationOutput } from '../../../domain/generations/files.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { withPosters } from '../../../domain/generations/mediaFiles.ts';
import {
  isTimeForPosters,
  lackPosters,
  nextPosterTry,
} from '../../../domain/generations/missingPosters.ts';
import type { AppCore } from '../../app.ts';

/**
 * Makes the posters that a completed generation lacks because too many results came at once or the store failed.
 * @returns Its outputs with the current posters, and when to try again (null: no more); null if there is nothing to do.
 */
export async function makeMissingPosters(
  { posters, media, database }: Pick<AppCore, 'posters' | 'media'> & FindGeneration,
  generation: Generation,
  nowMs: number,
  signal: AbortSignal,
): Promise<{ outputs: GenerationOutput[]; nextAt: number | null } | null> {
  const { id, accountId, type, status, outputs, outputsRemovedAt, endedAt } = generation;
  if (status !== 'completed' || endedAt === null || !isTimeForPosters(endedAt, nowMs)) return null;
  if (outputsRemovedAt !== null || !posters.types.includes(type) || !lackPosters(outputs)) {
    return null;
  }
  const after: GenerationOutput[] = [];
  let isMissed = false;
  for (const output of outputs) {
    const result = output.hasPoster === true ? null : await posters.make(output.key, type, signal);
    if (result === 'missed') isMissed = true;
    after.push(result === 'made' ? { ...output, hasPoster: true } : output);
  }
  const current = await database.generations.find(id, accountId);
  if (current?.outputsRemovedAt === null) {
    return { outputs: after, nextAt: isMissed ? nextPosterTry(endedAt, nowMs) : null };
  }
  // The outputs have since been taken down or erased, and nothing else would remove these files.
  const keys = outputs.flatMap(({ key }) => withPosters(key));
  for (const key of keys) await media.delete(key);
  return null;
}

interface FindGeneration {
  database: { generations: Pick<AppCore['database']['generations'], 'find'> };
}
