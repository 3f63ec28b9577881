import type { FeedRestored, FramegateOperator } from '@framegate/operator';
import type { Data } from './data.ts';
import { grantReference, takeBackReference } from './settle.ts';

/**
 * Copies the gateway's ledger into the books. The cursor is stored after its page: if the process is killed in between,
 * the page is read again and the same documents are written.
 */
export async function keepBooks(data: Data, operator: FramegateOperator, signal: AbortSignal) {
  const after = await cursorOf(data, 'ledger');
  const onRestored = async (restored: FeedRestored) => forgetBooks(data, restored);
  for await (const page of operator.followLedger({ after }, { signal, onRestored })) {
    await data.books.bulkWrite(
      page.data.map((entry) => ({
        replaceOne: { filter: { _id: entry.id }, replacement: entry, upsert: true },
      })),
    );
    await moveCursor(data, 'ledger', page.next);
  }
}

/**
 * The gateway was restored from a backup and has lost what came last. Forgets those entries, and makes `settle.ts` book
 * all payments again that have no entry here: the same reference is booked once, so that one too many does no harm.
 */
async function forgetBooks(data: Data, { after, position }: FeedRestored): Promise<void> {
  const { books, payments } = data;
  await books.deleteMany({ position: { $gt: position } });
  const hasEntry = async (reference: string) => (await books.findOne({ reference })) !== null;
  for await (const { _id: id } of payments.find({ grantEntry: { $exists: true } })) {
    if (await hasEntry(grantReference(id))) continue;
    await payments.updateOne({ _id: id }, { $unset: { grantEntry: 1, taken: 1, toTake: 1 } });
  }
  for await (const { _id: id } of payments.find({ taken: { $gt: 0 } })) {
    if (await hasEntry(takeBackReference(id))) continue;
    await payments.updateOne({ _id: id }, { $unset: { taken: 1, toTake: 1 } });
  }
  // Last: if the process is killed before, all of it is done again.
  await moveCursor(data, 'ledger', after);
}

/** Follows the events and stores a notice for each ended video. */
export async function keepNotices(data: Data, operator: FramegateOperator, signal: AbortSignal) {
  const after = await cursorOf(data, 'events');
  const onRestored = async (restored: FeedRestored) => {
    await data.notices.deleteMany({ position: { $gt: restored.position } });
    await moveCursor(data, 'events', restored.after);
  };
  for await (const page of operator.followEvents({ after }, { signal, onRestored })) {
    for (const { id, position, type, generation } of page.data) {
      if (!generation || (type !== 'generation.completed' && type !== 'generation.failed')) {
        continue;
      }
      const { account_id: accountId, id: generationId, prompt, billing } = generation;
      const back = billing.refunded_credits ?? 0;
      const end = type === 'generation.completed' ? 'is ready' : `failed; ${back} credits are back`;
      const notice = { accountId, generationId, position, text: `“${prompt}” ${end}` };
      await data.notices.replaceOne({ _id: id }, notice, { upsert: true });
    }
    await moveCursor(data, 'events', page.next);
  }
}

async function cursorOf({ cursors }: Data, feed: string): Promise<string | undefined> {
  return (await cursors.findOne({ _id: feed }))?.next;
}

async function moveCursor({ cursors }: Data, feed: string, next: string): Promise<void> {
  await cursors.updateOne({ _id: feed }, { $set: { next } }, { upsert: true });
}
