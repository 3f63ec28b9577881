import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../application/ports/system.ts';
import type { Collections } from './collections.ts';
import type { ProcessReload, RoutesReload } from '../../application/ports/reload.ts';
import { liveMs } from './processRegistry.ts';

/** How long the processes are waited for, in ms: they see the wish at their next heartbeat. */
const withinMs = 30_000;
const everyMs = 200;
const maxTimeMS = 5_000;

/**
 * Asks all live processes of the gateway on this database to read their routes file again, and waits for what
 * each of them says. The wish is written into the process's own document, so it needs no other channel.
 * @param asked Names the wish.
 */
export async function askToReload(
  { processes }: Pick<Collections, 'processes'>,
  clock: Pick<Clock, 'now'>,
  asked: string,
): Promise<ProcessReload[]> {
  const live = {
    seenAt: { $gte: new Date(clock.now() - liveMs) },
    role: { $in: ['all', 'api', 'worker'] },
  };
  await processes.updateMany(live, { $set: { reloadAsked: asked } }, { maxTimeMS });
  const until = clock.now() + withinMs;
  for (;;) {
    const found = await processes.find({ reloadAsked: asked }, { maxTimeMS }).toArray();
    const all = found.map((each): ProcessReload => {
      const said = each['reloaded'] as (Partial<RoutesReload> & { asked: string }) | null;
      const answer: Partial<RoutesReload> = said?.asked === asked ? said : {};
      return {
        process: each._id,
        host: String(each['host']),
        role: String(each['role']),
        result: answer.result ?? 'silent',
        problems: answer.problems ?? [],
      };
    });
    if (!all.some(({ result }) => result === 'silent') || clock.now() >= until) return all;
    await pause(everyMs);
  }
}
