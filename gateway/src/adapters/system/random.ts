import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, Random } from '../../application/ports/system.ts';
import { formatId } from '../../domain/ids.ts';

/** Bytes fetched at a time: one system call serves many ids. */
const pageBytes = 4096;

/** Randomness from the system's secure source. Ids contain database time, so that they sort across machines. */
export function createRandom(clock: Pick<Clock, 'now'>): Random {
  let page = randomBytes(pageBytes);
  let used = 0;
  const tenBytes = () => {
    if (used + 10 > pageBytes) {
      page = randomBytes(pageBytes);
      used = 0;
    }
    used += 10;
    return page.subarray(used - 10, used);
  };
  return {
    newId: (prefix) => formatId(prefix, clock.now(), tenBytes()),
    seed: () => randomInt(1, 2 ** 31),
    fraction: () => randomInt(2 ** 32) / 2 ** 32,
    bytes: (count) => randomBytes(count),
  };
}
