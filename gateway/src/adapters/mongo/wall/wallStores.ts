import type { CollectionStore, ShareStore, WallStore } from '../../../application/ports/wall.ts';
import { reminderMs } from '../../../domain/generations/retention.ts';
import type { TeamLogEntry } from '../../../domain/teams/teamLog.ts';
import { promptRemoved } from '../accounts/erasureStore.ts';
import { appendToLog } from '../accounts/teamLogStore.ts';
import type { Collections, Models } from '../collections.ts';
import { isCollision, retry } from '../errors.ts';
import { parseStoredGeneration } from '../generations/generationWrites.ts';
import { collectionCodec, shareCodec } from '../models/wall.ts';
import { afterNowExpression, createRecords } from '../records.ts';
import type { InTransaction, RunTransaction } from '../transactions.ts';

/** More than an account can have: the use case limits their number. */
const maxOfAccount = 200;

/** The stores of collections, links and changes of generations. */
export function createWallStores({
  models,
  collections,
  runTransaction,
}: {
  models: Pick<Models, 'generationCollections' | 'shares'>;
  collections: Collections;
  runTransaction: RunTransaction;
}): { collections: CollectionStore; shares: ShareStore; wall: WallStore } {
  const runLogged = createRunLogged(collections, runTransaction);
  return {
    collections: createCollectionStore(models, collections, runLogged),
    shares: createShareStore(models, collections, runLogged),
    wall: createWallStore(collections, runLogged),
  };
}

/** Runs a change of generations, links or collections in one transaction with its entry in the log. */
type RunLogged = (
  statements: (options: InTransaction) => Promise<(TeamLogEntry & { accountId: string }) | null>,
) => Promise<void>;

/** How long to retry a change after collisions with other writes, in ms. */
const loggedWithinMs = 4_000;

function createRunLogged(
  collections: Pick<Collections, 'teamLog'>,
  runTransaction: RunTransaction,
): RunLogged {
  return (statements) =>
    retry(
      () =>
        runTransaction(async (options) => {
          const entry = await statements(options);
          if (entry) await appendToLog(collections, [entry], options);
        }),
      { on: isCollision, withinMs: loggedWithinMs },
    );
}

function createCollectionStore(
  { generationCollections }: Pick<Models, 'generationCollections'>,
  stored: Pick<Collections, 'generationCollections'>,
  runLogged: RunLogged,
): CollectionStore {
  const { insert, list, change } = createRecords(generationCollections, collectionCodec);
  return {
    insert,
    async listOfAccount(accountId) {
      const items = await list({ accountId }, { hint: 'account', limit: maxOfAccount });
      return items.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
    },
    async rename(accountId, id, name) {
      await change({ _id: id, accountId }, { $set: { name } });
    },
    remove: ({ id, accountId, name }, by) =>
      runLogged(async (options) => {
        const result = await stored.generationCollections.deleteOne(
          { _id: id, accountId },
          options,
        );
        if (result.deletedCount === 0) return null;
        return { ...by, accountId, act: 'collection deleted', name };
      }),
  };
}

/** Links to generations in MongoDB; a TTL index removes expired ones. */
function createShareStore(
  { shares }: Pick<Models, 'shares'>,
  stored: Pick<Collections, 'shares'>,
  runLogged: RunLogged,
): ShareStore {
  const { findOne, list } = createRecords(shares, shareCodec);
  const liveFilter = { $expr: afterNowExpression('expiresAt') };
  return {
    put: (share, by) =>
      runLogged(async (options) => {
        const { _id, ...fields } = shareCodec.toStored(share);
        await stored.shares.updateOne({ _id }, { $set: fields }, { ...options, upsert: true });
        return { ...by, accountId: share.accountId, act: 'published', generations: [_id] };
      }),
    find: (generationId) => findOne({ _id: generationId, ...liveFilter }),
    listOfAccount: (accountId, limit, before = null) =>
      list(
        { accountId, ...(before !== null && { _id: { $lt: before } }), ...liveFilter },
        { hint: 'account', sort: { _id: -1 }, limit },
      ),
    findByToken: (tokenHash) => findOne({ tokenHash, ...liveFilter }),
    remove: (accountId, generationIds, by) =>
      runLogged(async (options) => {
        const filter = {
          accountId,
          ...(generationIds !== 'all' && { _id: { $in: [...generationIds] } }),
        };
        const cursor = stored.shares.find(filter, { ...options, projection: { _id: 1 } });
        const generations = (await cursor.toArray()).map(({ _id }) => _id);
        if (generations.length === 0) return null;
        await stored.shares.deleteMany(filter, options);
        return { ...by, accountId, act: 'link revoked', generations };
      }),
  };
}

