import pLimit from 'p-limit';
import type { Generation } from '../../domain/generation.ts';
import {
  possibleArrivedKeys,
  possibleInputKeys,
  possibleOutputKeys,
} from '../../domain/mediaFiles.ts';
import { dueRemovals, withoutQuery } from '../../domain/retention.ts';
import type { TidyChange, TidyClaim, UpkeepStore } from '../ports/upkeep.ts';
import { giveUpAfter } from '../ports/concurrency.ts';
import type { WorkDeps } from './deps.ts';

/** Generations claimed at once, and how many of them are worked on at a time. */
const claimedAtOnce = 100;
const atOnce = 20;
/** Timeout for the removal of one file, in ms. */
const removalMs = 15_000;

/** How long inputs are kept after the end, in ms: 24 hours. */
export const inputsKeptMs = 24 * 3600 * 1000;

type TidyDeps = Pick<WorkDeps, 'clock' | 'media' | 'log' | 'outputsKeptMs' | 'promptsKeptMs'> & {
  upkeep: Pick<UpkeepStore, 'claimToTidy' | 'markTidied'>;
};

/**
 * Removes expired parts of ended generations until nothing is due or the signal ends it: inputs
 * a day after the end, outputs, the replayed answer, and prompts with what may quote them. Files
 * first, then the mark, so that none is forgotten. A generation whose files cannot be removed is left
 * alone for a while, and stops no other.
 * @param lane Tells lanes at work at one time apart.
 */
export async function tidyGenerations(
  deps: TidyDeps,
  signal: AbortSignal,
  lane = 0,
): Promise<void> {
  const limit = pLimit(atOnce);
  while (!signal.aborted) {
    const now = deps.clock.now();
    const claims = await deps.upkeep.claimToTidy(now, claimedAtOnce, lane * claimedAtOnce);
    const tidied: { claim: TidyClaim; change: TidyChange }[] = [];
    const attempt = async (claim: TidyClaim): Promise<void> => {
      if (signal.aborted) return;
      const { generation } = claim;
      try {
        tidied.push({ claim, change: await tidy(deps, generation, now) });
      } catch (error) {
        const generationId = generation.id;
        deps.log.warn({ generationId, error }, 'files could not be removed: tried again later');
      }
    };
    await Promise.all(claims.map((claim) => limit(attempt, claim)));
    await deps.upkeep.markTidied(tidied);
    if (claims.length === 0) return;
  }
}

/** Removes the files of one. @returns what is to be noted. */
async function tidy(
  { media, outputsKeptMs, promptsKeptMs }: TidyDeps,
  generation: Generation,
  now: number,
): Promise<TidyChange> {
  const { status, storedInputs, outputs, outputsDeletedAt, inputs, attempts } = generation;
  const kept = { inputsKeptMs, outputsKeptMs, promptsKeptMs };
  const due = dueRemovals(generation, kept, now);
  // Outputs are kept longer as a rule; where they are not, no process works with the inputs any more.
  const noInputs = due.inputs || due.outputs;
  // A killed process may have stored files without recording them: all that can be there are removed.
  // What was removed at an earlier time is not asked for again.
  const files = [
    ...(noInputs && isFirst(generation)
      ? [...possibleInputKeys(generation), ...possibleArrivedKeys(generation)]
      : []),
    ...(due.outputs || (noInputs && status === 'failed') ? possibleOutputKeys(generation) : []),
  ];
  const recorded = [...(noInputs ? (storedInputs ?? []) : []), ...(due.outputs ? outputs : [])];
  const keys = new Set([...recorded.map(({ key }) => key), ...files]);
  for (const key of keys) await giveUpAfter(removalMs, media.delete(key));
  return {
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
      attempts: attempts.map(({ cancel, ...attempt }) => ({
        ...attempt,
        note: null,
        ...(cancel && { cancel: { ...cancel, note: '' } }),
      })),
      answers: null,
    }),
    tidyAt: due.tidyAt,
  };
}

/** Whether nothing was removed yet: its inputs' time is the first, or the outputs' before it. */
const isFirst = ({ tidyAt, endedAt }: Generation) =>
  tidyAt === null || endedAt === null || tidyAt <= endedAt + inputsKeptMs;
