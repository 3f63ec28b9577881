import { hourMs } from '@framegate/contract';
import type { Clock } from '../../../application/ports/system.ts';
import type { Shard, UpkeepStore } from '../../../application/ports/upkeep.ts';
import { maxAheadMs } from '../../../domain/time/furthestTimes.ts';
import { listAccountsToErase } from '../accounts/accountLookups.ts';
import { type Collections, listPages } from '../collections.ts';
import { releasedNow } from '../jobs/releaseLeases.ts';
import { generationCodec } from '../models/generations.ts';
import { upkeepRoundCodec } from '../models/processes.ts';
import { tidyLeases } from './tidyLeases.ts';

/** Steps that need a worker; `submitted` generations are polled. */
const steps = ['waiting', 'ready', 'parked', 'submitting', 'submitted'] as const;
/** Maximum generations of each kind per round whose times are too far ahead. */
const maxAhead = 1_000;

/** Interval of the search for lots that expire within days, in ms: an hour does not matter. */
const expiringEveryMs = hourMs;

/** The characters of an id's random part; the last one determines the shard. */
const characters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ids of one shard; the last shard also has ids that end in another character. */
function inShard({ index, count }: Shard): { _id: { $regex: RegExp } } | Record<string, never> {
  if (count === 1) return {};
  const size = characters.length / count;
  const own = characters.slice(index * size, (index + 1) * size);
  const before = characters.slice(0, index * size);
  return { _id: { $regex: index === count - 1 ? RegExp(`[^${before}]$`) : RegExp(`[${own}]$`) } };
}

/** Upkeep's reads and notes in the database. */
export function createUpkeepStore(
  { generations, accounts, accountLookups, upkeepRounds }: Collections,
  clock: Pick<Clock, 'now'>,
): UpkeepStore {
  /** Time of each shard's last search for lots that expire soon, by the monotonic clock. */
  const askedAt = new Map<number, number>();
  return {
    listStarvedAccounts: (shard, running) =>
      listPages(
        accounts.find(
          {
            waiting: { $gt: 0 },
            ...inShard(shard),
            $expr: { $lt: ['$running', { $ifNull: ['$limits.running', running] }] },
          },
          { hint: 'waitingIds', projection: { _id: 1 } },
        ),
      ),

    listAccountsWithExpiredLots: (shard, nowMs) =>
      listPages(
        accounts.find(
          { nextExpiryAt: { $gt: new Date(0), $lte: new Date(nowMs) }, ...inShard(shard) },
          { hint: 'nextExpiry', projection: { _id: 1 } },
        ),
      ),

    listAccountsToErase: (nowMs) => listAccountsToErase({ accountLookups }, nowMs),

    listAccountsWithDuePlans: (shard, nowMs) =>
      listPages(
        accounts.find(
          { 'plan.nextAt': { $gt: new Date(0), $lte: new Date(nowMs) }, ...inShard(shard) },
          { hint: 'planDue', projection: { _id: 1 } },
        ),
      ),

    async *listAccountsWithExpiringLots(shard, untilMs) {
      const last = askedAt.get(shard.index) ?? -Infinity;
      if (performance.now() - last < expiringEveryMs) return;
      const until = new Date(untilMs);
      const newsExpression = {
        $and: [
          { $gt: ['$$this.remaining', 0] },
          { $gt: ['$$this.expiresAt', '$$NOW'] },
          { $gt: ['$$this.expiresAt', '$expiryNotifiedUntil'] },
          { $lte: ['$$this.expiresAt', until] },
        ],
      };
      const news = { $filter: { input: '$lots', cond: newsExpression } };
      yield* listPages(
        accounts.find(
          {
            nextExpiryAt: { $gt: new Date(0), $lte: until },
            ...inShard(shard),
            $expr: { $gt: [{ $size: news }, 0] },
          },
          { hint: 'nextExpiry', projection: { _id: 1 } },
        ),
      );
      askedAt.set(shard.index, performance.now());
    },

    async findNeglected(shard, dueFrom, dueBefore, limit) {
      const before = new Date(dueBefore);
      const cursor = generations.find(
        {
          open: true,
          step: { $in: [...steps] },
          dueAt: { $gte: new Date(dueFrom), $lte: before },
          leaseUntil: { $lte: new Date(clock.now()) },
          $or: [{ step: { $ne: 'submitted' } }, { deadlineAt: { $lte: before } }],
          ...inShard(shard),
        },
        { hint: 'unfinished', sort: { dueAt: 1 }, limit, projection: { dueAt: 1 } },
      );
      return (await cursor.toArray()).map(generationCodec.fromPart);
    },

    async findAhead(nowMs, { held, poll }) {
      const after = (ms: number) => ({ $gt: new Date(nowMs + ms) });
      const options = {
        hint: 'unfinished',
        limit: maxAhead,
        projection: { accountId: 1, epoch: 1, dueAt: 1 },
      } as const;
      const looked = generations.find(
        { open: true, step: 'submitted', dueAt: after(poll) },
        options,
      );
      const worked = generations.find(
        {
          open: true,
          step: { $in: ['ready', 'submitting'] },
          dueAt: after(held),
          $or: [{ leaseUntil: after(held) }, { dueAt: after(maxAheadMs.turn) }],
        },
        options,
      );
      const documents = [...(await looked.toArray()), ...(await worked.toArray())];
      return documents.map(generationCodec.fromPart);
    },

    async bringForward(ahead) {
      if (ahead.length === 0) return 0;
      const moved = await generations.bulkWrite(
        ahead.map(({ id, accountId, epoch, dueAt }) => ({
          updateOne: {
            filter: { _id: id, accountId, open: true, epoch, dueAt: new Date(dueAt) },
            update: releasedNow,
          },
        })),
        { ordered: false },
      );
      return moved.modifiedCount;
    },

    openIds: (shard, skip, limit) =>
      listPages(
        generations.find(
          { open: true, ...inShard(shard) },
          { hint: 'unfinished', skip, limit, projection: { _id: 1 } },
        ),
      ),

    async findOpen(ids) {
      const cursor = generations.find(
        { _id: { $in: [...ids] }, open: true },
        { projection: { accountId: 1, step: 1, dueAt: 1, deadlineAt: 1 } },
      );
      return (await cursor.toArray()).map(generationCodec.fromPart);
    },

    ...tidyLeases({ generations }),

    async recordRound(task, shard) {
      await upkeepRounds.updateOne(
        { _id: `${task} ${shard}` },
        [{ $set: { task, shard, finishedAt: '$$NOW' } }],
        { upsert: true },
      );
    },

    async listRounds() {
      const documents = await upkeepRounds.find({}).toArray();
      return documents.map(upkeepRoundCodec.fromStored);
    },
  };
}
