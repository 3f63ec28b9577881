import type { Log } from '@framegate/contract';
import {
  DatabaseUnavailableError,
  DuplicateValueError,
} from '../../../application/ports/database.ts';
import type { Feed } from '../../../application/ports/operator.ts';
import { takeForPositions, type WithoutPosition } from '../../../domain/feed/feed.ts';
import { type FeedCounter, newestPoint, restorePoint } from '../../../domain/feed/feedEpochs.ts';
import {
  type Collections,
  isVersionConflict,
  shortReadMs,
  VersionConflictError,
} from '../collections.ts';
import { isDatabaseTrouble, retry } from '../errors.ts';
import { historyProjection } from '../generations/historyQueries.ts';
import { generationCodec } from '../models/generations.ts';
import { ledgerCodec } from '../models/ledger.ts';
import { operatorEventCodec } from '../models/operator.ts';
import type { RunTransaction } from '../transactions.ts';
import { createFeedCounter } from './feedCounter.ts';
import { findWithoutPosition, hint, sourcesOf } from './feedSources.ts';

/**
 * Maximum items of each kind that get positions in one transaction: usually more than a page has. After trouble the
 * next transaction is half as large, because the same one would run into the same time limit again.
 */
const positionedTogether = { max: 1_000, min: 125 };
/** Time limit for positioning new items while other readers do the same, in ms. */
const positionWithinMs = 4_000;
/** A position that a new primary could take back must not be seen. */
const certain = { readConcern: 'majority', maxTimeMS: shortReadMs } as const;

/**
 * The feed in MongoDB: entries of the ledger, ends of generations, and stored events. Items of different accounts
 * become visible in an order that no writer can know, so readers assign positions before they read. One transaction
 * takes a snapshot of the items without a position and gives them the next ones. All such transactions change the same
 * counter, so each begins after the one before was committed: a position is never visible before a lower
 * one (docs/adr/0022-feed-positions.md).
 */
