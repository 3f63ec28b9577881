import type {
  GenerationLabel,
  GenerationStore,
  HistoryFilter,
  HistoryItem,
} from '../../application/ports/generations.ts';
import { firstIdAt } from '../../domain/ids.ts';
import { literalPattern } from '../../domain/foldText.ts';
import type { Collections } from './collections.ts';
import { fromDocument } from './documents.ts';
import { viewProjection } from './mergedReads.ts';
import { windowPage } from './pages.ts';

type Queries = Pick<GenerationStore, 'history' | 'searchHistory' | 'labels' | 'spending'>;

/** The fields that customers see, and none that only staff may see. */
const historyProjection = {
  ...viewProjection,
  channel: 1,
  keyId: 1,
  requestId: 1,
  mode: 1,
  prompt: 1,
};

/** Generations that one page of a search looks at. */
const window = 2_000;
const maxTimeMS = 5_000;

/** A sum as the database makes it. */
interface SpendingSum {
  _id: { day: Date; model: string; keyId: string | null };
  credits: number;
  count: number;
}

const newestFirst = { accountId: 1, _id: -1 } as const;

/** What customers' pages ask of their account's generations, by the index of its history. */
export function createHistoryQueries({ generations }: Collections): Queries {
  return {
    async history(accountId, before, limit) {
      const found = generations.find(
        { accountId, ...(before !== null && { _id: { $lt: before } }) },
        { sort: { _id: -1 }, limit, projection: historyProjection },
      );
      return (await found.toArray()).map((document) => fromDocument<HistoryItem>(document));
    },

    async searchHistory(accountId, filter, before, limit) {
      const { found, last } = await windowPage(generations, {
        match: { accountId, _id: idsOf(filter, before) },
        sort: newestFirst,
        hint: 'history',
        conditions: conditionsOf(filter),
        projection: historyProjection,
        window,
        limit,
      });
      const items = found.map((document) => fromDocument<HistoryItem>(document));
      return { items, older: last && fromDocument<HistoryItem>(last).id };
    },

    async labels(accountId, ids) {
      const found = generations.find(
        { _id: { $in: [...ids] }, accountId },
        { projection: { model: 1, prompt: 1, channel: 1, keyId: 1 } },
      );
      return (await found.toArray()).map((document) => fromDocument<GenerationLabel>(document));
    },

    async spending(accountId, sinceMs, limit) {
      const refunded = { $eq: ['$status', 'failed'] };
      const found = await generations
        .aggregate<SpendingSum>(
          [
            { $match: { accountId, _id: { $gte: firstIdAt('gen', sinceMs) } } },
            { $sort: newestFirst },
            { $limit: limit },
            {
              $group: {
                _id: {
                  day: { $dateTrunc: { date: '$createdAt', unit: 'day' } },
                  model: '$model',
                  keyId: '$keyId',
                },
                credits: { $sum: { $cond: [refunded, 0, '$costCredits'] } },
                count: { $sum: 1 },
              },
            },
          ],
          { hint: 'history', maxTimeMS },
        )
        .toArray();
      return found.map(({ _id, credits, count }) => ({
        ..._id,
        day: _id.day.getTime(),
        credits,
        count,
      }));
    },
  };
}

/** Ids begin with the time at which they were made, so that a day is a range of them. */
function idsOf({ from = 0, until }: HistoryFilter, before: string | null): Record<string, string> {
  const end = [until === undefined ? null : firstIdAt('gen', until), before]
    .filter((each) => each !== null)
    .sort()[0];
  return { $gte: firstIdAt('gen', from), ...(end !== undefined && { $lt: end }) };
}

function conditionsOf({ status, model, channel, keyId, text }: HistoryFilter): object {
  const given = { status, model, channel, keyId };
  const equal = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(equal),
    ...(text !== undefined && { prompt: { $regex: literalPattern(text), $options: 'i' } }),
  };
}
