import { AbortError, FeedRestoredError } from './errors.ts';
import type { FollowOptions, Sender } from './operation.ts';

/** One page of a list. */
interface Page<T> {
  data: T[];
  has_more: boolean;
  next: string | null;
}

/** Reads the page at a cursor; without one, the first page. */
type ReadPage<P> = (after: string | undefined) => Promise<P>;

/** All items of a list, page by page. */
export async function* iterate<T>(
  read: ReadPage<Page<T>>,
  after: string | undefined,
): AsyncGenerator<T, void, undefined> {
  for (let from = after; ;) {
    const { data, has_more: hasMore, next } = await read(from);
    yield* data;
    if (!hasMore || next === null) return;
    from = next;
  }
}

/**
 * The non-empty pages of a feed, one after the other, including future ones. Ends when the signal is aborted. After a
 * restore of the database it continues at the restored position of the feed.
 * @param restMs Pause after a page at the end of the feed.
 */
export async function* follow<P extends Page<unknown>>(
  { sleep }: Pick<Sender, 'sleep'>,
  read: ReadPage<P>,
  {
    after,
    restMs,
    signal,
    stopAtEnd = false,
    onRestored,
  }: FollowOptions & { after: string | undefined; restMs: number },
): AsyncGenerator<P & { next: string }, void, undefined> {
  for (let from = after; ;) {
    const page = await read(from).catch(async (error: unknown) => {
      if (error instanceof AbortError && signal?.aborted) return null;
      const restored = error instanceof FeedRestoredError ? error.restored : null;
      if (!restored || !onRestored || restored.after === from) throw error;
      await onRestored(restored);
      return restored;
    });
    if (page === null) return;
    if ('after' in page) {
      from = page.after;
      continue;
    }
    const next = page.next ?? from ?? '';
    if (page.data.length > 0) yield { ...page, next };
    from = next;
    if (page.has_more) continue;
    if (stopAtEnd) return;
    if (page.data.length === 0) await sleep(restMs, signal);
    if (signal?.aborted) return;
  }
}
