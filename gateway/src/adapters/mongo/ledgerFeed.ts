import { DuplicateValue } from '../../application/ports/database.ts';
import type { LedgerFeed } from '../../application/ports/operator.ts';
import { VersionConflict, isVersionConflict, type Collections } from './collections.ts';
import { isDatabaseTrouble, retry } from './errors.ts';
import { ledgerCodec } from './models/ledger.ts';
import type { RunTransaction } from './transactions.ts';

/** Entries that get their positions in one transaction: more than a page has. */
const placedTogether = 1_000;
/** How long a page tries to place new entries while other readers do the same, in ms. */
const placeWithinMs = 4_000;
/** A position that a new primary could take back must not be seen. */
const certain = { readConcern: 'majority', maxTimeMS: 5_000 } as const;

/** Entries that have no position; the index has them first. */
const unplaced = { position: null };

/**
 * The feed of the ledger in MongoDB. Entries of different accounts become visible in no order that a writer could
 * know, so that none gives positions: a reader does, before it reads. In one transaction it sees a snapshot of the
 * entries that have no position and gives them the next ones. All such transactions change the same counter, so that
 * one begins where the one before has been committed: a position is never visible before a lower one (docs/adr/0018).
 */
export function createLedgerFeed(
  { ledger, feeds }: Pick<Collections, 'ledger' | 'feeds'>,
  runTransaction: RunTransaction,
): LedgerFeed {
  const read = async (after: number, limit: number) => {
    const found = ledger.find(
      { position: { $gt: after } },
      { sort: { position: 1, _id: 1 }, limit, hint: 'feed', ...certain },
    );
    return (await found.toArray()).map((document) => ({
      ...ledgerCodec.fromStored(document),
      position: document.position ?? 0,
    }));
  };

  /** Gives the next positions. @throws VersionConflict where another reader has given them. */
  const place = () =>
    runTransaction(async (options) => {
      const found = await ledger
        .find(unplaced, {
          ...options,
          hint: 'feed',
          sort: { position: 1, _id: 1 },
          limit: placedTogether,
          projection: { _id: 1 },
        })
        .toArray();
      if (found.length === 0) return;
      const counter = await feeds.findOneAndUpdate(
        { _id: 'ledger' },
        { $inc: { last: found.length } },
        { ...options, upsert: true, returnDocument: 'after' },
      );
      const first = (counter?.last ?? 0) - found.length + 1;
      const { matchedCount } = await ledger.bulkWrite(
        found.map(({ _id }, index) => ({
          updateOne: {
            filter: { _id, ...unplaced },
            update: { $set: { position: first + index } },
          },
        })),
        options,
      );
      if (matchedCount < found.length) throw new VersionConflict('entries were placed meanwhile');
    });

  const hasUnplaced = async () =>
    (await ledger.findOne(unplaced, { hint: 'feed', ...certain, projection: { _id: 1 } })) !== null;

  return {
    async page(after, limit) {
      // In this order, so that entries which another reader places meanwhile are read. If one was quicker, it may
      // not have seen the newest entries: placing is tried again.
      if (await hasUnplaced()) await retry(place, { on: isPassing, withinMs: placeWithinMs });
      return read(after, limit);
    },
  };
}

/** Two readers may also make the counter at once. */
const isPassing = (error: unknown) =>
  isVersionConflict(error) || isDatabaseTrouble(error) || error instanceof DuplicateValue;
