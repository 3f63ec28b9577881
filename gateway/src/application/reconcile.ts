import pLimit from 'p-limit';
import { admitWaiting } from './admitWaiting.ts';
import { expireCredits } from './expireCredits.ts';
import { runGeneration } from './runGeneration.ts';
import { tidyGenerations } from './tidyGenerations.ts';
import { wakeParked } from './wakeParked.ts';
import type { WorkDeps } from './workDeps.ts';

const atMost = 500;
const atOnce = 10;

/**
 * Heals and tidies: takes up what stands still or is past its deadline, gives free places away, makes
 * lost jobs again, takes out expired credits, deletes old files and frees old idempotency keys. Each part
 * is tried whatever became of the others; everything it does is safe to do twice.
 */
export async function reconcile(deps: WorkDeps, signal: AbortSignal): Promise<void> {
  const { database, clock, log, reach } = deps;
  const { neglectedAfterMs } = deps.timings;
  await reach('reconcile.beforeHealing');
  const limit = pLimit(atOnce);
  const isOver = () => signal.aborted;
  const part = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    if (isOver()) return;
    try {
      await work();
    } catch (error) {
      if (!isOver()) log.error({ error, part: name }, 'reconciling failed');
    }
  };
  const each = (ids: readonly string[], work: (id: string) => Promise<unknown>) =>
    Promise.all(ids.map((id) => limit(() => part(id, () => work(id)))));

  await part('neglected', async () => {
    const now = clock.now();
    const ids = await database.generations.findNeglected(now, now - neglectedAfterMs, atMost);
    await each(ids, (id) => runGeneration(deps, id, signal));
  });
  await part('places', async () => {
    const ids = await database.generations.findStarvedAccounts(atMost);
    await each(ids, (id) => admitWaiting(deps, id));
  });
  await part('parked', () => wakeParked(deps));
  await part('jobs', async () => {
    const lost = await database.generations.findWithoutJob(clock.now() - neglectedAfterMs, atMost);
    for (const { id, deadlineAt } of lost) await database.jobs.insert(id, deadlineAt);
    if (lost.length > 0) log.warn({ count: lost.length }, 'lost jobs were made again');
  });
  await part('credits', async () => {
    const ids = await database.accounts.findWithExpiredLots(clock.now(), atMost);
    await each(ids, (id) => expireCredits(deps, id));
  });
  await part('tidying', () => tidyGenerations(deps));
}
