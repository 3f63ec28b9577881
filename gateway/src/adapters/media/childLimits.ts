/** What one child process may use. */
export interface ChildLimits {
  /** Processor time in seconds, its start (about a third of a second) included. */
  processorSeconds: number;
  /** Time in ms, long past what a lawful file takes on a busy machine. */
  wallMs: number;
  /**
   * Private memory in KB as the system counts it (RLIMIT_DATA): Node alone takes some 600 MB of it, of
   * which most is never touched.
   */
  dataKb: number;
  /** By how much its priority is lowered. */
  niceness: number;
}

/**
 * Of a customer's file: about three seconds, in which a picture of 40 megapixels is decoded with room to
 * spare (two seconds at 16 bits, interlaced). It must not hold up what else the machine has to do.
 */
export const inputLimits: ChildLimits = {
  ...{ processorSeconds: 4, wallMs: 60_000, dataKb: 1_500_000, niceness: 5 },
};

/** Of a provider's file, which is paid for and may have a gigabyte. */
export const outputLimits: ChildLimits = {
  ...{ processorSeconds: 60, wallMs: 120_000, dataKb: 2_500_000, niceness: 0 },
};
