import { expect, test } from '@jest/globals';
import { describedAt, taskWork } from './describedApi.ts';
import { imageRequest, input, never, openRoute, videoRequest } from './routeFixtures.ts';
import { json } from './tinyServer.ts';
import { useTinyServer } from './useTinyServer.ts';

/* Where the responses of described APIs state their charges. */

/** The responses to come. */
const said: unknown[] = [];
const server = useTinyServer((_, response) => json(response, 200, said.shift()));

const does = {
  modes: ['text-to-video', 'image-to-video'],
  seconds: [5],
  resolutions: ['720p'],
  aspectRatios: ['16:9'],
};
const inCents = { at: '/usage/cost', currency: 'USD', factor: 0.01 };

async function openVideos(charged: object, route: object = {}) {
  const api = { videos: { ...taskWork, charged } };
  return (await openRoute(describedAt(server(), { api }), 'v', { route: { does, ...route } }))
    .route;
}

const usd = (micros: number) => ({ currency: 'USD', micros });

test.each([
  [12.5, usd(125_000)],
  ['12.5', usd(125_000)],
  [0, usd(0)],
  [1e-7, usd(0)],
  [null, undefined],
  [-1, { unreadable: '-1' }],
  [1e30, { unreadable: '1e+30' }],
  ['<html>12</html>', { unreadable: 'string' }],
  ['', { unreadable: 'string' }],
  [true, { unreadable: 'boolean' }],
  [{ usd: 1 }, { unreadable: 'object' }],
])('%j is %j', async (cost, charged) => {
  const route = await openVideos(inCents);
  said.push({ id: 't', state: 'done', files: [`${server().origin}/content`], usage: { cost } });
  const done = await route.poll({ taskId: 't', endpoint: '/orders' }, videoRequest(), never);
  expect(done).toMatchObject({ kind: 'completed', ...(charged && { charged }) });
  expect('charged' in done).toBe(charged !== undefined);
});

test('only responses to orders and failed tasks state a charge', async () => {
  const route = await openVideos(inCents);
  said.push({ id: 't', usage: { cost: 3 } }, { state: 'wait', usage: { cost: 3 } });
  const made = await route.submit(videoRequest(), never);
  expect(made).toMatchObject({ kind: 'accepted', charged: usd(30_000) });
  const operation = { taskId: 't', endpoint: '/orders' };
  expect(await route.poll(operation, videoRequest(), never)).toEqual({ kind: 'pending' });
  said.push({ state: 'bad', usage: { cost: 0 } });
  const failed = await route.poll(operation, videoRequest(), never);
  expect(failed).toMatchObject({ kind: 'failed', charged: usd(0) });
});

test('tokens are handed over, and priced by the route', async () => {
  const cost = { currency: 'EUR', perMillionTokens: { '720p': 2 }, perCall: 0.01 };
  const route = await openVideos({ at: '/usage/tokens', factor: 1000, tokens: true }, { cost });
  said.push({ id: 't', usage: { tokens: 50 } });
  const made = await route.submit(videoRequest(), never);
  expect(made).toMatchObject({ charged: { tokens: 50_000 } });
  expect(await route.findCost(videoRequest(), 50_000)).toEqual({
    currency: 'EUR',
    micros: 110_000,
  });
});

test('the calls of an order of images are added up, if all of them state a charge', async () => {
  const images = {
    submit: { path: '/images' },
    files: { base64: '/data' },
    charged: { at: '/cost', currency: 'USD' },
  };
  const imageDoes = { resolutions: ['1k'], aspectRatios: ['1:1'] };
  const { route } = await openRoute(describedAt(server(), { api: { images } }), 'i', {
    type: 'image',
    route: { does: imageDoes },
  });
  const data = btoa('picture');
  const order = () => route.submit(imageRequest({ n: 3 }), never);
  said.push({ data, cost: 0.01 }, { data, cost: 0.02 }, { data, cost: '0.03' });
  expect(await order()).toMatchObject({ kind: 'completed', charged: usd(60_000) });
  said.push({ data, cost: 0.01 }, { data }, { data, cost: 0.03 });
  const partly = await order();
  expect([partly.kind, 'charged' in partly]).toEqual(['completed', false]);
  said.push({ data, cost: 0.01 }, { data, cost: -2 }, { data, cost: 0.03 });
  expect(await order()).toMatchObject({ charged: { unreadable: '-2' } });
});

test.each([
  [{ at: '/cost' }, {}, 'providers.p.api.videos.charged must have currency, or tokens: true'],
  [
    { ...inCents, tokens: true },
    {},
    'providers.p.api.videos.charged must not have both currency and tokens',
  ],
  [
    { ...inCents, factor: 0 },
    {},
    'providers.p.api.videos.charged.factor must be a positive number',
  ],
  [
    inCents,
    { cost: { currency: 'EUR', perSecond: 1 } },
    'models.m[0]: cost.currency must be USD, as in "charged" of the API\'s description',
  ],
])('%j with a route %j is refused', async (charged, route, problem) => {
  await expect(openVideos(charged, route)).rejects.toThrow(problem);
});

test('OpenRouter gets frames in its list, and states what it charged in dollars', async () => {
  const { route } = await openRoute(
    describedAt(server(), { like: 'openrouter', mediaHosts: [] }),
    'google/veo-3.1',
    { route: { does: { ...does, audio: true, lastFrame: true } } },
  );
  said.push({ id: 'job-1', polling_url: '/api/v1/videos/job-1', status: 'pending' });
  const inputs = [input('first_frame')];
  const made = await route.submit(
    videoRequest({ generate_audio: true }, { mode: 'image-to-video', inputs }),
    never,
  );
  expect(made).toMatchObject({ kind: 'accepted', operation: { taskId: 'job-1' } });
  expect(server().got[0]).toMatchObject({
    method: 'POST',
    path: '/videos',
    headers: { authorization: 'Bearer secret-key' },
    body: {
      model: 'google/veo-3.1',
      duration: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: true,
      frame_images: [
        { type: 'image_url', image_url: { url: inputs[0]?.url() }, frame_type: 'first_frame' },
      ],
    },
  });
  const usage = { cost: 0.5, is_byok: false };
  said.push({ id: 'job-1', status: 'completed', usage, unsigned_urls: ['https://x.example/1'] });
  const operation = made.kind === 'accepted' ? made.operation : null;
  const done = await route.poll(operation, videoRequest(), never);
  expect(done).toMatchObject({ kind: 'completed', charged: usd(500_000) });
});
