import type { GenerationStore, RecentDuration } from '../../application/ports/generations.ts';
import type { Clock } from '../../application/ports/system.ts';
import { modelBreakerKey } from '../../domain/breaker.ts';
import type { Collections } from './collections.ts';
import { generationOf } from './generationWrites.ts';
import { waitsForCodec } from './models/generationParts.ts';
import { generationCodec } from './models/generations.ts';

type Queries = Pick<
  GenerationStore,
  | 'findWaiting'
  | 'nextParked'
  | 'findParkedCheckedBefore'
  | 'noteWaitsFor'
  | 'recentDurations'
  | 'routeDurations'
>;

/** The questions that scheduling asks of the generations. */
export function createGenerationQueries({ generations }: Collections, clock: Clock): Queries {
  return {
    async findWaiting(accountId, limit) {
      const found = generations.find(
        { waits: true, accountId, step: 'waiting' },
        { sort: { createdAt: 1, _id: 1 }, limit, projection: { _id: 1 } },
      );
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async nextParked(provider, afterAccount) {
      const leaseUntil = { $lte: new Date(clock.now()) };
      const next = (accountId: { $gt: string } | { $lte: string }) =>
        generations.findOne(
          { step: 'parked', 'waitsFor.providers': provider, accountId, leaseUntil },
          { sort: { accountId: 1, createdAt: 1 }, projection: { accountId: 1 } },
        );
      const found = (await next({ $gt: afterAccount })) ?? (await next({ $lte: afterAccount }));
      return found && generationCodec.fromPart(found);
    },

    async findParkedCheckedBefore(checkedBefore, limit) {
      const found = generations.find(
        // Never decided counts as before.
        { step: 'parked', 'waitsFor.at': { $not: { $gte: new Date(checkedBefore) } } },
        {
          sort: { 'waitsFor.at': 1 },
          limit,
          projection: { prompt: 0, replay: 0, timeline: 0, answers: 0 },
        },
      );
      return (await found.toArray()).map((document) =>
        generationOf({ ...document, prompt: '', replay: null, timeline: [] }),
      );
    },

    async noteWaitsFor(checked) {
      if (checked.length === 0) return;
      await generations.bulkWrite(
        checked.map(({ id, waitsFor }) => ({
          updateOne: {
            filter: { _id: id, step: 'parked' },
            update: { $set: { waitsFor: waitsForCodec.toStored(waitsFor) } },
          },
        })),
        { ordered: false },
      );
    },

    async recentDurations(modelId, sinceMs, limit) {
      const ended = generations.find(completedSince(modelId, sinceMs), {
        ...lastDurations,
        limit,
        projection: durationFields,
      });
      return (await ended.toArray()).flatMap(durationIn);
    },

    async routeDurations(modelId, sinceMs, limit) {
      const ended = generations.find(completedSince(modelId, sinceMs), {
        ...lastDurations,
        limit,
        projection: { ...durationFields, 'attempts.provider': 1, 'attempts.model': 1 },
      });
      return (await ended.toArray()).flatMap((document) => {
        const last = document.attempts.at(-1);
        if (!last) return [];
        return durationIn(document).map((each) => ({ ...each, route: modelBreakerKey(last) }));
      });
    },
  };
}

const completedSince = (model: string, sinceMs: number) =>
  ({ model, status: 'completed', endedAt: { $gte: new Date(sinceMs) } }) as const;

const lastDurations = { hint: 'durations', sort: { endedAt: -1 } } as const;

/** Fields that the index of durations has. */
const durationFields = {
  _id: 0,
  startedAt: 1,
  endedAt: 1,
  'parameters.resolution': 1,
  'parameters.duration_seconds': 1,
  'parameters.n': 1,
} as const;

function durationIn({
  startedAt,
  endedAt,
  parameters,
}: {
  startedAt: Date | null;
  endedAt: Date | null;
  parameters: RecentDuration['parameters'];
}): RecentDuration[] {
  if (startedAt === null || endedAt === null) return [];
  return [{ seconds: (endedAt.getTime() - startedAt.getTime()) / 1000, parameters }];
}
