import { init } from './0001-init.ts';
import type { Migration } from './migration.ts';

/** All migrations by version. A released one is never changed. */
export const migrations: readonly Migration[] = [init];
