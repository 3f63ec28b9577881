import { beforeAll, expect, test } from '@jest/globals';
import { setAccountLimits } from '../../gateway/src/application/accounts/accounts.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { closedBreaker } from '../../gateway/src/domain/providers/breaker.ts';
import { plain } from '../support/plainCollection.ts';
import { until } from '../support/until.ts';
import { useArkGateway } from '../support/useArkGateway.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { sent } from './support/useStudio.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

/* Pages name the reason why an unfinished generation waits, at a provider with one slot. */

const world = useArkGateway({ provider: { maxConcurrent: 1 } });
let visitor: Visitor;

beforeAll(async () => {
  const { ark, gateway } = world();
  ark.setHeld(true);
  visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'ada@example.com');
  const { database, clock } = gateway;
  const accountId = (await database.accounts.findByEmail('ada@example.com'))?.id ?? '';
  const grant = {
    amountCredits: 10_000,
    kind: 'purchased',
    expiresAt: null,
    reason: null,
  } as const;
  const deps = { database, clock, random: gateway.random, defaultLimits };
  await grantCredits(deps, { accountId, ...grant });
  await setAccountLimits(deps, { accountId, limits: { running: 2 } });
});

/** Orders a video in the studio. @returns The path of its page. */
async function order(prompt: string): Promise<string> {
  const fields = { model: 'alpha-2.0-mini', prompt };
  const form = await visitor.post('/studio', { do: 'update', ...fields });
  const made = await visitor.post('/studio', { ...sent(form), do: 'create', ...fields });
  return made.path.replace('/studio?generation=', '/generations/');
}

const wordsOn = async (path: string) =>
  /class="words"[^>]*>([^<]*)/.exec((await visitor.get(path)).text)?.[1] ?? '';
const untilItSays = (path: string, words: string) =>
  until(async () => (await wordsOn(path)).startsWith(words));

test('a page names the reason why its generation waits, and the studio a model with problems', async () => {
  const running = await order('running');
  await untilItSays(running, 'Usually takes');
  const waiting = await order('waiting');
  await untilItSays(waiting, 'Waiting for capacity.');
  const queued = await order('queued');
  await untilItSays(queued, 'Queued behind your other generations.');
  expect(await wordsOn(queued)).toMatch(
    /Starts automatically, or is refunded in (6 h|5 h 59 min)\./,
  );
  expect((await visitor.get('/studio')).text).not.toContain('Delayed');

  const { collections } = world().gateway;
  const [openedAt, openUntil] = [new Date(), new Date(Date.now() + 300_000)];
  const breaker = { ...closedBreaker, openedAt, openUntil, busyUntil: new Date(0), version: 1 };
  await plain(collections.breakers).insertOne({ _id: 'ark', ...breaker });
  await untilItSays(waiting, 'This model is having problems.');
  expect((await visitor.get('/studio')).text).toContain('<small class="badge warning">Delayed');
});

test('a waiting generation can be cancelled by its owner and is refunded, a running one cannot', async () => {
  const { collections, database } = world().gateway;
  await collections.breakers.deleteMany({});
  const balance = async () =>
    (await visitor.get('/credits')).text.match(/([\d,]+) credits available/)?.[1];
  const before = await balance();
  const path = await order('changed my mind');
  await untilItSays(path, 'Queued behind your other generations.');
  expect((await visitor.get(path)).text).toContain('Cancel and refund 30 credits');
  const stranger = createVisitor(world().gateway.origin);
  await signUpVerified(stranger, world().gateway.dataDir, 'eve@example.com');
  await stranger.get('/credits');
  expect((await stranger.post(`${path}/cancel`)).status).toBe(404);

  await visitor.get(path);
  const done = await visitor.post(`${path}/cancel`);
  expect([done.path, done.text]).toEqual([path, expect.stringContaining('You cancelled this')]);
  expect(done.text).toContain('30 credits refunded.');
  expect(await balance()).toBe(before);
  // Customers of the API get a known failure.
  const stored = await database.generations.find(path.replace('/generations/', ''));
  expect(stored?.failure).toEqual({ code: 'capacity_exceeded', wasCancelled: true });
  expect((await visitor.get('/history')).text).toContain('Cancelled');

  const running = await collections.generations.findOne({ prompt: 'running' });
  const refused = await visitor.post(`/generations/${running?._id}/cancel`);
  expect(refused.text).toContain('This generation has just started');
  expect(refused.text).toMatch(/class="cancel"\s+hidden/);
});
