import type { mongo } from 'mongoose';
import type { Feed } from '../../application/ports/operator.ts';
import { DuplicateValue } from '../../application/ports/database.ts';
import { cutToPlace, type Unplaced } from '../../domain/feed.ts';
import { VersionConflict, isVersionConflict, type Collections } from './collections.ts';
import { isDatabaseTrouble, retry } from './errors.ts';
import { historyProjection } from './historyQueries.ts';
import { generationCodec } from './models/generations.ts';
import { ledgerCodec } from './models/ledger.ts';
import { operatorEventCodec } from './models/operator.ts';
import type { InTransaction, RunTransaction } from './transactions.ts';

/**
 * Things of each kind that get their positions in one transaction: usually more than a page has. A transaction that met
 * trouble is followed by one of half its size, because the same would run into the same limit of time again.
 */
const placedTogether = { most: 1_000, least: 125 };
/** How long a page tries to place new things while other readers do the same, in ms. */
const placeWithinMs = 4_000;
/** A position that a new primary could take back must not be seen. */
const certain = { readConcern: 'majority', maxTimeMS: 5_000 } as const;
const hint = 'feed';

/** One kind of things, each in its own collection with an index that has those without a position first. */
interface Source {
  kind: Unplaced['kind'];
  collection: mongo.Collection<{ _id: string }>;
  /** Those without a position. */
  unplaced: mongo.Filter<{ _id: string }>;
  sort: Record<string, 1>;
  /** The fields that say where it belongs, by their names in the collection. */
  subject: string;
  number: string;
  order?: string;
}

function sourcesOf({
  ledger,
  generations,
  operatorEvents,
}: Pick<Collections, 'ledger' | 'generations' | 'operatorEvents'>): Source[] {
  const untyped = (collection: { collectionName: string }) =>
    collection as unknown as Source['collection'];
  return [
    {
      kind: 'entry',
      collection: untyped(ledger),
      unplaced: { position: null },
      sort: { position: 1, _id: 1 },
      subject: 'accountId',
      number: 'number',
    },
    {
      kind: 'end',
      collection: untyped(generations),
      unplaced: { open: false, position: null },
      sort: { position: 1, accountId: 1, endNumber: 1 },
      subject: 'accountId',
      number: 'endNumber',
      order: 'endOrder',
    },
    {
      kind: 'event',
      collection: untyped(operatorEvents),
      unplaced: { position: null },
      sort: { position: 1, subject: 1, number: 1, order: 1 },
      subject: 'subject',
      number: 'number',
      order: 'order',
    },
  ];
}

/** Reads the first things of a kind that have no position. */
async function readUnplaced(
  source: Source,
  limit: number,
  options: InTransaction,
): Promise<Unplaced[]> {
  const { kind, collection, unplaced, sort, subject, number, order } = source;
  const found = collection.find(unplaced, {
    ...options,
    hint,
    limit,
    sort,
    projection: { [subject]: 1, [number]: 1, ...(order && { [order]: 1 }) },
  });
  return ((await found.toArray()) as Record<string, unknown>[]).map((each) => ({
    id: String(each['_id']),
    kind,
    subject: String(each[subject]),
    number: Number(each[number]),
    order: order === undefined ? 0 : Number(each[order]),
  }));
}

/**
 * The feed in MongoDB: entries of the ledger, ends of generations, and stored events. Those of different accounts
 * become visible in no order that a writer could know, so that none gives positions: a reader does, before it reads. In
 * one transaction it sees a snapshot of the things without a position and gives them the next ones. All such
 * transactions change the same counter, so that one begins where the one before has been committed: a position is never
 * visible before a lower one (docs/adr/0022-feed-positions.md).
 */