export function createFeed(
  collections: Pick<Collections, 'ledger' | 'generations' | 'operatorEvents' | 'feeds'>,
  runTransaction: RunTransaction,
  log: Log,
): Feed {
  const { ledger, generations, operatorEvents } = collections;
  const sources = sourcesOf(collections);
  const counters = createFeedCounter(collections, log);
  let together = positionedTogether.max;

  /** Assigns positions to as many items as the last attempt: half after trouble, twice as many after success. */
  async function givePositions(): Promise<void> {
    const limit = together;
    try {
      await place(limit);
      together = Math.min(positionedTogether.max, 2 * limit);
    } catch (error) {
      // Another reader's success says nothing about the size.
      if (isDatabaseTrouble(error)) together = Math.max(positionedTogether.min, limit >> 1);
      throw error;
    }
  }

  /** Assigns the next positions. @throws VersionConflictError if another reader has assigned them. */
  const place = async (limit: number) => {
    const outcome: { counter?: FeedCounter; wasBehind?: boolean } = {};
    await runTransaction(async (options) => {
      const lists: WithoutPosition[][] = [];
      for (const source of sources) lists.push(await findWithoutPosition(source, limit, options));
      const items = takeForPositions(lists, limit);
      const isBehind = counters.isBehind(await counters.find(options));
      if (items.length === 0 && !isBehind) return;
      const counter = await counters.advance(items.length, options);
      Object.assign(outcome, { counter, wasBehind: isBehind });
      const { last } = counter;
      const first = last - items.length + 1;
      const placed = items.map(({ id, kind }, index) => ({ id, kind, position: first + index }));
      let matched = 0;
      for (const { kind, collection, withoutPosition } of sources) {
        const updates = placed
          .filter((each) => each.kind === kind)
          .map(({ id: _id, position }) => ({
            updateOne: { filter: { _id, ...withoutPosition }, update: { $set: { position } } },
          }));
        if (updates.length === 0) continue;
        matched += (await collection.bulkWrite(updates, options)).matchedCount;
      }
      if (matched < items.length) {
        throw new VersionConflictError('other entries were placed in the meantime');
      }
    });
    if (outcome.wasBehind) {
      const alert = { alert: 'database_set_back', lastBefore: counters.newestCounter().position };
      log.error(alert, 'database was rolled back without a recorded restore');
    }
    if (outcome.counter) counters.settle(outcome.counter);
  };

  async function hasWithoutPosition(): Promise<boolean> {
    const options = { hint, ...certain, projection: { _id: 1 } } as const;
    for (const { collection, withoutPosition } of sources) {
      if ((await collection.findOne(withoutPosition, options)) !== null) return true;
    }
    return false;
  }

  /**
   * Comes before each read, which then includes items positioned by concurrent readers. A quicker reader may not have
   * seen the newest items, so positioning is retried.
   * @returns The counter: all positions up to its last are assigned.
   */
  async function giveNewPositions(): Promise<FeedCounter> {
    const lacksPositions = await hasWithoutPosition();
    let counter = await counters.find(certain);
    if (lacksPositions || counters.isBehind(counter)) {
      await retry(givePositions, { on: isTransient, withinMs: positionWithinMs });
      counter = await counters.find(certain);
    }
    counters.record(counter);
    return counter;
  }

  /** Reads items and their counter. @throws DatabaseUnavailableError if the database was restored in the meantime. */
  async function findPositioned<Item>(find: (upTo: number) => Promise<Item[]>) {
    const counter = await giveNewPositions();
    const items = await find(counter.last);
    const isWhole =
      items.length === 0 ||
      restorePoint(await counters.find(certain), newestPoint(counter)) === null;
    if (!isWhole) throw new DatabaseUnavailableError('the database was restored during a read');
    return { counter, items };
  }

  async function findEntries(position: Range, limit: number) {
    const cursor = ledger.find(
      { position },
      { sort: { position: 1, _id: 1 }, limit, hint, ...certain },
    );
    return (await cursor.toArray()).map((document) => ({
      position: document.position ?? 0,
      entry: ledgerCodec.fromStored(document),
    }));
  }

  async function findEnds(range: Range, limit: number) {
    const cursor = generations.find(
      { open: false, position: range },
      {
        sort: { position: 1, accountId: 1, endNumber: 1 },
        limit,
        hint,
        ...certain,
        projection: { ...historyProjection, position: 1 },
      },
    );
    return (await cursor.toArray()).map(({ position, ...document }) => ({
      position: position ?? 0,
      ended: generationCodec.fromPart(document),
    }));
  }

  async function findEvents(position: Range, limit: number) {
    const sort = { position: 1, subject: 1, number: 1, sequence: 1 } as const;
    const cursor = operatorEvents.find({ position }, { sort, limit, hint, ...certain });
    return (await cursor.toArray()).map((document) => ({
      position: document.position ?? 0,
      event: operatorEventCodec.fromStored(document),
    }));
  }

  return {
    findEntries: (after, limit) =>
      findPositioned((upTo) => findEntries({ $gt: after, $lte: upTo }, limit)),
    findEvents: (after, limit) =>
      findPositioned(async (upTo) => {
        // Only some of these reads may see later positions.
        const range = { $gt: after, $lte: upTo };
        const ends = await findEnds(range, limit);
        const entries = await findEntries(range, limit);
        const events = await findEvents(range, limit);
        const items = [...entries, ...ends, ...events].toSorted((a, b) => a.position - b.position);
        return items.slice(0, limit);
      }),
    // A lagging server cannot answer this.
    confirmCounter: () => counters.find({ readConcern: 'linearizable', maxTimeMS: shortReadMs }),
    async beginEpoch() {
      let counter: FeedCounter | null = null;
      const begin = () =>
        runTransaction(async (options) => {
          counter = await counters.begin(options);
        });
      await retry(begin, { on: isTransient, withinMs: positionWithinMs });
      return counter;
    },
    newest: () => counters.newestCounter(),
    recallPoint: (point) => {
      counters.recallPoint(point);
    },
  };
}

/** A range of positions. */
interface Range {
  $gt: number;
  $lte: number;
}

/** Includes a duplicate: two readers may create the counter at the same time. */
const isTransient = (error: unknown) =>
  isVersionConflict(error) || isDatabaseTrouble(error) || error instanceof DuplicateValueError;
