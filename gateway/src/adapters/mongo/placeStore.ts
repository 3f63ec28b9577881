import { randomUUID } from 'node:crypto';
import type { Clock } from '../../application/ports/system.ts';
import type { PlaceStore, ReservedPlaces } from '../../application/ports/upkeep.ts';
import type { Collections } from './collections.ts';
import { fromDocument } from './documents.ts';
import { retry } from './retry.ts';
import { isVersionConflict, VersionConflict, writeVersion } from './versions.ts';

/** A reservation whose process has died lapses after this time, in ms: longer than any write takes. */
const lapsesAfterMs = 60_000;
/** How long it is tried while other processes reserve, or hold what is free for a moment, in ms. */
const triedForMs = 2_000;

interface Reservation {
  token: string;
  count: number;
  leaseUntil: number;
}

/** One small document for each provider. */
interface StoredPlaces {
  version: number;
  reserved: Reservation[];
  lastAccount: string;
}

const untouched: StoredPlaces = { version: 0, reserved: [], lastAccount: '' };

/** Places of providers in MongoDB, counted from the generations by an index. */
export function createPlaceStore(
  { places, generations }: Pick<Collections, 'places' | 'generations'>,
  clock: Pick<Clock, 'now'>,
): PlaceStore {
  // A reservation is good for a moment only: no other member has to know it.
  const options = { writeConcern: { w: 1 } };

  /**
   * @returns null when the provider is full.
   * @throws VersionConflict when another process wrote meanwhile, or holds what is free for a moment.
   */
  async function reserveOnce(
    provider: string,
    max: number,
    wanted: (free: number) => number,
  ): Promise<ReservedPlaces | null> {
    const document = await places.findOne({ _id: provider });
    const before = document ? fromDocument<StoredPlaces & { id: string }>(document) : untouched;
    const now = clock.now();
    const live = before.reserved.filter(({ leaseUntil }) => leaseUntil > now);
    // After the reservations: what has left them by now is counted as the generation that it became.
    const used = await generations.countDocuments({ place: provider, open: true }, { limit: max });
    if (used >= max) return null;
    const free = max - used - live.reduce((sum, { count }) => sum + count, 0);
    if (free <= 0) throw new VersionConflict('other processes have reserved what is free');
    const token = randomUUID();
    const count = Math.min(free, Math.max(1, wanted(free)));
    const { lastAccount, version } = before;
    const reserved = [...live, { token, count, leaseUntil: now + lapsesAfterMs }];
    const next = { id: provider, before: version, fields: { reserved, lastAccount } };
    await writeVersion(places, next, options);
    return { token, count, lastAccount };
  }

  return {
    async reserve(provider, max, wanted) {
      try {
        return await retry(() => reserveOnce(provider, max, wanted), {
          on: isVersionConflict,
          withinMs: triedForMs,
        });
      } catch (error) {
        if (isVersionConflict(error)) return null;
        throw error;
      }
    },
    async release(provider, token, lastAccount) {
      const change = {
        $pull: { reserved: { token } } as never,
        $inc: { version: 1 } as never,
        ...(lastAccount !== undefined && { $set: { lastAccount } }),
      };
      await places.updateOne({ _id: provider }, change, options);
    },
  };
}
