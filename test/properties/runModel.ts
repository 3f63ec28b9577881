import fc from 'fast-check';
import { modelCommands } from './modelCommands.ts';
import { ModelRun } from './modelRun.ts';
import { openModelWorld } from './modelWorld.ts';

const runsAtOnce = 10;
/** Factor by which a run may be extended until each event has occurred, because the order of equal times varies. */
const maxLonger = 4;

/** Events that must occur in a run, which otherwise proves nothing. */
export const everyEvent = [
  ...['cancelled', 'capacity_exceeded', 'completed', 'concurrency_limited', 'death'],
  ...[
    'generation_failed',
    'generation_timeout',
    'insufficient_credits',
    'output_rejected',
    'replay',
  ],
];

/**
 * Runs random steps against the real use cases and the reference until `steps` of them and each event have occurred.
 * @returns The number of steps and runs, and the counts of events in them.
 * @throws Error with the shortest steps that break a promise, and the seed to play them again.
 */
export async function runModel(options: {
  uri: string;
  steps: number;
  seed: number;
  note?: (line: string) => void;
}): Promise<{ steps: number; runs: number; met: Record<string, number> }> {
  const world = await openModelWorld(options.uri);
  let steps = 0;
  let runs = 0;
  const met: Record<string, number> = {};
  try {
    const isDone = () =>
      steps >= options.steps * maxLonger ||
      (steps >= options.steps && everyEvent.every((event) => event in met));
    for (let seed = options.seed; !isDone(); seed += 1) {
      await fc.assert(
        fc.asyncProperty(
          fc.commands(modelCommands(), { size: 'max', maxCommands: 60 }),
          async (commands) => {
            const run = await ModelRun.start(world);
            await fc.asyncModelRun(() => ({ model: {}, real: run }), commands);
            await run.finish();
            steps += run.steps;
            runs += 1;
            for (const [what, count] of run.met) met[what] = (met[what] ?? 0) + count;
          },
        ),
        { seed, numRuns: runsAtOnce },
      );
      options.note?.(`${steps} steps`);
    }
    return { steps, runs, met };
  } finally {
    await world.mongo.close();
  }
}
