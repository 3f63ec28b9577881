import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { takeTestDatabase } from './database.ts';
import { openWorkProcess, type WorkProcess } from './workWorld.ts';

/**
 * Runs `count` work processes on one database for the tests of a file; each test starts with an empty database and log.
 * `more` replaces some of their dependencies.
 */
export function useWorkProcesses(
  count: number,
  more: Partial<AppCore> = {},
): () => [WorkProcess, ...WorkProcess[]] {
  const database = takeTestDatabase();
  const opened: WorkProcess[] = [];
  beforeAll(async () => {
    for (let number = 0; number < count; number += 1) {
      opened.push(await openWorkProcess(database.uri, more));
    }
  });
  afterEach(async () => {
    if (opened[0]) await forgetWork(opened[0]);
    for (const { heard } of opened) {
      heard.lines.length = 0;
      heard.lost.length = 0;
    }
  });
  afterAll(async () => {
    for (const { mongo } of opened) await mongo.close();
    await database.drop();
  });
  return () => {
    const [first, ...others] = opened;
    if (!first) throw new Error('no process has been opened');
    return [first, ...others];
  };
}

/** Removes all generations with their accounts, lookups, jobs, places and ledger entries. */
export async function forgetWork({ mongo }: Pick<WorkProcess, 'mongo'>): Promise<void> {
  const { generations, accounts, accountLookups, jobs, slots, ledger, providerTasks } =
    mongo.collections;
  const all = [generations, accounts, accountLookups, jobs, slots, ledger, providerTasks];
  for (const each of all) await each.deleteMany({});
}
