import type { Page } from '@framegate/contract/operator';
import { formatCursor, parseFeedCursor } from '../../domain/feed/cursor.ts';
import {
  type FeedPoint,
  formatPoint,
  pointAt,
  pointInNewestEpoch,
  restorePoint,
} from '../../domain/feed/feedEpochs.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Feed, FeedRead } from '../ports/operator.ts';
import { presentPage } from './present.ts';

/**
 * A page of a feed.
 * @param query.read Reads items after a position.
 * @throws Refusal `cursor_invalid`; `feed_restored` for a cursor from before a restore.
 */
export async function readFeed<Item extends { position: number }, Shown>(
  feed: Pick<Feed, 'confirmCounter'>,
  query: {
    list: string;
    after: string | undefined;
    limit: number;
    read: (after: number, limit: number) => Promise<FeedRead<Item>>;
    present: (item: Item, point: FeedPoint) => Shown;
  },
): Promise<Page<Shown>> {
  const { list, limit } = query;
  const begin = parseFeedCursor(list, query.after);
  const { counter, items } = await query.read(begin.position, limit + 1);
  const isRight = restorePoint(counter, begin) === null;
  if (!isRight) {
    const readAgainFrom = restorePoint(await feed.confirmCounter(), begin);
    if (readAgainFrom !== null) throw restoredFeedRefusal(list, readAgainFrom);
  }
  // Otherwise the response came from a server that lags behind.
  return presentPage(isRight ? items : [], {
    list,
    limit,
    begin: formatCursor(list, formatPoint(begin)),
    cursorValueOf: ({ position }) => formatPoint(pointInNewestEpoch(counter, position)),
    present: (item) => query.present(item, pointAt(counter, item.position)),
  });
}

/** The refusal of a cursor from before a restore. */
export function restoredFeedRefusal(list: string, from: FeedPoint): Refusal {
  const restored = { after: formatCursor(list, formatPoint(from)), position: from.position };
  return new Refusal('feed_restored', { param: 'after', restored });
}
