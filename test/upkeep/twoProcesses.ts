import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

/** Two processes of upkeep on one database. */
export interface TwoProcesses {
  first: UpkeepProcess;
  second: UpkeepProcess;
}

/**
 * Opens the processes for the tests of a file, on a database that each test finds empty.
 * @param more Replacements for parts that do nothing.
 */
export function useTwoProcesses(uri: string, more: Partial<AppCore> = {}): () => TwoProcesses {
  let opened: TwoProcesses;
  beforeAll(async () => {
    const first = await openUpkeepProcess(uri, more);
    opened = { first, second: await openUpkeepProcess(uri, more) };
  });
  afterEach(async () => {
    const names = [
      'accounts',
      'accountLookups',
      'generations',
      'jobs',
      'ledger',
      'upkeepRounds',
      'erasures',
    ] as const;
    for (const name of names) await opened.first.mongo.collections[name].deleteMany({});
  });
  afterAll(async () => {
    await opened.first.close();
    await opened.second.close();
  });
  return () => opened;
}
