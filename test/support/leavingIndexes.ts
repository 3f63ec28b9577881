/**
 * Indexes of generations that only the release before this one names in its statements. The next release drops them
 * (docs/adr/0025), so tests of plans run without them.
 */
export const leavingIndexes: readonly string[] = [
  'idempotencyScope',
  'waits',
  'parkedFor',
  'parkedJudged',
  'routePlace',
  'ends',
  'refunds',
  'durations',
  'consent',
  'upstreamId',
];
