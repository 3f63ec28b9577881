import type { Feed } from '../../application/ports/operator.ts';
import { DuplicateValue } from '../../application/ports/database.ts';
import { cutToPlace, type Unplaced } from '../../domain/feed.ts';
import { VersionConflict, isVersionConflict, type Collections } from './collections.ts';
import { isDatabaseTrouble, retry } from './errors.ts';
import { historyProjection } from './generationQueries.ts';
import { generationCodec } from './models/generations.ts';
import { ledgerCodec } from './models/ledger.ts';
import type { InTransaction, RunTransaction } from './transactions.ts';

/** Things of each kind that get their positions in one transaction: more than a page has. */
const placedTogether = 1_000;
/** How long a page tries to place new things while other readers do the same, in ms. */
const placeWithinMs = 4_000;
/** A position that a new primary could take back must not be seen. */
const certain = { readConcern: 'majority', maxTimeMS: 5_000 } as const;
const hint = 'feed';

/** Things without a position, which the indexes have first. */
const newEntries = { position: null };
const newEnds = { open: false, position: null };

/**
 * The feed in MongoDB: entries of the ledger and ends of generations. Those of different accounts become visible in
 * no order that a writer could know, so that none gives positions: a reader does, before it reads. In one transaction
 * it sees a snapshot of the things without a position and gives them the next ones. All such transactions change the
 * same counter, so that one begins where the one before has been committed: a position is never visible before a
 * lower one (docs/adr/0019).
 */
export function createFeed(
  { ledger, generations, feeds }: Pick<Collections, 'ledger' | 'generations' | 'feeds'>,
  runTransaction: RunTransaction,
): Feed {
  async function findUnplaced(options: InTransaction): Promise<Unplaced[]> {
    const bound = { ...options, hint, limit: placedTogether };
    const entries = await ledger
      .find(newEntries, {
        ...bound,
        sort: { position: 1, _id: 1 },
        projection: { accountId: 1, number: 1 },
      })
      .toArray();
    const ends = await generations
      .find(newEnds, {
        ...bound,
        sort: { position: 1, accountId: 1, endNumber: 1 },
        projection: { accountId: 1, endNumber: 1 },
      })
      .toArray();
    return cutToPlace(
      entries.map(({ _id, ...entry }) => ({ id: _id, kind: 'entry', ...entry })),
      ends.map(({ _id, accountId, endNumber }) => ({
        id: _id,
        kind: 'end',
        accountId,
        number: endNumber ?? 0,
      })),
      placedTogether,
    );
  }

  /** Gives the next positions. @throws VersionConflict where another reader has given them. */
  const place = () =>
    runTransaction(async (options) => {
      const found = await findUnplaced(options);
      if (found.length === 0) return;
      const counter = await feeds.findOneAndUpdate(
        { _id: 'feed' },
        { $inc: { last: found.length } },
        { ...options, upsert: true, returnDocument: 'after' },
      );
      const first = (counter?.last ?? 0) - found.length + 1;
      const placed = found.map(({ id, kind }, index) => ({
        kind,
        update: { _id: id, update: { $set: { position: first + index } } },
      }));
      const updatesOf = (wanted: Unplaced['kind']) =>
        placed.flatMap(({ kind, update }) => (kind === wanted ? [update] : []));
      let matched = 0;
      const [entries, ends] = [updatesOf('entry'), updatesOf('end')];
      if (entries.length > 0) {
        const done = await ledger.bulkWrite(
          entries.map(({ _id, update }) => ({
            updateOne: { filter: { _id, ...newEntries }, update },
          })),
          options,
        );
        matched += done.matchedCount;
      }
      if (ends.length > 0) {
        const done = await generations.bulkWrite(
          ends.map(({ _id, update }) => ({ updateOne: { filter: { _id, ...newEnds }, update } })),
          options,
        );
        matched += done.matchedCount;
      }
      if (matched < found.length) throw new VersionConflict('things were placed meanwhile');
    });

  async function hasUnplaced(): Promise<boolean> {
    const options = { hint, ...certain, projection: { _id: 1 } } as const;
    if ((await ledger.findOne(newEntries, options)) !== null) return true;
    return (await generations.findOne(newEnds, options)) !== null;
  }

  /**
   * Comes before each read, so that things which another reader places meanwhile are read. If one was quicker, it may
   * not have seen the newest: placing is tried again.
   */
  async function placeNew(): Promise<void> {
    if (await hasUnplaced()) await retry(place, { on: isPassing, withinMs: placeWithinMs });
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

  return {
    async ledger(after, limit) {
      await placeNew();
      return readEntries({ $gt: after }, limit);
    },
    async events(after, limit) {
      await placeNew();
      // Up to here all positions are given; later ones may be in one of the two reads and not in the other.
      const counter = await feeds.findOne({ _id: 'feed' }, certain);
      const range = { $gt: after, $lte: counter?.last ?? 0 };
      const ends = await readEnds(range, limit);
      const entries = await readEntries(range, limit);
      const found = [...entries, ...ends].sort((a, b) => a.position - b.position);
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
