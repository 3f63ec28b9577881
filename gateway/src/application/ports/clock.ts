/**
 * Database time in ms since the epoch, kept from samples of the server's clock and a monotonic
 * counter, so that a wrong or stepping clock of this machine changes nothing (I7, I10).
 */
export interface Clock {
  now(): number;
  /** How far this machine's wall clock is from the database's, in ms (positive: ahead). */
  skewMs(): number;
}
