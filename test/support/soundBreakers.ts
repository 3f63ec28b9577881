import type { BreakerStore, DeliveryStore } from '../../gateway/src/application/ports/upkeep.ts';
import { soundBreaker } from '../../gateway/src/domain/breaker.ts';
import { soundDeliveries } from '../../gateway/src/domain/withheld.ts';

/** Providers that are always healthy, for tests of other things. */
export const soundBreakers: BreakerStore = {
  of: () => soundBreaker,
  isKnown: () => false,
  keys: () => [],
  refresh: async () => undefined,
  change: async () => null,
};

/** Routes that always deliver as ordered. */
export const deliveriesAsOrdered: DeliveryStore = {
  of: () => soundDeliveries,
  isKnown: () => false,
  keys: () => [],
  refresh: async () => undefined,
  change: async () => null,
};
