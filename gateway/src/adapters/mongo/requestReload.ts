import { pause } from '@framegate/limits';
import type { ProcessReload } from '../../application/ports/providers.ts';
import type { Clock } from '../../application/ports/system.ts';
import { type Collections, shortReadMs } from './collections.ts';
import { liveMs } from './processRegistry.ts';

/** Maximum wait for the processes, which see the request at their next heartbeat, in ms. */
const reloadWithinMs = 30_000;
const askEveryMs = 200;

/**
 * Asks all live gateway processes on this database to re-read their routes files, and waits for each response. The
 * request is written into the process's own document, so it needs no other channel.
 * @param request Name of the request.
 */
export async function requestReload(
  { processes }: Pick<Collections, 'processes'>,
  clock: Pick<Clock, 'now'>,
  request: string,
): Promise<ProcessReload[]> {
  const live = {
    seenAt: { $gte: new Date(clock.now() - liveMs) },
    role: { $in: ['all', 'api', 'worker'] },
  } as const;
  await processes.updateMany(
    live,
    { $set: { reloadRequest: request } },
    { maxTimeMS: shortReadMs },
  );
  const until = clock.now() + reloadWithinMs;
  for (;;) {
    const documents = await processes
      .find({ reloadRequest: request }, { maxTimeMS: shortReadMs })
      .toArray();
    const all = documents.map((each): ProcessReload => {
      const { request: answered, ...response } = each.reloaded ?? { request: null };
      return {
        process: each._id,
        host: each.host,
        role: each.role,
        result: 'silent',
        problems: [],
        ...(answered === request && response),
      };
    });
    if (!all.some(({ result }) => result === 'silent') || clock.now() >= until) return all;
    await pause(askEveryMs);
  }
}
