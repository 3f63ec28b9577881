import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, Random } from '../../application/ports.ts';
import { formatId } from '../../domain/ids.ts';

/** Chance from the system's secure source. Ids carry database time, so that they sort across machines. */
export function createRandom(clock: Pick<Clock, 'now'>): Random {
  return {
    newId: (prefix) => formatId(prefix, clock.now(), randomBytes(10)),
    seed: () => randomInt(1, 2 ** 31),
    fraction: () => randomInt(2 ** 32) / 2 ** 32,
    bytes: (count) => randomBytes(count),
  };
}
