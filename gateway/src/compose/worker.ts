import { createJobs } from '../adapters/agenda/createJobs.ts';
import { createKeyedQueue } from '../application/keyedQueue.ts';
import { createPoller } from '../application/pollDue.ts';
import { reconcile } from '../application/reconcile.ts';
import { runGeneration } from '../application/runGeneration.ts';
import type { WorkDeps } from '../application/workDeps.ts';
import type { Shared } from './shared.ts';

/** Generations that one process starts or finishes at once. */
const runsAtOnce = 50;

/** Starts the worker's part: Agenda and what its jobs do. */
export async function composeWorker(
  shared: Shared,
): Promise<{ stop(graceMs: number): Promise<void> }> {
  const { config, log, mongo } = shared;
  const stopping = new AbortController();
  const models = new Map(shared.models.map((model) => [model.id, model]));
  const deps: WorkDeps = {
    ...shared,
    database: mongo.database,
    clock: mongo.clock,
    providerQueue: createKeyedQueue(),
    media: shared.media.store,
    takeInputs: shared.media.takeInputs,
    storeOutput: shared.media.storeOutput,
    inputUrl: shared.media.inputUrl,
    defaultLimits: config.limits,
    runningDeadlineMs: (modelId) => (models.get(modelId)?.maxSeconds ?? 3600) * 1000,
    outputsKeptMs: config.outputsKeptSeconds * 1000,
  };
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
