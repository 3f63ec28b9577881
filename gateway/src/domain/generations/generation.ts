import type { GenerationFiles } from './files.ts';
import type { GenerationOrder } from './order.ts';
import type { GenerationRemovalTimes } from './removalTimes.ts';
import type { ProviderSlots } from './slots.ts';
import type { WallMarks } from './wall.ts';
import type { GenerationWork } from './work.ts';

/**
 * A generation. This record is authoritative; jobs only wake work up. Times in ms since the epoch in database time,
 * costs in credits.
 */
export interface Generation
  extends
    GenerationOrder,
    GenerationWork,
    ProviderSlots,
    GenerationFiles,
    GenerationRemovalTimes,
    WallMarks {}

/** The fields of a generation on which nobody has worked yet. */
export const untouched = {
  refundedCredits: 0,
  startedAt: null,
  endedAt: null,
  leaseUntil: 0,
  epoch: 0,
  providerSlot: null,
  outputsRemoveAt: null,
  outputsRemovedAt: null,
  tidyAt: null,
  failure: null,
} as const satisfies Partial<Generation>;

/** The fields of a generation that polls its provider need; few, because a process has thousands in memory. */
export const polledFields = [
  'id',
  'accountId',
  'epoch',
  'step',
  'type',
  'mode',
  'parameters',
  'inputs',
  'storedInputs',
  'attempts',
  'startedAt',
  'deadlineAt',
  'dueAt',
  'trace',
] as const satisfies (keyof Generation)[];

/** A generation reduced to the fields that its polls need. */
export type PolledGeneration = Pick<Generation, (typeof polledFields)[number]>;