export function createFeed(
  collections: Pick<Collections, 'ledger' | 'generations' | 'operatorEvents' | 'feeds'>,
  runTransaction: RunTransaction,
): Feed {
  const { ledger, generations, operatorEvents, feeds } = collections;
  const sources = sourcesOf(collections);
  let together = placedTogether.most;

  /** Places as many as the last attempt managed, half of it after trouble, and twice as many after success. */
  async function placeSome(): Promise<void> {
    const limit = together;
    try {
      await place(limit);
      together = Math.min(placedTogether.most, 2 * limit);
    } catch (error) {
      // Another reader's turn says nothing about the size.
      if (isDatabaseTrouble(error)) together = Math.max(placedTogether.least, limit >> 1);
      throw error;
    }
  }

  /** Gives the next positions. @throws VersionConflict where another reader has given them. */
  const place = (limit: number) =>
    runTransaction(async (options) => {
      const lists: Unplaced[][] = [];
      for (const source of sources) lists.push(await readUnplaced(source, limit, options));
      const found = cutToPlace(lists, limit);
      if (found.length === 0) return;
      const counter = await feeds.findOneAndUpdate(
        { _id: 'feed' },
        { $inc: { last: found.length } },
        { ...options, upsert: true, returnDocument: 'after' },
      );
      const first = (counter?.last ?? 0) - found.length + 1;
      const placed = found.map(({ id, kind }, index) => ({ id, kind, position: first + index }));
      let matched = 0;
      for (const { kind, collection, unplaced } of sources) {
        const updates = placed
          .filter((each) => each.kind === kind)
          .map(({ id: _id, position }) => ({
            updateOne: { filter: { _id, ...unplaced }, update: { $set: { position } } },
          }));
        if (updates.length === 0) continue;
        matched += (await collection.bulkWrite(updates, options)).matchedCount;
      }
      if (matched < found.length) throw new VersionConflict('other entries were placed meanwhile');
    });

  async function hasUnplaced(): Promise<boolean> {
    const options = { hint, ...certain, projection: { _id: 1 } } as const;
    for (const { collection, unplaced } of sources) {
      if ((await collection.findOne(unplaced, options)) !== null) return true;
    }
    return false;
  }

  /**
   * Comes before each read, so that things which another reader places meanwhile are read. If one was quicker, it may
   * not have seen the newest: placing is tried again.
   */
  async function placeNew(): Promise<void> {
    if (await hasUnplaced()) await retry(placeSome, { on: isPassing, withinMs: placeWithinMs });
  }

  async function readEntries(position: Range, limit: number) {
    const found = ledger.find(
      { position },
      { sort: { position: 1, _id: 1 }, limit, hint, ...certain },
    );
    return (await found.toArray()).map((document) => ({
      position: document.position ?? 0,
      entry: ledgerCodec.fromStored(document),
    }));
  }

  async function readEnds(position: Range, limit: number) {
    const found = generations.find(
      { open: false, position },
      {
        sort: { position: 1, accountId: 1, endNumber: 1 },
        limit,
        hint,
        ...certain,
        projection: { ...historyProjection, position: 1 },
      },
    );
    return (await found.toArray()).map(({ position, ...document }) => ({
      position: position ?? 0,
      ended: generationCodec.fromPart(document),
    }));
  }

  async function readEvents(position: Range, limit: number) {
    const sort = { position: 1, subject: 1, number: 1, order: 1 } as const;
    const found = operatorEvents.find({ position }, { sort, limit, hint, ...certain });
    return (await found.toArray()).map((document) => ({
      position: document.position ?? 0,
      event: operatorEventCodec.fromStored(document),
    }));
  }

  return {
    async ledger(after, limit) {
      await placeNew();
      return readEntries({ $gt: after }, limit);
    },
    async events(after, limit) {
      await placeNew();
      // Up to here all positions are given; later ones may be in one of these reads and not in another.
      const counter = await feeds.findOne({ _id: 'feed' }, certain);
      const range = { $gt: after, $lte: counter?.last ?? 0 };
      const ends = await readEnds(range, limit);
      const entries = await readEntries(range, limit);
      const events = await readEvents(range, limit);
      const found = [...entries, ...ends, ...events].sort((a, b) => a.position - b.position);
      return found.slice(0, limit);
    },
  };
}

/** A range of positions. */
interface Range {
  $gt: number;
  $lte?: number;
}

/** Two readers may also make the counter at once. */
const isPassing = (error: unknown) =>
  isVersionConflict(error) || isDatabaseTrouble(error) || error instanceof DuplicateValue;
