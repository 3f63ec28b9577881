/**
 * Processor time of one generation, in ms of a core, by step and place, and the bytes that it writes. Measured on two
 * shared cores (docs/deploy/capacity.md has the commands).
 */
export const measuredCosts = {
  create: { api: 0.5, databaseCores: 0.5 },
  start: { worker: 1.9, databaseCores: 2.2 },
  /** One poll of a provider that finds nothing. */
  poll: { worker: 0.2 },
  end: { worker: 2.2, databaseCores: 1.5 },
  /** A video of 5 s in 720p, with its posters. */
  files: { fileCores: 100 },
  oplogBytes: 12_000,
  /** Kept permanently, without prompts and files. */
  storedBytes: 1_100,
  /** One video file. */
  fileBytes: 4_000_000,
} as const;
