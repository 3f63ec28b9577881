import { createJobs } from '../adapters/agenda/createJobs.ts';
import { createPoller } from '../application/pollDue.ts';
import { reconcile } from '../application/reconcile.ts';
import { runGeneration } from '../application/runGeneration.ts';
import type { Shared } from './shared.ts';
import { workDepsOf } from './workDeps.ts';

/** Generations that one process starts or finishes at once. */
const runsAtOnce = 50;

/** Starts the worker's part: Agenda and what its jobs do. */
export async function composeWorker(
  shared: Shared,
): Promise<{ stop(graceMs: number): Promise<void> }> {
  const { log, mongo } = shared;
  const stopping = new AbortController();
  const deps = workDepsOf(shared);
  const poller = createPoller(deps, stopping.signal);
  const jobs = createJobs({
    db: mongo.db,
    log,
    clock: mongo.clock,
    processName: `framegate ${process.pid}`,
    runsAtOnce,
    timings: shared.timings,
    handlers: {
      run: (generationId, signal) => runGeneration(deps, generationId, signal),
      poll: (signal) => poller.pollDue(signal),
      reconcile: (signal) => reconcile(deps, signal),
    },
  });
  await shared.media.removeLeftovers();
  await jobs.start();
  return {
    async stop(graceMs) {
      const cut = setTimeout(() => {
        stopping.abort(new Error('the process is stopping'));
      }, graceMs);
      await jobs.stop(graceMs);
      await poller.drain();
      clearTimeout(cut);
    },
  };
}
