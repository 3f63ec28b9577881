import { literalPattern } from '@framegate/contract';
import { mapInStretches } from '@framegate/limits';
import type { GenerationStore, HistoryFilter } from '../../../application/ports/generations.ts';
import { firstGenerationId } from '../../../domain/ids.ts';
import { type Collections, shortReadMs } from '../collections.ts';
import { viewProjection } from '../mergedReads.ts';
import { generationCodec, keptCredits, type StoredGeneration } from '../models/generations.ts';
import type { Filter } from '../models/statements.ts';
import { loadWindowPage } from './windowPage.ts';

type HistoryQueries = Pick<
  GenerationStore,
  'listNewest' | 'searchHistory' | 'findItems' | 'findLabels' | 'sumSpending'
>;

/** The fields visible to customers, without those only for staff. */
export const historyProjection = {
  ...viewProjection,
  channel: 1,
  keyId: 1,
  madeBy: 1,
  requestId: 1,
  mode: 1,
  prompt: 1,
  isFavourite: 1,
} as const;

/** Generations that one page of a search examines. */
const maxExamined = 1_000;
/** Time limit of a search, in ms: a slow pattern's time grows with the examined prompts and their lengths. */
const searchWithinMs = 500;

/** A sum as computed by the database. */
interface SpendingSum {
  _id: { day: Date; model: string; keyId: string | null };
  credits: number;
  count: number;
}

const newestFirst = { accountId: 1, _id: -1 } as const;

/** Queries of customers' pages for their account's generations, by the index of its history. */
export function createHistoryQueries({ generations }: Collections): HistoryQueries {
  const loadPage: HistoryQueries['searchHistory'] = async (accountId, filter, before, limit) => {
    const conditions = { deletedAt: null, ...conditionsOf(filter) };
    const { documents, last } = await loadWindowPage(generations, {
      ...rangeOf(accountId, filter, before),
      conditions,
      isUnselective: Object.keys(conditions).length === 1,
      projection: historyProjection,
      maxExamined,
      limit,
      maxTimeMS: searchWithinMs,
    });
    const items = await mapInStretches(documents, generationCodec.fromPart);
    return { items, older: last && last._id };
  };
  return {
    listNewest: async (accountId, limit) => (await loadPage(accountId, {}, null, limit)).items,
    searchHistory: loadPage,

    async findItems(accountId, ids) {
      const cursor = generations.find(
        { _id: { $in: [...ids] }, accountId, deletedAt: null },
        { sort: { _id: -1 }, projection: historyProjection },
      );
      return (await cursor.toArray()).map(generationCodec.fromPart);
    },

    async findLabels(accountId, ids) {
      const cursor = generations.find(
        { _id: { $in: [...ids] }, accountId },
        { projection: { model: 1, prompt: 1, channel: 1, keyId: 1, madeBy: 1, endedAt: 1 } },
      );
      return (await cursor.toArray()).map(generationCodec.fromPart);
    },

    async sumSpending(accountId, sinceMs, limit) {
      const rows = await generations
        .aggregate<SpendingSum>(
          [
            { $match: { accountId, _id: { $gte: firstGenerationId(sinceMs) } } },
            { $sort: newestFirst },
            { $limit: limit },
            {
              $group: {
                _id: {
                  day: { $dateTrunc: { date: '$createdAt', unit: 'day' } },
                  model: '$model',
                  keyId: '$keyId',
                },
                credits: { $sum: keptCredits },
                count: { $sum: 1 },
              },
            },
          ],
          { hint: 'history', maxTimeMS: shortReadMs },
        )
        .toArray();
      return rows.map(({ _id, credits, count }) => ({
        ..._id,
        day: _id.day.getTime(),
        credits,
        count,
      }));
    },
  };
}

/** The range of a history that a page reads, and its index: favourites and collections have their own. */
function rangeOf(accountId: string, filter: HistoryFilter, before: string | null) {
  const { isFavourite, collectionId } = filter;
  const _id = idsOf(filter, before);
  if (collectionId !== undefined) {
    const match = {
      collectionIds: collectionId,
      accountId,
      _id,
      ...(isFavourite && { isFavourite }),
    };
    // Not by `collectionIds`: an index of an array cannot provide the order.
    return { match, sort: { _id: -1 }, hint: 'collections' } as const;
  }
  const match = { accountId, _id, ...(isFavourite && { isFavourite }) };
  return { match, sort: newestFirst, hint: isFavourite ? 'favourites' : 'history' };
}

/** Ids begin with their creation time, so a day is a range of ids. */
function idsOf({ from = 0, until }: HistoryFilter, before: string | null): Record<string, string> {
  const end = [until === undefined ? null : firstGenerationId(until), before]
    .filter((each) => each !== null)
    .toSorted()[0];
  return { $gte: firstGenerationId(from), ...(end !== undefined && { $lt: end }) };
}

function conditionsOf({
  status,
  model,
  channel,
  keyId,
  madeBy,
  words = [],
}: HistoryFilter): Filter<StoredGeneration> {
  return {
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
    ...(channel !== undefined && { channel }),
    ...(keyId !== undefined && { keyId }),
    ...(madeBy !== undefined && { madeBy }),
    ...(words.length > 0 && {
      $and: words.map((word) => ({ prompt: { $regex: literalPattern(word), $options: 'i' } })),
    }),
  };
}