/** An owner's changes of generations in MongoDB. */
function createWallStore(
  { generations }: Pick<Collections, 'generations'>,
  runLogged: RunLogged,
): WallStore {
  const own = (accountId: string, ids: readonly string[]) =>
    ({ _id: { $in: [...ids] }, accountId, deletedAt: null }) as const;
  return {
    async setFavourite(accountId, ids, isOne, { outputsKeptMs, favouritesKeptMs }) {
      const fromEnd = (ms: number) => ({ $add: ['$endedAt', ms] });
      const soon = { $add: ['$$NOW', reminderMs] };
      const usual = { $max: [fromEnd(outputsKeptMs), soon] };
      const outputsRemoveAt = isOne
        ? { $max: ['$outputsRemoveAt', fromEnd(favouritesKeptMs)] }
        : { $min: ['$outputsRemoveAt', usual] };
      const filesExpression = { $gt: ['$outputsRemoveAt', '$$NOW'] };
      await generations.updateMany(own(accountId, ids), [
        isOne ? { $set: { isFavourite: true } } : { $unset: ['isFavourite' as const] },
        ...(favouritesKeptMs > outputsKeptMs
          ? [
              {
                $set: {
                  outputsRemoveAt: {
                    $cond: [filesExpression, outputsRemoveAt, '$outputsRemoveAt'],
                  },
                },
              },
            ]
          : []),
      ]);
    },
    async addTo(accountId, ids, { id, max }) {
      const roomFilter = { [`collectionIds.${max - 1}`]: { $exists: false } };
      await generations.updateMany(
        { ...own(accountId, ids), ...roomFilter },
        { $addToSet: { collectionIds: id } },
      );
    },
    async takeOut(accountId, ids, collectionId) {
      await generations.updateMany(own(accountId, ids), { $pull: { collectionIds: collectionId } });
    },
    async markDeleted(accountId, ids, by) {
      const deletedAt = new Date(by.at);
      let deletedIds: string[] = [];
      await runLogged(async (options) => {
        const ended = { ...own(accountId, ids), open: false } as const;
        const cursor = generations.find(ended, { ...options, projection: { _id: 1 } });
        deletedIds = (await cursor.toArray()).map(({ _id }) => _id);
        if (deletedIds.length === 0) return null;
        await generations.updateMany(
          { _id: { $in: deletedIds } },
          markedDeleted(deletedAt),
          options,
        );
        return { ...by, accountId, act: 'deleted', generations: deletedIds };
      });
      const marked = generations.find(
        { _id: { $in: deletedIds }, accountId },
        { projection: { responses: 0 } },
      );
      return (await marked.toArray()).map(parseStoredGeneration);
    },
  };
}

/** The stages that mark generations as deleted by their owner. */
function markedDeleted(deletedAt: Date) {
  return [
    ...promptRemoved(deletedAt),
    {
      $set: {
        deletedAt,
        tidyAt: deletedAt,
        outputsRemoveAt: {
          $cond: [{ $gt: [{ $size: '$outputs' }, 0] }, deletedAt, '$outputsRemoveAt'],
        },
        timeline: {
          $concatArrays: ['$timeline', [{ at: deletedAt, what: 'deleted by its owner' }]],
        },
      },
    },
    { $unset: ['isFavourite', 'collectionIds'] as const },
  ];
}
