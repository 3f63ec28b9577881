import pLimit from 'p-limit';

/**
 * Processes the items of all pages, several in parallel. No item is begun after the signal.
 * @param work Must not throw: the rest of the page would go on unobserved.
 * @returns Whether all items were begun.
 */
export async function visitPages<Item>(
  pages: AsyncIterable<readonly Item[]>,
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<boolean> {
  const limit = pLimit(atOnce);
  const visitItem = async (item: Item) => {
    if (!signal.aborted) await work(item);
  };
  for await (const page of pages) {
    await Promise.all(page.map((item) => limit(visitItem, item)));
    if (signal.aborted) return false;
  }
  return true;
}
