import { dayMs } from '@framegate/contract';
import { startOfDayMs } from '../time/utcDay.ts';
import type { GenerationInput, GenerationOrder } from './order.ts';
import { refusedUntil } from './refusedResult.ts';
import type { GenerationRemovalTimes } from './removalTimes.ts';
import type { GenerationMoments, WorkState } from './work.ts';

/** Retention after a generation's end, in ms. */
export interface RetentionPeriods {
  inputsKeptMs: number;
  outputsKeptMs: number;
  promptsKeptMs: number;
}

/** The parts of an ended generation whose retention has ended. */
export interface DueRemovals {
  /** The input files and the queries of their URLs, which may hold a signature. */
  areInputsDue: boolean;
  /** The output files. */
  areOutputsDue: boolean;
  /** The raw files of a refused result. */
  isRefusedDue: boolean;
  /** The replayed response, whose removal frees its Idempotency-Key. */
  isReplayDue: boolean;
  /** The prompt and the rest of the inputs' URLs. */
  isPromptDue: boolean;
  /** The next removal, in ms since the epoch; null if nothing is left. */
  tidyAt: number | null;
}

/**
 * The parts of an ended generation that are due for removal by database time; once its owner has deleted it, all but
 * the replayed response. That response has its own retention, however long the files are kept: until it ends, its
 * Idempotency-Key must not buy twice. Without `replay`, the call for the next removal handles that part.
 */
export function dueRemovals(
  generation: Pick<GenerationMoments, 'endedAt'> &
    Pick<GenerationRemovalTimes, 'outputsRemoveAt' | 'deletedAt'> &
    Partial<Pick<GenerationOrder, 'replay'> & Pick<WorkState, 'attempts'>>,
  periods: RetentionPeriods,
  nowMs: number,
): DueRemovals {
  const { endedAt: ended, outputsRemoveAt, deletedAt = Infinity } = generation;
  const endedAt = ended ?? nowMs;
  const prompt = Math.min(deletedAt, endedAt + periods.promptsKeptMs);
  const refused = refusedUntil({ attempts: generation.attempts ?? [] });
  const times = {
    inputs: Math.min(deletedAt, endedAt + periods.inputsKeptMs),
    outputs: Math.min(deletedAt, outputsRemoveAt ?? endedAt + periods.outputsKeptMs),
    prompt,
    // They may reveal the prompt, so they never outlast it.
    ...(refused !== null && { refused: Math.min(prompt, refused) }),
    ...(generation.replay && { replay: generation.replay.keptUntil }),
  };
  const later = Object.values(times).filter((at) => at > nowMs);
  return {
    areInputsDue: times.inputs <= nowMs,
    areOutputsDue: times.outputs <= nowMs,
    isRefusedDue: times.refused !== undefined && times.refused <= nowMs,
    isReplayDue: times.replay !== undefined && times.replay <= nowMs,
    isPromptDue: times.prompt <= nowMs,
    tidyAt: later.length > 0 ? Math.min(...later) : null,
  };
}

/** How long before their removal customers are reminded of it, in ms. */
export const reminderMs = 2 * dayMs;

/** Whether files will soon be removed. @param removeAt In ms since the epoch; null for never. */
export const isRemovedSoon = (removeAt: number | null, nowMs: number): boolean =>
  removeAt !== null && removeAt - nowMs < reminderMs;

/** Shortest retention whose end is announced by email, in ms: all of a day's files then exist two days ahead. */
const minAnnouncedMs = reminderMs + dayMs;

/**
 * The day (UTC) whose deletions are announced today: the one in two days, so that a person has time to download.
 * @param keptMs How long files are kept.
 * @returns Its start and end; null for a retention that is too short to be announced.
 */
export function announcedDay(
  keptMs: number,
  nowMs: number,
): { from: number; until: number } | null {
  if (keptMs < minAnnouncedMs) return null;
  const from = startOfDayMs(nowMs) + reminderMs;
  return { from, until: from + dayMs };
}

/** The earlier of two times; null if there is none. */
export function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The input without the query of its URL, which may hold a signature. */
export function withoutQuery(input: GenerationInput): GenerationInput {
  return { ...input, url: input.url.replace(/\?.*$/s, '') };
}
