import type { GenerationStore, RecentDuration } from '../../../application/ports/generations.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import { type Collections, shortReadMs } from '../collections.ts';
import { waitsForCodec } from '../models/generationParts.ts';
import { generationCodec } from '../models/generations.ts';
import { parseStoredGeneration } from './generationWrites.ts';

type Queries = Pick<
  GenerationStore,
  | 'findWaiting'
  | 'findNextParked'
  | 'findParkedCheckedBefore'
  | 'recordWaitsFor'
  | 'listRecentDurations'
  | 'listRouteDurations'
>;

/** Scheduling's queries over generations. */
export function createGenerationQueries({ generations }: Collections, clock: Clock): Queries {
  /** Start of the next page of parked generations, as a due time in ms. */
  let parkedFrom = 0;
  return {
    async findWaiting(accountId, limit) {
      const cursor = generations.find(
        // Not yet submitted to a provider.
        { waits: true, accountId, step: 'waiting', 'waitsFor.providers': null },
        { hint: 'waiting', sort: { createdAt: 1, _id: 1 }, limit, projection: { _id: 1 } },
      );
      return (await cursor.toArray()).map(({ _id }) => _id);
    },

    async findNextParked(provider, afterAccount) {
      const leaseUntil = { $lte: new Date(clock.now()) };
      const findNext = (accountId: { $gt: string } | { $lte: string }) =>
        generations.findOne(
          { waits: true, step: 'parked', 'waitsFor.providers': provider, accountId, leaseUntil },
          { hint: 'waiting', sort: { accountId: 1, createdAt: 1 }, projection: { accountId: 1 } },
        );
      const document =
        (await findNext({ $gt: afterAccount })) ?? (await findNext({ $lte: afterAccount }));
      return document && generationCodec.fromPart(document);
    },

    async findParkedCheckedBefore(checkedBefore, limit) {
      // By the index of unfinished generations, in which a parked one's due time is its deadline.
      const page = await generations
        .find(
          { open: true, providerSlot: null, step: 'parked', dueAt: { $gte: new Date(parkedFrom) } },
          {
            hint: 'unfinished',
            sort: { dueAt: 1 },
            limit,
            projection: { dueAt: 1, 'waitsFor.at': 1 },
          },
        )
        .toArray();
      const last = page.at(-1)?.dueAt.getTime() ?? 0;
      // If a page begins and ends with the same time, the next one begins after it.
      parkedFrom = page.length === limit ? Math.max(last, parkedFrom + 1) : 0;
      const outdated = page.filter(({ waitsFor }) => Number(waitsFor?.at) < checkedBefore);
      if (outdated.length === 0) return [];
      const cursor = generations.find(
        { _id: { $in: outdated.map(({ _id }) => _id) }, step: 'parked' },
        { projection: { prompt: 0, replay: 0, timeline: 0, responses: 0 } },
      );
      return (await cursor.toArray()).map((document) =>
        parseStoredGeneration({ ...document, prompt: '', replay: null, timeline: [] }),
      );
    },

    async recordWaitsFor(checked) {
      if (checked.length === 0) return;
      await generations.bulkWrite(
        checked.map(({ id, accountId, waitsFor }) => ({
          updateOne: {
            filter: { _id: id, accountId, step: 'parked' },
            update: { $set: { waitsFor: waitsForCodec.toStored(waitsFor) } },
          },
        })),
        { ordered: false },
      );
    },

    async listRecentDurations(sinceMs, limit) {
      const cursor = generations.aggregate<{ _id: string; ended: TimedGeneration[] }>(
        [
          ...newestCompleted(sinceMs),
          { $group: { _id: '$model', ended: { $firstN: { n: limit, input: endFields } } } },
        ],
        fromEnds,
      );
      return new Map(
        (await cursor.toArray()).map(({ _id, ended }) => [_id, ended.flatMap(durationIn)]),
      );
    },

    async listRouteDurations(modelId, sinceMs, limit) {
      const newest = await generations
        .aggregate<{ _id: string }>(
          [
            ...newestCompleted(sinceMs),
            { $match: { model: modelId } },
            { $limit: limit },
            { $project: { _id: 1 } },
          ],
          fromEnds,
        )
        .toArray();
      const ended = generations.find(
        { _id: { $in: newest.map(({ _id }) => _id) } },
        { projection: timedWithRoute },
      );
      return (await ended.toArray()).flatMap((document) => {
        const last = document.attempts.at(-1);
        if (!last) return [];
        return durationIn(document).map((each) => ({ ...each, route: modelBreakerKey(last) }));
      });
    },
  };
}

/** Number of ends read for all models; a model with too few of them uses the catalogue's duration. */
const maxEnds = 20_000;

/** The newest durations, read from the index alone. */
const newestCompleted = (sinceMs: number) => [
  { $match: { status: 'completed', endedAt: { $gte: new Date(sinceMs) } } },
  { $sort: { endedAt: -1 } },
  { $limit: maxEnds },
];
const fromEnds = { hint: 'ended', maxTimeMS: shortReadMs } as const;

interface TimedGeneration {
  startedAt: Date | null;
  endedAt: Date | null;
  parameters: RecentDuration['parameters'];
}

/** Fields of the index of ends. */
const endFields = {
  startedAt: '$startedAt',
  endedAt: '$endedAt',
  parameters: {
    resolution: '$parameters.resolution',
    duration_seconds: '$parameters.duration_seconds',
    n: '$parameters.n',
  },
} as const;

const timedWithRoute = {
  startedAt: 1,
  endedAt: 1,
  'parameters.resolution': 1,
  'parameters.duration_seconds': 1,
  'parameters.n': 1,
  'attempts.provider': 1,
  'attempts.model': 1,
} as const;

function durationIn({ startedAt, endedAt, parameters }: TimedGeneration): RecentDuration[] {
  if (startedAt === null || endedAt === null) return [];
  return [{ seconds: (endedAt.getTime() - startedAt.getTime()) / 1000, parameters }];
}
