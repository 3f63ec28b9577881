/** Why a generation is parked. */
export interface WaitsFor {
  /**
   * Breaker keys of the providers that can make it, or of a provider's model while its circuit is open, as decided
   * at `at`.
   */
  providers: string[];
  at: number;
}

/** The slots that a generation occupies. */
export interface OccupiedSlots {
  /** The provider whose slot it occupies: the current one, or the one it was called to while parked. */
  providerSlot: string | null;
  /** The slot at a route with its own limits, by the route's breaker key; absent in storage without one. */
  routeSlot?: string | null;
}

/** The slots that a generation occupies or waits for. */
export interface ProviderSlots extends OccupiedSlots {
  /** Set while parked. */
  waitsFor?: WaitsFor;
}
