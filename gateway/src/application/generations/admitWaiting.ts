import { limitsOf, type Account } from '../../domain/account.ts';
import { StaleWrite, type GenerationMove } from '../ports/database.ts';
import type { WorkDeps } from './workDeps.ts';

/** Generations that get a place in one decision at most. */
const maxAtOnce = 50;
/** Generations in a row that are held by another process at this moment, and passed over. */
const maxHeld = 20;

/** Gives an account's free places to its waiting generations, oldest first, and has them started. */
export async function admitWaiting(deps: WorkDeps, accountId: string): Promise<void> {
  const held: string[] = [];
  for (let count = maxAtOnce; held.length <= maxHeld;) {
    const ids = await admitOldest(deps, accountId, count, held);
    if (ids === 'held') {
      // It is unknown which of several was stale: from here on one after the other.
      count = 1;
      continue;
    }
    for (const id of ids) await deps.database.jobs.wake(id);
    if (ids.length < count) return;
  }
}

/**
 * Admits as many as there are places, `count` at most; `held` are passed over. When one of them is held
 * by another process (which may be ending it at its deadline) none is admitted; a single one joins `held`.
 */
async function admitOldest(
  { database, clock, defaultLimits }: WorkDeps,
  accountId: string,
  count: number,
  held: string[],
): Promise<string[] | 'held'> {
  let ids: string[] = [];
  try {
    return await database.changeAccount(accountId, async (account) => {
      const places = Math.min(count, freePlaces(account));
      const waiting =
        places > 0 ? await database.generations.findWaiting(accountId, places + held.length) : [];
      ids = waiting.filter((id) => !held.includes(id)).slice(0, places);
      if (ids.length === 0) return { after: account, result: ids };
      const running = account.running + ids.length;
      const after = { ...account, running, waiting: account.waiting - ids.length };
      return { after, moves: ids.map((id) => moveToReady(id, clock.now())), result: ids };
    });
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    if (count === 1) held.push(...ids);
    return 'held';
  }

  function freePlaces(account: Account): number {
    const places = limitsOf(account, defaultLimits).running - account.running;
    return Math.min(places, account.waiting);
  }
}

function moveToReady(generationId: string, now: number): GenerationMove {
  const timeline = [{ at: now, what: 'has a place to run' }];
  return { generationId, from: 'waiting', change: { step: 'ready', dueAt: now, timeline } };
}
