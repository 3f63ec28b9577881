import pLimit from 'p-limit';
import type { Log } from '../ports/log.ts';
import { giveUpAfter } from '../ports/timing.ts';
import type { ItemBackoff } from '../itemBackoff.ts';

/**
 * Works on every item of some pages, several at once. An item that fails or takes too long is logged
 * and left alone for a while; it stops no other. No item is begun after the signal.
 * @param options.itemMs The longest that one item is waited for, in ms.
 */
export async function eachItem(
  pages: AsyncIterable<readonly string[]>,
  work: (id: string) => Promise<unknown>,
  options: { signal: AbortSignal; log: Log; backoff: ItemBackoff; atOnce: number; itemMs: number },
): Promise<void> {
  const { signal, log, backoff } = options;
  const limit = pLimit(options.atOnce);
  const attempt = async (id: string): Promise<void> => {
    if (signal.aborted || backoff.rests(id)) return;
    try {
      await giveUpAfter(options.itemMs, work(id));
      backoff.succeeded(id);
    } catch (error) {
      backoff.failed(id);
      log.warn({ error, id }, 'upkeep of one item failed: it is tried again later');
    }
  };
  for await (const page of pages) {
    await Promise.all(page.map((id) => limit(attempt, id)));
    if (signal.aborted) return;
  }
}
