import { refuseBeyond } from '../allowances.ts';
import type { App } from '../app.ts';
import type { HistoryFilter, HistoryItem, HistoryPage } from '../ports/generations.ts';

/** Text searches per minute of one account in all browsers; each reads many prompts. */
export const searchesPerMinute = 20;

type Deps = Pick<App, 'allowances' | 'database'>;

function countSearch({ allowances }: Deps, accountId: string, { words }: HistoryFilter): void {
  if (words === undefined) return;
  const waitSeconds = allowances.take(accountId, 'searches', searchesPerMinute);
  refuseBeyond('searches', searchesPerMinute, waitSeconds);
}

/**
 * One page of an account's work.
 * @param before Id of the first generation of the page before; null for the newest.
 * @throws Refusal for too many searches.
 */
export async function loadPageOfWork(
  deps: Deps,
  accountId: string,
  filter: HistoryFilter,
  { before, limit }: { before: string | null; limit: number },
): Promise<HistoryPage> {
  countSearch(deps, accountId, filter);
  return deps.database.generations.searchHistory(accountId, filter, before, limit);
}

/** Maximum generations chosen at once by a filter, and the pages read to find them. */
const maxChosen = 500;
const pageSize = 100;
const maxPages = 10;

/**
 * The newest work of a filter.
 * @returns `isWhole` is false if there is more than was read.
 * @throws Refusal for too many searches.
 */
export async function listAllOfWork(
  deps: Deps,
  accountId: string,
  filter: HistoryFilter,
): Promise<{ items: HistoryItem[]; isWhole: boolean }> {
  countSearch(deps, accountId, filter);
  const { generations } = deps.database;
  const items: HistoryItem[] = [];
  let before: string | null = null;
  for (let pages = 0; pages < maxPages && items.length < maxChosen; pages += 1) {
    const limit = Math.min(pageSize, maxChosen - items.length);
    const page = await generations.searchHistory(accountId, filter, before, limit);
    items.push(...page.items);
    before = page.older;
    if (before === null) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}
