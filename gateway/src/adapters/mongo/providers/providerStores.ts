import { randomUUID } from 'node:crypto';
import { dayMs, type Log, minuteMs, sum } from '@framegate/contract';
import type { BudgetStore } from '../../../application/ports/providers.ts';
import type { Clock } from '../../../application/ports/system.ts';
import type { ReservedSlots, SlotLimit, SlotStore } from '../../../application/ports/upkeep.ts';
import { breakerEvent } from '../../../domain/accounts/accountEvent.ts';
import {
  intervalOf,
  spreadStartsLeft,
  startsLeft,
  withStarts,
} from '../../../domain/network/rateLimit.ts';
import { type Breaker, closedBreaker } from '../../../domain/providers/breaker.ts';
import { type DeliveryRecord, noUndelivered } from '../../../domain/providers/withheld.ts';
import { isDue } from '../../../domain/time/furthestTimes.ts';
import {
  type Collections,
  isVersionConflict,
  VersionConflictError,
  writeVersion,
} from '../collections.ts';
import { ignoreDuplicate, isCollision, retry } from '../errors.ts';
import {
  breakerCodec,
  type breakerSchema,
  deliveryCodec,
  slotsCodec,
  type StoredSlots,
} from '../models/providers.ts';
import type { StoredOf } from '../models/schema.ts';
import { insertEvents } from '../staff/operatorStores.ts';
import { createStateStore, type RefreshedStates, type StateChange } from '../stateStore.ts';
import type { RunTransaction } from '../transactions.ts';

/** Lifetime of a reservation after its process has died, in ms: longer than any write takes. */
const expiresAfterMs = minuteMs;
/** How long to retry while other processes reserve slots or briefly hold the free ones, in ms. */
const triedForMs = 2_000;

const untouched: Omit<StoredSlots, 'id'> = { version: 0, reserved: [], lastAccount: '' };

/** Slots of providers and routes in MongoDB, counted from the generations by an index. */
export function createSlotStore(
  { slots, generations }: Pick<Collections, 'slots' | 'generations'>,
  clock: Pick<Clock, 'now'>,
): SlotStore {
  // A reservation is short-lived, so it need not be replicated.
  const options = { writeConcern: { w: 1 } };

  /**
   * The number of taken slots at one moment, counted up to the limit. A plain index scan yields to writes, and misses a
   * generation whose key moves from ahead of the scan to behind it.
   */
  async function countUsed({ key, kind, max }: SlotLimit): Promise<number> {
    if (!Number.isFinite(max)) return 0;
    const [takenSlots, hint] =
      kind === 'route'
        ? [{ routeSlot: key }, 'values']
        : [{ providerSlot: key, open: true }, 'unfinished'];
    return generations.countDocuments(takenSlots, { hint, limit: max, readConcern: 'snapshot' });
  }

  /**
   * @returns Null if all slots are taken.
   * @throws VersionConflictError if another process wrote meanwhile or briefly holds the free slots.
   */
  async function reserveOnce(
    slotLimit: SlotLimit,
    countFor: (free: number) => number,
  ): Promise<ReservedSlots | null> {
    const { key, max, startsPerMinute = Infinity, isSpread } = slotLimit;
    const document = await slots.findOne({ _id: key });
    const before = document ? slotsCodec.fromStored(document) : untouched;
    const nowMs = clock.now();
    const live = before.reserved.filter(
      ({ leaseUntil }) => !isDue(leaseUntil, nowMs, expiresAfterMs),
    );
    // Counted after reading the reservations, so that a reservation used meanwhile counts as its generation.
    const used = await countUsed(slotLimit);
    const { lastAccount, version, starts = {} } = before;
    const leftOf = isSpread ? spreadStartsLeft : startsLeft;
    const startsNow = leftOf(starts, startsPerMinute, nowMs);
    if (used >= max || startsNow === 0) return null;
    const freeSlots = max - used - sum(live.map(({ count }) => count));
    if (freeSlots <= 0) {
      throw new VersionConflictError('other processes have reserved the free slots');
    }
    const token = randomUUID();
    const count = Math.min(freeSlots, startsNow, Math.max(1, countFor(freeSlots)));
    const reserved = [...live, { token, count, leaseUntil: nowMs + expiresAfterMs }];
    const startsField = Number.isFinite(startsPerMinute) && {
      starts: withStarts(starts, count, nowMs),
    };
    const fields = slotsCodec.toFields({ reserved, lastAccount, ...startsField });
    await writeVersion(slots, { id: key, before: version, fields }, options);
    return { token, count, lastAccount, interval: intervalOf(nowMs) };
  }

  return {
    async reserve(slotLimit, countFor) {
      try {
        return await retry(() => reserveOnce(slotLimit, countFor), {
          on: isVersionConflict,
          withinMs: triedForMs,
        });
      } catch (error) {
        if (isVersionConflict(error)) return null;
        throw error;
      }
    },
    async release({ key, startsPerMinute }, { token, interval }, { lastAccount, unused = 0 } = {}) {
      const startsBack = startsPerMinute === undefined ? {} : { [`starts.${interval}`]: -unused };
      const change = {
        $pull: { reserved: { token } },
        $inc: { version: 1, ...startsBack },
        ...(lastAccount !== undefined && { $set: { lastAccount } }),
      };
      await slots.updateOne({ _id: key }, change, options);
    },
  };
}

