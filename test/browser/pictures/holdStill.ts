import { createHash } from 'node:crypto';
import { formatId, type IdPrefix } from '../../../gateway/src/domain/ids.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { plain } from '../../support/plainCollection.ts';

/**
 * When pictures are taken, by the gateway's clock, in ms since the epoch. It lies ahead of the database's
 * own time, by which sessions end; takePicture.ts shows the year of the pages.
 */
export const noon = Date.UTC(2030, 10, 22, 12);

/**
 * Makes a gateway draw ids and seeds by counting, so that pages show the same in each run.
 * @param first Its first value: different from that of an earlier gateway on the same database.
 */
export function drawByCount({ random }: TestGateway, first: number): void {
  const counts = new Map<IdPrefix, number>();
  let seeds = 0;
  random.newId = (prefix) => {
    const count = (counts.get(prefix) ?? first) + 1;
    counts.set(prefix, count);
    const bytes = createHash('sha256')
      .update(`${prefix} ${String(count)}`)
      .digest();
    return formatId(prefix, noon - 3_600_000 + count, bytes.subarray(0, 10));
  };
  random.seed = () => {
    seeds += 1;
    return 7_000_000 + 123_457 * seeds;
  };
}

/**
 * Stops a gateway's clock at noon.
 * @param from Noon by the stored times so far, in ms since the epoch: all are moved with it.
 */
export async function stopClock({ clock, collections }: TestGateway, from: number): Promise<void> {
  clock.now = () => noon;
  const all = Object.values(collections).map(plain);
  await Promise.all(all.map((each) => moveTimes(each, noon - from)));
}

async function moveTimes(collection: ReturnType<typeof plain>, byMs: number): Promise<void> {
  for await (const document of collection.find()) {
    await collection.replaceOne(
      { _id: document._id },
      moved(document, byMs) as Record<string, unknown>,
    );
  }
}

function moved(value: unknown, byMs: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() + byMs);
  if (Array.isArray(value)) return value.map((each) => moved(each, byMs));
  // Ids and numbers of the database's own have classes; objects with fields have none.
  if (value === null || typeof value !== 'object' || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each, byMs)]));
}

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype;
