import { sum } from '@framegate/contract';
import type { TestGateway } from '../../../test/support/gateway.ts';
import { profile, type ProfiledOperation } from '../../../test/support/profile.ts';

/** The database reads of one page load. */
interface PageReads {
  statements: number;
  documents: number;
  keys: number;
}

/** Collections that a process works with at any time, and no page reads. */
const backgroundCollections = new Set([
  'agendaJobs',
  'processes',
  'leases',
  'providerSlots',
  'feeds',
  'breakers',
]);

/** Loads looked at: other work of the process may fall into one of them, but not into all. */
const loads = 4;

/**
 * Reads the statements of a page load from the server's profiler; of several loads, the fewest.
 * @param load Loads the page once.
 */
export async function measureReads(
  { db, collections }: Pick<TestGateway, 'db' | 'collections'>,
  load: () => Promise<unknown>,
): Promise<PageReads & { found: readonly ProfiledOperation[] }> {
  const names = Object.values(collections)
    .map(({ collectionName }) => collectionName)
    .filter((name) => !backgroundCollections.has(name));
  const all: (PageReads & { found: readonly ProfiledOperation[] })[] = [];
  for (let count = 0; count < loads; count += 1) {
    const operations = await profile(db, names, load);
    all.push({
      statements: operations.length,
      documents: sum(operations.map(({ documents }) => documents)),
      keys: sum(operations.map(({ keys }) => keys)),
      found: operations,
    });
  }
  const [min] = all.toSorted((a, b) => a.statements - b.statements || a.documents - b.documents);
  if (!min) throw new Error('no load');
  return min;
}
