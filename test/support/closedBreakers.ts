import type { BreakerStore, DeliveryStore } from '../../gateway/src/application/ports/upkeep.ts';
import { closedBreaker } from '../../gateway/src/domain/providers/breaker.ts';
import { noUndelivered } from '../../gateway/src/domain/providers/withheld.ts';

/** Providers that are always healthy, for tests of other things. */
export const closedBreakers: BreakerStore = {
  get: () => closedBreaker,
  isKnown: () => false,
  keys: () => [],
  refresh: async () => undefined,
  change: async () => null,
};

/** Routes that always deliver as ordered. */
export const deliveriesAsOrdered: DeliveryStore = {
  get: () => noUndelivered,
  isKnown: () => false,
  keys: () => [],
  refresh: async () => undefined,
  change: async () => null,
};
