import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Mischief } from './support/observedApi.ts';
import { hydrated } from './support/outputs.ts';
import { results, type Values } from './support/zap.ts';
import {
  startZapierWorld,
  type StepName,
  type ZapierWorld,
  type ZapUser,
} from './support/zapierWorld.ts';

/* The API key is in no error and no log of Zapier, whatever the API responds. */

const order = { model: 'image-b-2', prompt: 'A cup' };
let world: ZapierWorld;
let user: ZapUser;
let image: Values;

beforeAll(async () => {
  world = await startZapierWorld([]);
  await world.startWorker();
  user = await world.addUser();
  image = results(
    await user.run('create_image', order, { betweenAttempts: () => world.untilEnded(user) }),
  );
});

afterAll(async () => {
  await world.stop();
});

test.each<[string, () => Mischief]>([
  ['a page', () => ({ kind: 'response', status: 200, body: '<html></html>' })],
  ['a refused key', () => ({ kind: 'response', status: 401, body: '{}' })],
  ['an error', () => ({ kind: 'response', status: 500, body: 'no' })],
  ['a cut connection', () => ({ kind: 'reset' })],
])('no secret is in the messages of any step about %s', async (_case, mischief) => {
  user.api.mischief = mischief;
  // Without its cache, a step ends at the first fault.
  user.platform.cacheIsFull = true;
  const runs: [StepName, Values][] = [
    ['test', {}],
    ['all_models', {}],
    ['video_fields', { model: 'alpha-2.0-pro' }],
    ['create_image', { ...order, prompt: 'A saucer' }],
    ['find_generation', { generation: image['id'] }],
    ['find_price', order],
    ['find_balance', {}],
    ['download', hydrated(image['file'])],
  ];
  for (const [step, inputData] of runs) {
    const { outcome } = await user.run(step, inputData);
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).not.toContain(user.account.apiKey);
  }
  const logged = user.platform.logged.join('\n');
  expect(logged).toContain('/v1/images');
  expect(logged).not.toContain(user.account.apiKey);
});
