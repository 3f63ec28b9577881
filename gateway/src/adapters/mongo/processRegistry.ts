import type { Clock } from '../../application/ports/clock.ts';
import type { Log } from '../../application/ports/log.ts';
import type { Collections } from './collections.ts';

const beatMs = 5_000;
const goneAfterMs = 15_000;

/** The live processes of this gateway: limits kept in memory are shared out over them. */
export interface ProcessRegistry {
  /** Processes that answer the API now, this one among them; at least 1. */
  liveApis(): number;
  stop(): Promise<void>;
}

/** Tells the others that this process is there, every few seconds, and counts them. */
export async function joinProcesses(
  { processes }: Pick<Collections, 'processes'>,
  clock: Clock,
  log: Log,
  self: { id: string; role: 'all' | 'api' | 'worker' },
): Promise<ProcessRegistry> {
  let live = 1;
  async function beat(): Promise<void> {
    await processes.updateOne({ _id: self.id }, [{ $set: { role: self.role, seenAt: '$$NOW' } }], {
      upsert: true,
    });
    const since = new Date(clock.now() - goneAfterMs);
    const apis = await processes.countDocuments({
      seenAt: { $gte: since },
      role: { $in: ['all', 'api'] },
    });
    live = Math.max(1, apis);
  }
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) => {
      log.warn({ error }, 'this process could not say that it is there');
    });
  }, beatMs);
  timer.unref();
  return {
    liveApis: () => live,
    async stop() {
      clearInterval(timer);
      await processes.deleteOne({ _id: self.id }).catch(() => undefined);
    },
  };
}
