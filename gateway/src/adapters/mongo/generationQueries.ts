import type { mongo } from 'mongoose';
import type { GenerationStore, HistoryItem } from '../../application/ports/generationStore.ts';
import type { Generation } from '../../domain/generation.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toFields } from './documents.ts';
import { jobIdOf } from './jobStore.ts';
import { viewProjection } from './mergedReads.ts';

type Queries = Pick<
  GenerationStore,
  | 'findWaiting'
  | 'findParked'
  | 'countWithProviders'
  | 'countWithProvidersByAccount'
  | 'findNeglected'
  | 'findStarvedAccounts'
  | 'findWithoutJob'
  | 'findToTidy'
  | 'markTidied'
  | 'recentDurations'
  | 'history'
>;

/** All steps of unfinished generations, for the index that begins with the step. */
const steps = ['waiting', 'ready', 'parked', 'submitting', 'submitted'] as const;
const batch = 1000;

/** What customers are told, and nothing that only staff may see. */
const historyProjection = {
  ...viewProjection,
  channel: 1,
  keyId: 1,
  requestId: 1,
  mode: 1,
  prompt: 1,
};

const withProvider = { open: true, step: { $in: ['submitting', 'submitted'] } };

/** The questions that scheduling, healing and cleaning ask of the generations. */
export function createGenerationQueries(
  { generations, jobs }: Collections,
  session: mongo.ClientSession | undefined,
): Queries {
  const inSession = session ? { session } : {};
  const countBy = async (
    filter: Record<string, unknown>,
    by: unknown,
  ): Promise<Map<string, number>> => {
    const groups = generations.aggregate<{ _id: string; count: number }>(
      [{ $match: filter }, { $group: { _id: by, count: { $sum: 1 } } }],
      inSession,
    );
    return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
  };

  return {
    async findWaiting(accountId, limit) {
      const found = generations.find(
        { waits: true, accountId, step: 'waiting' },
        { ...inSession, sort: { createdAt: 1, _id: 1 }, limit, projection: { _id: 1 } },
      );
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async history(accountId, before, limit) {
      const found = generations.find(
        { accountId, ...(before !== null && { _id: { $lt: before } }) },
        { sort: { _id: -1 }, limit, projection: historyProjection },
      );
      return (await found.toArray()).map((document) => fromDocument<HistoryItem>(document));
    },

    async findParked(limit) {
      const found = generations.find(
        { waits: true, step: 'parked' },
        { sort: { createdAt: 1 }, limit, projection: { accountId: 1, model: 1, createdAt: 1 } },
      );
      return (await found.toArray()).map((document) =>
        fromDocument<{ id: string; accountId: string; model: string }>(document),
      );
    },

    countWithProviders: () => countBy(withProvider, { $last: '$attempts.provider' }),

    countWithProvidersByAccount: (accountIds) =>
      countBy({ ...withProvider, accountId: { $in: [...accountIds] } }, '$accountId'),

    async findNeglected(nowMs, dueBefore, limit) {
      const found = generations.find(
        {
          open: true,
          step: { $in: [...steps] },
          dueAt: { $lte: new Date(dueBefore) },
          leaseUntil: { $lte: new Date(nowMs) },
        },
        { limit, projection: { _id: 1 } },
      );
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async findStarvedAccounts(limit) {
      const waiting = await generations
        .aggregate<{ _id: string }>([
          { $match: { waits: true, step: 'waiting' } },
          { $group: { _id: '$accountId' } },
          { $limit: limit },
        ])
        .toArray();
      return waiting.map(({ _id }) => _id);
    },

    async findWithoutJob(beforeMs, limit) {
      const open = generations
        .find(
          { open: true, step: { $in: [...steps] } },
          { projection: { deadlineAt: 1, createdAt: 1 } },
        )
        .batchSize(batch);
      const lost: { id: string; deadlineAt: number }[] = [];
      let page: { id: string; deadlineAt: number; createdAt: number }[] = [];
      const check = async () => {
        const ids = page.map(({ id }) => jobIdOf(id));
        const found = jobs.find({ _id: { $in: ids } }, { projection: { _id: 1 } });
        const known = new Set((await found.toArray()).map(({ _id }) => String(_id)));
        lost.push(...page.filter(({ id }) => !known.has(String(jobIdOf(id)))));
        page = [];
      };
      for await (const document of open) {
        const each = fromDocument<(typeof page)[number]>(document);
        if (each.createdAt <= beforeMs) page.push(each);
        if (page.length === batch) await check();
        if (lost.length >= limit) break;
      }
      await check();
      return lost.slice(0, limit);
    },

    async findToTidy(nowMs, limit) {
      const due = generations.find(
        // From the epoch on, as the partial index says.
        { tidyAt: { $gt: new Date(0), $lte: new Date(nowMs) } },
        { limit },
      );
      return (await due.toArray()).map((document) => fromDocument<Generation>(document));
    },

    async markTidied(generationId, change) {
      await generations.updateOne({ _id: generationId }, { $set: toFields(change) });
    },

    async recentDurations(sinceMs, limit) {
      const ended = await generations
        .find(
          { endedAt: { $gte: new Date(sinceMs) } },
          {
            sort: { endedAt: -1 },
            limit,
            projection: { model: 1, status: 1, createdAt: 1, endedAt: 1 },
          },
        )
        .toArray();
      const seconds = new Map<string, number[]>();
      for (const document of ended) {
        const { model, status, createdAt, endedAt } = fromDocument<Generation>(document);
        if (status !== 'completed' || endedAt === null) continue;
        const known = seconds.get(model) ?? [];
        known.push((endedAt - createdAt) / 1000);
        seconds.set(model, known);
      }
      return seconds;
    },
  };
}
