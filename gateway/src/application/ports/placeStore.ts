/** Places at a provider that one process has reserved and may fill. */
export interface ReservedPlaces {
  token: string;
  count: number;
  /** The account whose parked generation was called to this provider last; '' before the first. */
  lastAccount: string;
}

/**
 * The places of providers over all processes. A place is taken by a generation whose `place` names the
 * provider, or reserved for a moment by a process that is about to write such a generation. Both are read
 * and a reservation is written in one guarded step, so that no provider is overfilled. What is taken is
 * counted from the generations each time, so that no place is lost for good, and a reservation whose
 * process is gone lapses.
 */
export interface PlaceStore {
  /**
   * Reserves places of a provider that may have `atMost` generations.
   * @param wanted How many, of so many free ones; at least one.
   * @returns null when it is full.
   */
  reserve(
    provider: string,
    atMost: number,
    wanted: (free: number) => number,
  ): Promise<ReservedPlaces | null>;
  /**
   * Gives a reservation up: its places are filled by now, or not needed.
   * @param lastAccount Whose generation was called last, when one was.
   */
  release(provider: string, token: string, lastAccount?: string): Promise<void>;
}
