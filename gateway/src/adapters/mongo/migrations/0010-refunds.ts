import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/**
 * Sums refunds from an index alone. Generations that failed before `refundedCredits` was stored stay as they are:
 * the release before writes such documents as long as it runs, so a reader falls back to the cost anyway.
 */
export const refunds: Migration = {
  version: 10,
  name: 'index of refunds',
  worksWith: 3,
  run: (context) =>
    changeIndexes(context, {
      build: {
        generations: [
          {
            name: 'refunds',
            key: { status: 1, endedAt: -1, refundedCredits: 1, costCredits: 1 },
            partialFilterExpression: { status: 'failed' },
          },
        ],
      },
    }),
};
