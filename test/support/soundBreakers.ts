import type { BreakerStore } from '../../gateway/src/application/ports/upkeep.ts';
import { soundBreaker } from '../../gateway/src/domain/breaker.ts';

/** Providers that are all well, whatever happens: for tests of something else. */
export const soundBreakers: BreakerStore = {
  of: () => soundBreaker,
  isKnown: () => false,
  change: async () => null,
};
