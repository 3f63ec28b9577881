import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { arkProvider } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';
import { type RoutedArk, useRoutedArk } from './useRoutedArk.ts';

/* A provider with an open circuit gets a free request before a customer's order. */

const world = useRoutedArk(
  (ark) => ({
    providers: { lone: arkProvider(ark) },
    models: { 'alpha-2.0-mini': [{ provider: 'lone', model: 'seedance', does: statedVideo }] },
  }),
  { credits: 100_000 },
);
let { ark, gateway, account } = {} as RoutedArk;
beforeAll(() => {
  ({ ark, gateway, account } = world());
});
afterEach(() => ark.reset());

const breaker = () => gateway.collections.breakers.findOne({ _id: 'lone' });

/** Ends the pause, and lets the waiting generation look for a slot until something happens. */
async function whenPaused(id: string, happens: () => Promise<boolean> | boolean): Promise<void> {
  const { collections, database } = gateway;
  const change = { $set: { openUntil: new Date(0) }, $inc: { version: 1 } };
  await collections.breakers.updateOne({ _id: 'lone' }, change);
  await until(async () => {
    await database.jobs.wake({ generationId: id, accountId: account.accountId });
    return happens();
  });
}

test.each([
  ['refuses the key', { kind: 'error', status: 401, code: 'AuthenticationError' } as const],
  ['is not reached', { kind: 'drop' } as const],
])('a provider that %s gets no order until its free probe succeeds', async (_, fault) => {
  const refused = { kind: 'error', status: 401, code: 'AuthenticationError' } as const;
  ark.script({ on: 'submit', fault: refused }, { on: 'list', fault });
  const created = await account.post('/v1/videos', video({ model: 'alpha-2.0-mini' }));
  const id = String(created.json['id']);
  const { database } = gateway;
  const stepOf = async () => (await database.generations.find(id))?.step;
  await until(async () => (await stepOf()) === 'parked');
  expect([ark.submitted().length, ark.listed()]).toEqual([1, 0]);

  await whenPaused(id, async () => Number((await breaker())?.['failures']) === 2);
  await until(async () => (await stepOf()) === 'parked');
  expect([ark.submitted().length, ark.listed()]).toEqual([1, 1]);

  ark.reset();
  await whenPaused(id, () => ark.submitted().length === 1);
  expect(ark.listed()).toBe(1);
  expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
  expect(await breaker()).toMatchObject({ openedAt: null, failures: 0 });
});
