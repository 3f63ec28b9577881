import type { mongo } from 'mongoose';
import { dayMs, minuteMs } from '@framegate/contract';
import type {
  ErasedSearch,
  ErasedSearchStore,
  SoughtErasure,
} from '../../../application/ports/erasure.ts';
import type { Clock } from '../../../application/ports/system.ts';
import {
  type CollectionName,
  collectionNames,
  type Collections,
  shortReadMs,
} from '../collections.ts';
import { ignoreDuplicate } from '../errors.ts';
import { erasureCodec } from '../models/erasures.ts';

/** Minimum time between the starts of two searches, in ms. */
const everyMs = dayMs;
/** Minimum time between an erasure's end and its search, in ms: other tasks remove expired files in the meantime. */
const settledMs = 10 * minuteMs;
/** Maximum people per search; the longest sought come first. */
const maxPeople = 20_000;
const pageSize = 200;

const id = 'erased';
const names = Object.keys(collectionNames) as CollectionName[];

/**
 * The fields that keep the id of an erased account as the pseudonym of its records. In any other field, and thus
 * anywhere in a new collection, the id is a trace.
 */
const pseudonyms: Partial<Record<CollectionName, readonly string[]>> = {
  // Includes its address, `{id}@erased.invalid`. The limits of former members stay with their keys, and former members
  // keep the team's id.
  accounts: ['_id', 'email', 'keys.madeBy.id', 'formerMembers.id', 'teams'],
  accountLookups: ['_id', 'accountId'],
  attempts: ['_id'],
  erasures: ['_id', 'person.email', 'person.teams'],
  generations: ['accountId', 'madeBy', 'monthCounted.memberId', 'replay.scope'],
  jobs: ['data.accountId'],
  ledger: ['_id', 'accountId', 'reference', 'reason'],
  operatorEvents: ['_id', 'subject', 'accountId'],
  operatorRequests: ['scope', 'accountId', 'body'],
  slots: ['lastAccount'],
  realPersonAudit: ['accountId'],
  references: ['_id', 'accountId'],
  sessions: ['actsFor'],
  staffAudit: ['accountId', 'targets', 'terms', 'reason', 'result'],
  staffProposals: ['targetId', 'fields', 'reason'],
};

/** The search for erased people: one pass over all collections for all of them, in pages by id. */
export function createErasedSearchStore(
  collections: Collections,
  clock: Pick<Clock, 'now'>,
): ErasedSearchStore {
  const { erasures, searches } = collections;
  const soughtFilter = { soughtUntil: { $gt: new Date(0) } };
  const first = (): ErasedSearch => ({
    startedAt: clock.now(),
    collection: names[0] ?? '',
    after: null,
  });
  return {
    async begin() {
      const last = await searches.findOne({ _id: id });
      if (last && last.finishedAt === null) {
        const { startedAt, collectionName, after } = last;
        return { startedAt: startedAt.getTime(), collection: collectionName, after };
      }
      if (last && clock.now() - last.startedAt.getTime() < everyMs) return null;
      if ((await erasures.findOne(soughtFilter, { projection: { _id: 1 } })) === null) return null;
      const search = first();
      const fields = {
        startedAt: new Date(search.startedAt),
        collectionName: search.collection,
        after: null,
        finishedAt: null,
      };
      const before = last && { finishedAt: last.finishedAt };
      const isBegun = await ignoreDuplicate(
        searches.updateOne({ _id: id, ...before }, { $set: fields }, { upsert: true }),
      );
      // Otherwise another process has started one in the meantime.
      return isBegun ? search : null;
    },

    async findSought({ startedAt }) {
      const documents = await erasures
        .find(
          {
            ...soughtFilter,
            $or: [
              { doneAt: { $lte: new Date(startedAt - settledMs) } },
              // The person was erased again in the meantime, because this search found something.
              { foundAt: { $gte: new Date(startedAt) } },
            ],
          },
          { sort: { soughtUntil: 1 }, hint: 'sought', limit: maxPeople, maxTimeMS: shortReadMs },
        )
        .toArray();
      return documents.map((each): SoughtErasure => erasureCodec.fromStored(each));
    },

    async loadPage(search) {
      const { collection, after } = search;
      const name = names.find((each) => each === collection);
      const searched = name && (collections[name] as unknown as mongo.Collection);
      const documents = searched
        ? await searched
            .find(after === null ? {} : { _id: { $gt: after as mongo.ObjectId } }, {
              sort: { _id: 1 },
              hint: '_id_',
              limit: pageSize,
              maxTimeMS: shortReadMs,
              readPreference: 'secondaryPreferred',
            })
            .toArray()
        : [];
      const last = documents.at(-1);
      if (last && documents.length === pageSize) {
        return { documents, next: { ...search, after: last._id } };
      }
      const following = names[names.findIndex((each) => each === collection) + 1];
      const next =
        following === undefined ? null : { ...search, collection: following, after: null };
      return { documents, next };
    },

    mayName: (collection, field) =>
      pseudonyms[collection as CollectionName]?.includes(field) === true,

    async recordFound(accountId) {
      await erasures.updateOne({ _id: accountId }, { $set: { foundAt: new Date(clock.now()) } });
    },

    async advance({ startedAt, collection, after }, next) {
      const at = new Date(startedAt);
      const now = new Date(clock.now());
      if (next === null) {
        // Runs before the end is recorded, and is safe to repeat.
        const clean = {
          ...soughtFilter,
          doneAt: { $lte: new Date(startedAt - settledMs) },
          $or: [{ foundAt: null }, { foundAt: { $lt: at } }],
        };
        await erasures.updateMany(clean, { $set: { checkedAt: now, person: null } });
        await erasures.updateMany(
          { ...clean, soughtUntil: { $gt: new Date(0), $lte: now } },
          { $set: { soughtUntil: null } },
        );
      }
      const result = await searches.updateOne(
        { _id: id, startedAt: at, collectionName: collection, after, finishedAt: null },
        {
          $set: next ? { collectionName: next.collection, after: next.after } : { finishedAt: now },
        },
      );
      return result.matchedCount === 1;
    },
  };
}
