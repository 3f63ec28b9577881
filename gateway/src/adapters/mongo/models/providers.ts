import type { StartCounts } from '../../../domain/network/rateLimit.ts';
import type { Breaker, IdenticalRefusals, OpenReason } from '../../../domain/providers/breaker.ts';
import type { Capability, DeliveryRecord } from '../../../domain/providers/withheld.ts';
import { codecOf } from './codec.ts';
import {
  count,
  documentSchema,
  mixedField,
  mixedIfAny,
  mixedOrNull,
  partSchema,
  text,
  time,
  timeOrNull,
  whole,
} from './schema.ts';

/** Health of providers, by their names in the routes file. */
export const breakerSchema = documentSchema('breakers', {
  _id: text,
  version: count,
  failures: count,
  openedAt: timeOrNull,
  openUntil: time,
  busyUntil: time,
  reason: mixedOrNull<OpenReason>(),
  identical: mixedOrNull<IdenticalRefusals>(),
});

export const breakerCodec = codecOf<Breaker & { id: string; version: number }>()(breakerSchema);

const undeliveredSchema = partSchema({
  capability: mixedField<Capability>(),
  generations: { type: [String], required: true },
  withheldAt: timeOrNull,
});

/** Deliveries of routes, by provider and model. */
export const deliverySchema = documentSchema('deliveries', {
  _id: text,
  version: count,
  undelivered: { type: [undeliveredSchema], required: true },
});

export const deliveryCodec = codecOf<DeliveryRecord & { id: string; version: number }>()(
  deliverySchema,
);

const reservationSchema = partSchema({ token: text, count, leaseUntil: time });

/** Provider slots reserved by processes, by the limit's key. */
export const slotsSchema = documentSchema('providerSlots', {
  _id: text,
  version: count,
  reserved: { type: [reservationSchema], required: true },
  lastAccount: text,
  /** Starts per second. Absent if starts are not limited. */
  starts: mixedIfAny<StartCounts>(),
});

interface StoredReservation {
  token: string;
  count: number;
  leaseUntil: number;
}

/** One small document per limit. */
export interface StoredSlots {
  id: string;
  version: number;
  reserved: StoredReservation[];
  lastAccount: string;
  starts?: StartCounts;
}

export const slotsCodec = codecOf<StoredSlots>()(slotsSchema);

/** Cost of orders at providers with a budget, by day (UTC), provider and currency. */
export const spendingSchema = documentSchema('spending', {
  _id: text,
  provider: text,
  currency: text,
  /** UTC day, as in 2026-01-31. */
  day: text,
  /** Amount in millionths of the currency. */
  micros: whole,
  goneAt: time,
})
  .index({ day: 1 }, { name: 'day' })
  .index({ goneAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });
