import pLimit from 'p-limit';
import { dayMs } from '@framegate/contract';
import { giveUpAfter } from '@framegate/limits';
import type { GenerationFiles } from '../../../domain/generations/files.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import {
  possibleArrivedKeys,
  possibleInputKeys,
  possibleOutputKeys,
} from '../../../domain/generations/mediaFiles.ts';
import { withoutQuotes } from '../../../domain/generations/quotesOfPrompt.ts';
import { refusedKeys } from '../../../domain/generations/refusedResult.ts';
import { dueRemovals, earliest, withoutQuery } from '../../../domain/generations/retention.ts';
import type { AppCore } from '../../app.ts';
import type { TidyChange, TidyLease, UpkeepStore } from '../../ports/upkeep.ts';
import { makeMissingPosters } from '../deliver/makeMissingPosters.ts';
import type { Timings } from '../timings.ts';

/** Generations leased at a time and processed in parallel. */
const maxLeased = 100;
const maxAtOnce = 20;

/** Retention of inputs after the end, in ms: 24 hours. */
export const inputsKeptMs = dayMs;

type TidyDeps = Pick<
  AppCore,
  'clock' | 'media' | 'log' | 'outputsKeptMs' | 'promptsKeptMs' | 'posters' | 'database'
> & {
  timings: Pick<Timings, 'removalMs'>;
  upkeep: Pick<UpkeepStore, 'acquireTidyLeases' | 'markTidied'>;
};

/**
 * Removes expired parts of ended generations until nothing is due or the signal stops it: inputs a day after the end,
 * outputs, kept files of refused results, the replayed response, and prompts with everything that may quote them. Files
 * are removed before the mark is written, so that none is forgotten. A generation whose files cannot be removed is left
 * alone for a while and delays no other. Also makes missing posters.
 * @param task Distinguishes parallel tasks.
 */
export async function tidyGenerations(
  deps: TidyDeps,
  signal: AbortSignal,
  task = 0,
): Promise<void> {
  const limit = pLimit(maxAtOnce);
  while (!signal.aborted) {
    const nowMs = deps.clock.now();
    const leases = await deps.upkeep.acquireTidyLeases(nowMs, maxLeased, task * maxLeased);
    const tidied: { lease: TidyLease; change: TidyChange }[] = [];
    const tryTidying = async (lease: TidyLease): Promise<void> => {
      if (signal.aborted) return;
      const { generation } = lease;
      try {
        tidied.push({ lease, change: await tidyOne(deps, generation, nowMs, signal) });
      } catch (error) {
        const generationId = generation.id;
        deps.log.warn({ generationId, error }, 'failed to remove files; retrying later');
      }
    };
    await Promise.all(leases.map((lease) => limit(tryTidying, lease)));
    await deps.upkeep.markTidied(tidied);
    if (leases.length === 0) return;
  }
}

/** Removes the due files of one generation. @returns The change to store. */
async function tidyOne(
  deps: TidyDeps,
  generation: Generation,
  nowMs: number,
  signal: AbortSignal,
): Promise<TidyChange> {
  const { media, outputsKeptMs, promptsKeptMs, timings } = deps;
  const { status, storedInputs, outputs, outputsRemovedAt, inputs } = generation;
  const periods = { inputsKeptMs, outputsKeptMs, promptsKeptMs };
  const removals = dueRemovals(generation, periods, nowMs);
  // Outputs are usually kept longer; if not, no process uses the inputs any more.
  const noInputs = removals.areInputsDue || removals.areOutputsDue;
  // A killed process may have stored files without recording them, so all possible files are removed.
  const files = [
    ...(noInputs && !hasRemovedInputs(generation)
      ? [...possibleInputKeys(generation), ...possibleArrivedKeys(generation)]
      : []),
    ...(removals.areOutputsDue || (noInputs && status === 'failed')
      ? possibleOutputKeys(generation)
      : []),
  ];
  const recorded = [
    ...(noInputs ? (storedInputs ?? []) : []),
    ...(removals.areOutputsDue ? outputs : []),
  ];
  const refused = refusedKeys(generation);
  const keys = new Set([...recorded.map(({ key }) => key), ...files, ...refused]);
  if (!removals.isRefusedDue) for (const key of refused) keys.delete(key);
  for (const key of keys) await giveUpAfter(timings.removalMs, media.delete(key));
  const drawn = await makeMissingPosters(deps, generation, nowMs, signal);
  return {
    ...(drawn && { outputs: drawn.outputs }),
    ...(noInputs && { storedInputs: [], inputs: inputs.map(withoutQuery) }),
    ...(removals.areOutputsDue && {
      // Staff may have taken them down earlier.
      outputsRemovedAt: outputsRemovedAt ?? (outputs.length > 0 ? nowMs : null),
    }),
    ...(removals.isReplayDue && { replay: null }),
    ...(removals.isPromptDue && withoutQuotes(generation)),
    tidyAt: earliest(removals.tidyAt, drawn?.nextAt ?? null),
  };
}

/** Whether an earlier run removed the inputs: it left an empty list, whatever the retention was at the time. */
const hasRemovedInputs = ({ storedInputs }: GenerationFiles) => storedInputs?.length === 0;
