import { afterEach, expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

/* While the database's clock is wrong, nothing is accepted that would write times. */

const { world, operator } = useOperatorWorld();
const clock = () => world.gateway.clock;
const set = (wrong: 'database' | null) => {
  clock().wrongClock = () => wrong;
};
const doubt = () => set('database');
const trust = () => set(null);
afterEach(trust);
const refused = { status: 503, code: 'clock_wrong' };

test('a create is refused with the time to wait, while reads and repeats are answered', async () => {
  const account = await world.gateway.addAccount({ credits: 1_000 });
  const headers = { 'idempotency-key': 'first-0123456789abcdef' };
  const first = await account.post('/v1/videos', video(), headers);
  expect(first.status).toBe(202);
  doubt();
  const response = await account.post('/v1/videos', video());
  expect(errorOf(response)).toMatchObject(refused);
  expect(response.headers.get('retry-after')).toBe('30');
  expect((await account.post('/v1/videos', video(), headers)).text).toBe(first.text);
  expect((await account.get('/v1/credits/balance')).status).toBe(200);
  trust();
  expect((await account.post('/v1/videos', video())).status).toBe(202);
});

test('the operator API refuses writes, and the site and the console refuse forms', async () => {
  const id = await world.addCustomer();
  doubt();
  const grant = { amount: 5, kind: 'purchased' };
  expect(errorOf(await operator.post(`/accounts/${id}/credits/grants`, grant))).toMatchObject(
    refused,
  );
  expect((await operator.get(`/accounts/${id}`)).status).toBe(200);
  for (const path of ['/sign-in', '/staff/sign-in']) {
    const page = await fetch(world.gateway.origin + path);
    expect(page.status).toBe(200);
    const form = await fetch(world.gateway.origin + path, { method: 'POST' });
    expect(form.status).toBe(503);
    expect(await form.text()).toContain('clocks');
  }
});
