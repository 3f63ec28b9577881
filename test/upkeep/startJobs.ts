import { dayMs } from '@framegate/contract';
import {
  createJobs,
  type JobHandlers,
  type Jobs,
} from '../../gateway/src/adapters/agenda/createJobs.ts';
import { createWorkStore } from '../../gateway/src/adapters/mongo/generations/workStore.ts';
import { watchWork } from '../../gateway/src/application/upkeep/watchWork.ts';
import { collectLog } from '../support/mongod.ts';
import { type UpkeepProcess } from './upkeepWorld.ts';

const timings = { lockMs: 3_000, superviseEveryMs: 100 };

/** Starts the jobs of a process, with handlers that do nothing but those given. */
export async function startJobs(
  { mongo }: UpkeepProcess,
  handlers: Partial<JobHandlers>,
  more: {
    upkeepTasks?: Record<string, { shards: number; everyMs: number }>;
    lockMs?: number;
    /** False: due jobs are checked once, at startup. */
    looks?: false;
    heard?: (message: string) => void;
  } = {},
): Promise<Jobs> {
  const { upkeepTasks = {}, lockMs = timings.lockMs } = more;
  const nothing: JobHandlers = {
    run: async () => ({ at: mongo.clock.now() + dayMs, isTaken: false }),
    runUpkeep: async () => undefined,
  };
  const { log } = collectLog(more.heard);
  const work = createWorkStore(mongo.collections, mongo.clock, mongo.processId);
  const watch = (mayWork: () => boolean, runDue: () => Promise<void>) =>
    watchWork({ work, log, mayWork, lookEveryMs: 250 }, { runDue, poll: async () => undefined });
  const jobs = createJobs({
    db: mongo.db,
    log,
    clock: mongo.clock,
    processName: `worker ${mongo.processId}`,
    work,
    watchWork: ({ mayWork, runDue }) => {
      if (more.looks !== false) return watch(mayWork, runDue);
      void runDue();
      return { leads: () => false, stop: async () => undefined };
    },
    wakeUps: mongo.database.jobs,
    maxRunsAtOnce: 5,
    upkeepTasks,
    timings: { ...timings, lockMs },
    handlers: { ...nothing, ...handlers },
  });
  await jobs.start();
  return jobs;
}
