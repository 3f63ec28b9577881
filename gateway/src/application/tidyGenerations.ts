import type { Generation } from '../domain/generation.ts';
import { possibleInputKeys, possibleOutputKeys } from '../domain/mediaFiles.ts';
import { dueRemovals, withoutQuery } from '../domain/retention.ts';
import type { WorkDeps } from './workDeps.ts';

const atMost = 200;

/** How long inputs are kept after the end, in ms: 24 hours (design section 7). */
export const inputsKeptMs = 24 * 3600 * 1000;

type TidyDeps = Pick<WorkDeps, 'database' | 'clock' | 'media' | 'outputsKeptMs' | 'promptsKeptMs'>;

/**
 * Removes what has had its time of ended generations: inputs a day after the end, outputs, the replayed
 * answer, and prompts with what may quote them. Files first, then the mark, so that none is forgotten.
 */
export async function tidyGenerations(deps: TidyDeps): Promise<void> {
  const now = deps.clock.now();
  for (const generation of await deps.database.generations.findToTidy(now, atMost)) {
    await tidy(deps, generation, now);
  }
}

async function tidy(
  { database, media, outputsKeptMs, promptsKeptMs }: TidyDeps,
  generation: Generation,
  now: number,
): Promise<void> {
  const { status, storedInputs, outputs, outputsDeletedAt, inputs, attempts } = generation;
  const kept = { inputsKeptMs, outputsKeptMs, promptsKeptMs };
  const due = dueRemovals(generation, kept, now);
  // Outputs are kept longer as a rule; where they are not, nobody works with the inputs any more.
  const noInputs = due.inputs || due.outputs;
  // A killed process may have stored files without recording them: all that can be there are removed.
  // What was removed at an earlier time is not asked for again.
  const files = [
    ...(noInputs && isFirst(generation) ? possibleInputKeys(generation) : []),
    ...(due.outputs || (noInputs && status === 'failed') ? possibleOutputKeys(generation) : []),
  ];
  const recorded = [...(noInputs ? (storedInputs ?? []) : []), ...(due.outputs ? outputs : [])];
  for (const key of new Set([...recorded.map(({ key }) => key), ...files])) await media.delete(key);
  await database.generations.markTidied(generation.id, {
    ...(noInputs && { storedInputs: null, inputs: inputs.map(withoutQuery) }),
    ...(due.outputs && {
      // Staff may have taken them down before.
      outputsDeletedAt: outputsDeletedAt ?? (outputs.length > 0 ? now : null),
    }),
    ...(due.replay && { replay: null }),
    ...(due.prompt && {
      prompt: '',
      inputs: inputs.map((input) => ({ ...input, url: '' })),
      // A provider's own words and answers may quote the prompt.
      attempts: attempts.map((attempt) => ({ ...attempt, note: null })),
      answers: null,
    }),
    tidyAt: due.tidyAt,
  });
}

/** Whether nothing was removed yet: its inputs' time is the first, or the outputs' before it. */
const isFirst = ({ tidyAt, endedAt }: Generation) =>
  tidyAt === null || endedAt === null || tidyAt <= endedAt + inputsKeptMs;
