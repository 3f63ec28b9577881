import { limitsOf } from '../domain/account.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import type { WorkDeps } from './workDeps.ts';

const triesAtMost = 20;

/** Gives an account's free places to its waiting generations, oldest first, and has them started. */
export async function admitWaiting(deps: WorkDeps, accountId: string): Promise<void> {
  const admitted = await deps.accountQueue(accountId, async () => {
    const ids: string[] = [];
    for (let attempt = 1; attempt <= triesAtMost; attempt += 1) {
      try {
        const id = await admitOldest(deps, accountId);
        if (id === null) break;
        ids.push(id);
      } catch (error) {
        if (!(error instanceof StaleWrite)) throw error;
        if (error.of === 'generation') break;
      }
    }
    return ids;
  });
  for (const id of admitted) await deps.database.jobs.wake(id);
}

/** Admits one; null when there is no free place or nobody waits. */
async function admitOldest(
  { database, clock, defaultLimits }: WorkDeps,
  accountId: string,
): Promise<string | null> {
  const before = await database.accounts.find(accountId);
  if (!before || before.running >= limitsOf(before, defaultLimits).running) return null;
  const [id] = await database.generations.findWaiting(accountId, 1);
  if (id === undefined) return null;
  const now = clock.now();
  await database.transaction(async (stores) => {
    const change = {
      step: 'ready' as const,
      dueAt: now,
      timeline: [{ at: now, what: 'has a place to run' }],
    };
    // Leased at this moment (its deadline is being looked at): leave it, the next end comes by again.
    if (!(await stores.generations.move(id, 'waiting', change))) {
      throw new StaleWrite('generation', id);
    }
    const after = { ...before, running: before.running + 1, waiting: before.waiting - 1 };
    await stores.accounts.update(before, after);
  });
  return id;
}
