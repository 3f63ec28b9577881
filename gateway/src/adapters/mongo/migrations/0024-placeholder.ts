import type { Migration } from './migration.ts';

export const placeholder24: Migration = {
  version: 24,
  name: 'placeholder',
  worksWith: 3,
  run: async () => undefined,
};
