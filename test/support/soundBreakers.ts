import type { BreakerStore, DeliveryStore } from '../../gateway/src/application/ports/upkeep.ts';
import { soundBreaker } from '../../gateway/src/domain/breaker.ts';
import { soundDeliveries } from '../../gateway/src/domain/withheld.ts';

/** Providers that are all well, whatever happens: for tests of something else. */
export const soundBreakers: BreakerStore = {
  of: () => soundBreaker,
  isKnown: () => false,
  keys: () => [],
  refresh: async () => undefined,
  change: async () => null,
};

/** Routes that all deliver as ordered, whatever comes. */
export const deliveriesAsOrdered: DeliveryStore = {
  of: () => soundDeliveries,
  isKnown: () => false,
  keys: () => [],
  refresh: async () => undefined,
  change: async () => null,
};
