import type { Clock } from '../../application/ports/system.ts';
import type { GenerationStore } from '../../application/ports/generations.ts';
import type { Generation } from '../../domain/generation.ts';
import type { Collections } from './collections.ts';
import { fromDocument, fromFields, toFields } from './documents.ts';

type Queries = Pick<
  GenerationStore,
  'findWaiting' | 'nextParked' | 'findParkedCheckedBefore' | 'noteWaitsFor' | 'recentDurations'
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
      const next = (accountId: object) =>
        generations.findOne(
          { step: 'parked', 'waitsFor.providers': provider, accountId, leaseUntil },
          { sort: { accountId: 1, createdAt: 1 }, projection: { accountId: 1 } },
        );
      const found = (await next({ $gt: afterAccount })) ?? (await next({ $lte: afterAccount }));
      return found && fromDocument<{ id: string; accountId: string }>(found);
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
      return (await found.toArray()).map((document) => ({
        ...fromDocument<Generation>(document),
        prompt: '',
        replay: null,
        timeline: [],
      }));
    },

    async noteWaitsFor(checked) {
      if (checked.length === 0) return;
      await generations.bulkWrite(
        checked.map(({ id, waitsFor }) => ({
          updateOne: {
            filter: { _id: id, step: 'parked' },
            update: { $set: toFields({ waitsFor }) },
          },
        })),
        { ordered: false },
      );
    },

    async recentDurations(modelId, sinceMs, limit) {
      const ended = generations.find(
        { model: modelId, status: 'completed', endedAt: { $gte: new Date(sinceMs) } },
        {
          hint: 'durations',
          sort: { endedAt: -1 },
          limit,
          projection: {
            _id: 0,
            startedAt: 1,
            endedAt: 1,
            'parameters.resolution': 1,
            'parameters.duration_seconds': 1,
            'parameters.n': 1,
          },
        },
      );
      return (await ended.toArray()).flatMap((document) => {
        const { startedAt, endedAt, parameters } = fromFields<Generation>(document);
        if (startedAt === null || endedAt === null) return [];
        return [{ seconds: (endedAt - startedAt) / 1000, parameters }];
      });
    },
  };
}
