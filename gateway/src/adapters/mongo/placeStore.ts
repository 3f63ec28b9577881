import { randomUUID } from 'node:crypto';
import type { Clock } from '../../application/ports/system.ts';
import type { RoomLimit, PlaceStore, ReservedPlaces } from '../../application/ports/upkeep.ts';
import { slotOf, startsLeft, withStarts, type Starts } from '../../domain/startWindow.ts';
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

/** One small document for each limit. */
interface StoredPlaces {
  version: number;
  reserved: Reservation[];
  lastAccount: string;
  /** Absent where starts are not limited. */
  starts?: Starts;
}

const untouched: StoredPlaces = { version: 0, reserved: [], lastAccount: '' };

/** Places of providers and routes in MongoDB, counted from the generations by an index. */
export function createPlaceStore(
  { places, generations }: Pick<Collections, 'places' | 'generations'>,
  clock: Pick<Clock, 'now'>,
): PlaceStore {
  // A reservation is good for a moment only: no other member has to know it.
  const options = { writeConcern: { w: 1 } };

  /** How many places are taken, counted up to the limit. */
  async function countUsed({ key, kind, max }: RoomLimit): Promise<number> {
    if (!Number.isFinite(max)) return 0;
    const taken = kind === 'route' ? { routePlace: key } : { place: key, open: true };
    return generations.countDocuments(taken, { limit: max });
  }

  /**
   * @returns null when it is full.
   * @throws VersionConflict when another process wrote meanwhile, or holds what is free for a moment.
   */
  async function reserveOnce(
    roomLimit: RoomLimit,
    wanted: (free: number) => number,
  ): Promise<ReservedPlaces | null> {
    const { key, max, startsPerMinute = Infinity } = roomLimit;
    const document = await places.findOne({ _id: key });
    const before = document ? fromDocument<StoredPlaces & { id: string }>(document) : untouched;
    const now = clock.now();
    const live = before.reserved.filter(({ leaseUntil }) => leaseUntil > now);
    // After the reservations: what has left them by now is counted as the generation that it became.
    const used = await countUsed(roomLimit);
    const { lastAccount, version, starts = {} } = before;
    const left = startsLeft(starts, startsPerMinute, now);
    if (used >= max || left === 0) return null;
    const free = max - used - live.reduce((sum, { count }) => sum + count, 0);
    if (free <= 0) throw new VersionConflict('other processes have reserved what is free');
    const token = randomUUID();
    const count = Math.min(free, left, Math.max(1, wanted(free)));
    const reserved = [...live, { token, count, leaseUntil: now + lapsesAfterMs }];
    const counted = Number.isFinite(startsPerMinute) && { starts: withStarts(starts, count, now) };
    const fields = { reserved, lastAccount, ...counted };
    await writeVersion(places, { id: key, before: version, fields }, options);
    return { token, count, lastAccount, slot: slotOf(now) };
  }

  return {
    async reserve(roomLimit, wanted) {
      try {
        return await retry(() => reserveOnce(roomLimit, wanted), {
          on: isVersionConflict,
          withinMs: triedForMs,
        });
      } catch (error) {
        if (isVersionConflict(error)) return null;
        throw error;
      }
    },
    async release({ key, startsPerMinute }, { token, slot }, { lastAccount, unused = 0 } = {}) {
      const startsBack = startsPerMinute === undefined ? {} : { [`starts.${slot}`]: -unused };
      const change = {
        $pull: { reserved: { token } } as never,
        $inc: { version: 1, ...startsBack } as never,
        ...(lastAccount !== undefined && { $set: { lastAccount } }),
      };
      await places.updateOne({ _id: key }, change, options);
    },
  };
}
