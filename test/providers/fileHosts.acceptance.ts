import { beforeAll, expect, test } from '@jest/globals';
import { maxFailures } from '../../gateway/src/domain/providers/breaker.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';
import { type RoutedArk, useRoutedArk } from './useRoutedArk.ts';

/* A failing file host has an open circuit, while the API that made the files stays in service. */

const world = useRoutedArk(
  (ark) => ({
    providers: { p: arkProvider(ark) },
    models: { 'alpha-2.0-mini': [{ provider: 'p', model: 'seedance', does: statedVideo }] },
  }),
  { credits: 100_000, limits: { running: 100 } },
);
let { ark, gateway, account } = {} as RoutedArk;
beforeAll(() => {
  ({ ark, gateway, account } = world());
});

const order = async (prompt: string) => {
  const body = video({ model: 'alpha-2.0-mini', prompt });
  const { status, json } = await account.post('/v1/videos', body);
  expect(status).toBe(202);
  return String(json['id']);
};

test('unreachable files open the circuit of their host, which a later fetch closes', async () => {
  const fault = { kind: 'html', status: 503 } as const;
  // Each of the first ones retries its file.
  ark.script({ on: 'media', fault, times: 6 * maxFailures });
  const ids = await Promise.all(
    Array.from({ length: maxFailures }, (_, index) => order(`lake ${String(index)}`)),
  );
  const { collections, database } = gateway;
  const key = `p files ${ark.mediaHost}`;
  const breakerOf = (id: string) => collections.breakers.findOne({ _id: id });
  await until(async () => (await breakerOf(key))?.['openedAt'] instanceof Date);
  const waiting = await order('waits for the host');
  await until(async () => (await database.generations.find(waiting))?.step === 'parked');
  expect((await database.generations.find(waiting))?.waitsFor?.providers).toEqual([key]);
  expect(ark.accepted('waits for the host')).toBe(0);
  expect(await breakerOf('p')).toBeNull();
  const alerts = gateway.errors.filter((line) => line.includes('circuit_open'));
  expect(alerts).toEqual([expect.stringContaining(`"fileHost":"${ark.mediaHost}"`)]);

  for (const id of [...ids, waiting]) {
    expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
  }
  expect(await breakerOf(key)).toMatchObject({ openedAt: null, failures: 0 });
});