/** The subject of a breaker's events; an index covers subjects with this prefix (models/operator.ts). */
export const breakerSubject = (key: string): string => `breaker ${key}`;

/**
 * Breakers in MongoDB, one small document per key: a provider, or one of its models. Opening or closing one also
 * writes its event.
 * @param refreshMs Longest time for which a change of another process is not seen.
 */
export function createBreakerStore(
  {
    collections,
    clock,
    runTransaction,
  }: {
    collections: Pick<Collections, 'breakers' | 'operatorEvents'>;
    clock: Pick<Clock, 'now'>;
    runTransaction: RunTransaction;
  },
  log: Log,
  refreshMs: number,
): RefreshedStates<Breaker> {
  const { breakers } = collections;
  type Change = StateChange<StoredOf<typeof breakerSchema>, Breaker>;

  async function write({ id, version, fields, from, to }: Change): Promise<void> {
    const update = { id, before: version, fields };
    const fact = breakerEvent(id, from, to);
    if (fact === null) return writeVersion(breakers, update);
    const event = {
      id: randomUUID(),
      subject: breakerSubject(id),
      accountId: null,
      number: version + 1,
      sequence: 0,
      at: clock.now(),
      fact,
    };
    try {
      await runTransaction(async (options) => {
        await writeVersion(breakers, update, options);
        await insertEvents(collections, [event], options);
      });
    } catch (error) {
      throw isCollision(error) ? new VersionConflictError(`breaker ${id} has changed`) : error;
    }
  }

  return createStateStore(
    {
      collection: breakers,
      codec: breakerCodec,
      initial: closedBreaker,
      refreshMs,
      what: 'breakers',
      write,
    },
    clock,
    log,
  );
}

/** Deliveries of routes: one small document per route that ever delivered something grossly different. */
export function createDeliveryStore(
  { deliveries }: Pick<Collections, 'deliveries'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): RefreshedStates<DeliveryRecord> {
  return createStateStore(
    {
      collection: deliveries,
      codec: deliveryCodec,
      initial: noUndelivered,
      refreshMs: 5_000,
      what: 'deliveries',
    },
    clock,
    log,
  );
}

/** Retention of a day's sum, in ms. */
const keptMs = 40 * dayMs;

/**
 * Daily sums: one small document per day, provider and currency. The write checks the limit, so that the orders of all
 * processes together never exceed it.
 */
export function createBudgetStore({ spending }: Pick<Collections, 'spending'>): BudgetStore {
  const idOf = (provider: string, day: string, currency: string) =>
    `${day} ${provider} ${currency}`;
  return {
    async reserve(provider, day, { currency, micros }, limit) {
      const _id = idOf(provider, day, currency);
      const fits = { _id, micros: { $lte: limit.micros - micros } };
      const count = async () =>
        (await spending.updateOne(fits, { $inc: { micros } })).matchedCount === 1;
      if (await count()) return true;
      const goneAt = new Date(Date.parse(day) + keptMs);
      await ignoreDuplicate(
        spending.insertOne({ _id, provider, currency, day, micros: 0, goneAt }),
      );
      return count();
    },
    async refund(provider, day, { currency, micros }) {
      const _id = idOf(provider, day, currency);
      await spending.updateOne({ _id }, { $inc: { micros: -micros } });
    },
    async sumSpent(day) {
      const documents = await spending.find({ day }, { limit: 1_000 }).toArray();
      return documents.map(({ provider, currency, micros }) => ({
        provider,
        spent: { currency, micros },
      }));
    },
  };
}
