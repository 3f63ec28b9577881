import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** Places that are taken at routes with limits of their own; only these have the field. */
export const routePlaces: Migration = {
  version: 2,
  name: 'route places',
  worksWith: 1,
  async run(context) {
    const routePlace = {
      name: 'routePlace',
      key: { routePlace: 1 },
      partialFilterExpression: { routePlace: { $gt: '' } },
    } as const;
    await changeIndexes(context, { build: { generations: [routePlace] } });
  },
};
