import { init } from './0001-init.ts';
import type { Migration } from './migration.ts';

/** Every migration, in the order of their versions. One that has been released is never changed. */
export const migrations: readonly Migration[] = [init];
