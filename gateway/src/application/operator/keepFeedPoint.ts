import type { Log } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import type { MediaStore } from '@framegate/media';
import type { FeedPoint } from '../../domain/feed/feedEpochs.ts';
import type { Feed } from '../ports/operator.ts';

const key = 'feeds/newest.json';
/** Maximum lag of the kept position behind the given ones, in ms. */
const keepEveryMs = 1_000;
const maxBytes = 200;

/**
 * Keeps the newest point of the feed outside the database, out of a restore's reach, and recalls the points of earlier
 * processes, so that the feed notices a restored database. Failures are only logged.
 * @returns A function that stops it.
 */
export async function keepFeedPoint({
  feed,
  media,
  log,
}: {
  feed: Pick<Feed, 'newest' | 'recallPoint'>;
  media: Pick<MediaStore, 'open' | 'put'>;
  log: Log;
}): Promise<() => void> {
  let keptText: string | null = null;

  async function load(): Promise<FeedPoint | null> {
    const file = await media.open(key);
    if (file === null) return null;
    if (file.bytes > maxBytes) {
      file.stream.destroy();
      return null;
    }
    const parts = (await file.stream.toArray()) as Uint8Array[];
    const text = Buffer.concat(parts).toString();
    const { epoch, position } = JSON.parse(text) as Partial<FeedPoint>;
    return typeof epoch === 'string' && typeof position === 'number' ? { epoch, position } : null;
  }

  async function keep(): Promise<void> {
    const newest = feed.newest();
    const point = JSON.stringify(newest);
    if (newest.epoch === null || point === keptText) return;
    const storedPoint = await load().catch(() => null);
    // Another process may know more.
    const isOlder = storedPoint?.epoch === newest.epoch && storedPoint.position >= newest.position;
    if (!isOlder) {
      await media.put(key, Buffer.from(point), { contentType: 'application/json', maxBytes });
    }
    keptText = point;
  }

  const logFailure = (error: unknown) => {
    log.warn({ error }, 'failed to read or store the latest feed position in the media store');
  };
  try {
    const point = await load();
    if (point !== null) feed.recallPoint(point);
  } catch (error) {
    logFailure(error);
  }
  return repeatEvery(keepEveryMs, keep, logFailure);
}
