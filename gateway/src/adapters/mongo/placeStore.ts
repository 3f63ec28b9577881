import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../application/ports/clock.ts';
import type { PlaceStore, ReservedPlaces } from '../../application/ports/placeStore.ts';
import { DuplicateValue } from '../../application/ports/storeErrors.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toFields } from './documents.ts';
import { asDuplicate, asUnavailable, translating } from './errors.ts';

/** A reservation whose process is gone lapses after so long, in ms: longer than any write takes. */
const lapsesAfterMs = 60_000;
/** How long it is tried while other processes reserve, or hold what is free for a moment, in ms. */
const triedForMs = 2_000;
const longestPauseMs = 40;

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

  /** Writes the provider's document where its version is still the one before. */
  async function replace(provider: string, next: StoredPlaces): Promise<boolean> {
    const fields = toFields(next);
    const { version } = next;
    if (version > 1) {
      const filter = { _id: provider, version: version - 1 };
      return (await places.updateOne(filter, { $set: fields }, options)).modifiedCount === 1;
    }
    try {
      await places.insertOne({ _id: provider, ...fields }, options);
      return true;
    } catch (error) {
      if (asDuplicate(error) instanceof DuplicateValue) return false;
      throw error;
    }
  }

  /** `again`: another process wrote meanwhile, or holds what is free for a moment. */
  async function reserveOnce(
    provider: string,
    atMost: number,
    wanted: (free: number) => number,
  ): Promise<ReservedPlaces | 'full' | 'again'> {
    const document = await places.findOne({ _id: provider });
    const before = document ? fromDocument<StoredPlaces & { id: string }>(document) : untouched;
    const now = clock.now();
    const live = before.reserved.filter(({ leaseUntil }) => leaseUntil > now);
    // After the reservations: what has left them by now is counted as the generation that it became.
    const used = await generations.countDocuments(
      { place: provider, open: true },
      { limit: atMost },
    );
    if (used >= atMost) return 'full';
    const free = atMost - used - live.reduce((sum, { count }) => sum + count, 0);
    if (free <= 0) return 'again';
    const [token, count] = [randomUUID(), Math.min(free, Math.max(1, wanted(free)))];
    const { lastAccount, version } = before;
    const reserved = [...live, { token, count, leaseUntil: now + lapsesAfterMs }];
    const written = await replace(provider, { version: version + 1, reserved, lastAccount });
    return written ? { token, count, lastAccount } : 'again';
  }

  const store: PlaceStore = {
    async reserve(provider, atMost, wanted) {
      const giveUpAt = clock.now() + triedForMs;
      for (;;) {
        const result = await reserveOnce(provider, atMost, wanted);
        if (result === 'full') return null;
        if (result !== 'again') return result;
        if (clock.now() > giveUpAt) return null;
        await pause(longestPauseMs * Math.random());
      }
    },
    async release(provider, token, lastAccount) {
      const change = {
        ...{ $pull: { reserved: { token } } as never, $inc: { version: 1 } as never },
        ...(lastAccount !== undefined && { $set: { lastAccount } }),
      };
      await places.updateOne({ _id: provider }, change, options);
    },
  };
  return translating(store, asUnavailable);
}
