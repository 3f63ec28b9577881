import { expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import {
  createRouteSpeeds,
  listRankedRoutes,
} from '../../gateway/src/application/generations/run/routeSpeeds.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  range,
  routesOf,
  routeTo,
  store,
  workGeneration,
} from '../support/workWorld.ts';

/* Routes in the order of their speed, measured by their finished orders. */

const listed = [routeTo('slow'), routeTo('unknown'), routeTo('fast')];
const routes = { ...routesOf({ m: listed }), rankingOf: () => 'fastest' as const };
const opened = useWorkProcesses(1, { routes });

test('the fastest comes first, and a tenth of the orders goes to a route without results', async () => {
  const [{ mongo, deps }] = opened();
  const endedAt = mongo.clock.now() - minuteMs;
  const finished = (provider: string, seconds: number, id: string) => {
    const startedAt = endedAt - seconds * 1000;
    return workGeneration(id, 'acct_1', startedAt, {
      status: 'completed',
      step: 'ended',
      startedAt,
      endedAt,
      parameters: { resolution: '720p', duration_seconds: 5, aspect_ratio: '16:9' } as never,
      attempts: [{ ...acceptedBy(provider, startedAt), outcome: 'completed' }],
    });
  };
  await store(mongo, [
    ...range(3).map((index) => finished('slow', 90 + index, `gen_slow${String(index)}`)),
    ...range(3).map((index) => finished('fast', 30 + index, `gen_fast${String(index)}`)),
    ...range(2).map((index) => finished('unknown', 1, `gen_new${String(index)}`)),
  ]);
  const speeds = createRouteSpeeds({ ...mongo, log: deps.log, routes, models: () => ['m'] });
  try {
    await speeds.refresh();
    const ranking = async (lot: number) => {
      const random = { ...deps.random, fraction: () => lot };
      const found = await listRankedRoutes({ routes, random, speeds }, 'm', listed, {} as never);
      return found.map(({ provider }) => provider);
    };
    expect(await ranking(0.5)).toEqual(['fast', 'slow', 'unknown']);
    expect(await ranking(0.05)).toEqual(['unknown', 'fast', 'slow']);
  } finally {
    speeds.stop();
  }
});
