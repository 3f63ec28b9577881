import { randomUUID } from 'node:crypto';
import type { Log } from '@framegate/contract';
import {
  advance,
  beginEpoch,
  emptyCounter,
  type FeedCounter,
  type FeedPoint,
  feedStart,
  isEpochUnused,
  isSetBack,
  newestPoint,
  restorePoint,
} from '../../../domain/feed/feedEpochs.ts';
import { type Collections, VersionConflictError } from '../collections.ts';
import type { InTransaction } from '../transactions.ts';

const counterId = 'feed';
const newId = () => randomUUID().replaceAll('-', '').slice(0, 12);

/**
 * The feed counter in MongoDB, and the newest feed point that this process knows. Reads may come from a lagging server;
 * a writing transaction then fails with a conflict.
 */
export function createFeedCounter({ feeds }: Pick<Collections, 'feeds'>, log: Log) {
  let newestSeen: FeedPoint = feedStart;

  const findCounter = async (options: object): Promise<FeedCounter> =>
    (await feeds.findOne({ _id: counterId }, options)) ?? emptyCounter;

  async function write(before: FeedCounter, after: FeedCounter, options: InTransaction) {
    const fields = { last: after.last, epochs: [...after.epochs] };
    if (before === emptyCounter) {
      await feeds.insertOne({ _id: counterId, ...fields }, options);
      return;
    }
    const filter = { _id: counterId, last: before.last };
    const { matchedCount } = await feeds.updateOne(filter, { $set: fields }, options);
    if (matchedCount === 0) throw new VersionConflictError('the counter of the feed has changed');
  }

  /** Accepts a majority-committed counter that no other server contradicts. */
  function settle(counter: FeedCounter): void {
    const restoredPoint = restorePoint(counter, newestSeen);
    if (restoredPoint !== null) {
      const fields = { lastBefore: newestSeen.position, restoredTo: restoredPoint.position };
      log.warn(fields, 'database was restored; feed followers will read again from that position');
    }
    newestSeen = newestPoint(counter);
  }

  return {
    find: findCounter,
    settle,
    newestCounter: () => newestSeen,
    isBehind: (counter: FeedCounter) => isSetBack(counter, newestSeen),
    /** Records a counter, unless it is behind the known one. */
    record(counter: FeedCounter): void {
      if (!isSetBack(counter, newestSeen)) settle(counter);
    },
    /** Adopts the point stored by another process, unless this one already has its own. */
    recallPoint(point: FeedPoint): void {
      if (newestSeen.epoch === null) newestSeen = point;
    },
    /** Assigns the next positions; first begins an epoch if a restore has set the counter back. */
    async advance(count: number, options: InTransaction): Promise<FeedCounter> {
      const before = await findCounter(options);
      const after = advance(before, { count, knownPoint: newestSeen, newId });
      if (after !== before) await write(before, after, options);
      return after;
    },
    /** Begins an epoch. @returns Null, without a write, if the newest one was begun by a restore and is unused. */
    async begin(options: InTransaction): Promise<FeedCounter | null> {
      const before = await findCounter(options);
      if (isEpochUnused(before) && !isSetBack(before, newestSeen)) return null;
      const first = before.epochs.length > 0 ? before : beginEpoch(before, newId());
      const after = beginEpoch(first, newId());
      await write(before, after, options);
      return after;
    },
  };
}
