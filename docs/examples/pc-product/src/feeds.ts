import type { FramegateOperator } from '@framegate/operator';
import type { Data } from './data.ts';

/**
 * Copies the gateway's ledger into the books. The cursor is stored after its page: if the process is killed in between,
 * the page is read again and the same documents are written.
 */
export async function keepBooks(data: Data, operator: FramegateOperator, signal: AbortSignal) {
  const after = await cursorOf(data, 'ledger');
  for await (const page of operator.followLedger({ after }, { signal })) {
    await data.books.bulkWrite(
      page.data.map((entry) => ({
        replaceOne: { filter: { _id: entry.id }, replacement: entry, upsert: true },
      })),
    );
    await moveCursor(data, 'ledger', page.next);
  }
}

/** Follows the events and stores a notice for each ended video. */
export async function keepNotices(data: Data, operator: FramegateOperator, signal: AbortSignal) {
  const after = await cursorOf(data, 'events');
  for await (const page of operator.followEvents({ after }, { signal })) {
    for (const { id, type, generation } of page.data) {
      if (!generation || (type !== 'generation.completed' && type !== 'generation.failed'))
        continue;
      const { account_id: accountId, id: generationId, prompt, billing } = generation;
      const back = billing.refunded_credits ?? 0;
      const end = type === 'generation.completed' ? 'is ready' : `failed; ${back} credits are back`;
      const notice = { accountId, generationId, text: `“${prompt}” ${end}` };
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
