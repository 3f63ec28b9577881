import type { InternalRefusalCode } from '../refusalCodes.ts';
import type { Attempt, RefusedFile } from './attempt.ts';
import { withPosters } from './mediaFiles.ts';
import type { GenerationRemovalTimes } from './removalTimes.ts';
import type { GenerationStatus, WorkState } from './work.ts';

/** Length of the kept beginning of a refused file, in bytes. */
export const headBytes = 64;

type WithAttempts = Pick<WorkState, 'attempts'>;

/** The attempt whose result was refused and kept; null without one. */
export const refusedAttempt = ({ attempts }: WithAttempts): Attempt | null =>
  attempts.findLast(({ refused }) => refused) ?? null;

/** When the kept files of a generation are due for removal, in ms since the epoch; null if none were kept. */
export function refusedUntil({ attempts }: WithAttempts): number | null {
  const times = attempts.flatMap(({ refused }) => (refused ? [refused.until] : []));
  return times.length === 0 ? null : Math.max(...times);
}

/** The keys of all kept files and of their previews. */
export function refusedKeys({ attempts }: WithAttempts): string[] {
  return attempts.flatMap(({ refused }) =>
    (refused?.files ?? []).flatMap(({ key }) => withPosters(key)),
  );
}

/** The files that are still there, by database time. */
export function keptFiles(
  { attempts, deletedAt }: WithAttempts & Pick<GenerationRemovalTimes, 'deletedAt'>,
  nowMs: number,
): RefusedFile[] {
  if (deletedAt !== undefined) return [];
  return attempts.flatMap(({ refused }) => (refused && refused.until > nowMs ? refused.files : []));
}

type ResultProblem = Extract<InternalRefusalCode, `result_${string}`>;

/** The keys of the files to deliver, or the code of the reason if there are none. */
export function deliverableKeys(
  generation: WithAttempts &
    Pick<GenerationStatus, 'status'> &
    Pick<GenerationRemovalTimes, 'deletedAt'>,
  nowMs: number,
): { ok: true; keys: string[] } | { ok: false; problem: ResultProblem } {
  const notDeliverable = (problem: ResultProblem) => ({ ok: false, problem }) as const;
  if (generation.status !== 'failed') return notDeliverable('result_not_failed');
  if (generation.deletedAt !== undefined) return notDeliverable('result_deleted');
  const until = refusedUntil(generation);
  if (until === null) return notDeliverable('result_not_kept');
  const files = keptFiles(generation, nowMs);
  if (files.length === 0) return notDeliverable('result_removed');
  const keys = files.flatMap(({ key, problem }) => (problem === undefined ? [key] : []));
  if (keys.length > 0) return { ok: true, keys };
  return notDeliverable('result_undeliverable');
}
