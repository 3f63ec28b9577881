import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeRoutes,
  imageRequest,
  never,
  openRoute,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { json, startTinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { image, video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { Fault } from '../support/fakeArk/script.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';

afterAll(closeRoutes);

const makers = {
  fal: { package: '@ai-sdk/fal', factory: 'createFal', origin: 'https://fal.run' },
  openai: { package: '@ai-sdk/openai', factory: 'createOpenAI', origin: 'https://api.openai.com' },
  xai: { package: '@ai-sdk/xai', factory: 'createXai', origin: 'https://api.x.ai' },
  google: {
    package: '@ai-sdk/google',
    factory: 'createGoogle',
    origin: 'https://generativelanguage.googleapis.com',
  },
} as const;
type Maker = keyof typeof makers;

/** A provider entry of a routes file whose API is the server at `origin`. */
function entryOf(maker: Maker, origin: string): object {
  const { origin: api, ...rest } = makers[maker];
  return {
    kind: 'ai-sdk',
    ...rest,
    allowPrivateNetwork: true,
    mediaHosts: ['files.example'],
    rewriteOrigins: { [api]: origin },
  };
}

const typed = (type: string) => ({ detail: [{ loc: ['body'], msg: 'no', type }] });

/** Errors that answer a one-call order of images, and their meaning: a code, or the next route. */
const responses: [Maker, string, number, object, string | null][] = [
  ['fal', 'fal-ai/flux/dev', 422, typed('generation_error'), 'generation_failed'],
  ['fal', 'fal-ai/flux/dev', 400, typed('downstream_service_error'), 'generation_failed'],
  ['fal', 'fal-ai/flux/dev', 422, typed('no_media_generated'), 'output_rejected'],
  ['fal', 'fal-ai/flux/dev', 422, typed('content_policy_violation'), 'input_rejected'],
  ['fal', 'fal-ai/flux/dev', 401, { detail: 'Invalid key' }, null],
  ['fal', 'fal-ai/flux/dev', 402, { detail: 'No balance' }, null],
  ['fal', 'fal-ai/flux/dev', 404, { detail: 'No such model' }, null],
  [
    ...(['openai', 'gpt-image-2', 400] as const),
    { error: { code: 'image_generation_user_error', message: 'no' } },
    'generation_failed',
  ],
  [
    ...(['openai', 'gpt-image-2', 400] as const),
    { error: { code: 'billing_hard_limit_reached', message: 'no' } },
    null,
  ],
  [
    ...(['xai', 'grok-imagine-image', 400] as const),
    { code: 'x', error: 'Image generation failed.' },
    'generation_failed',
  ],
  [
    ...(['xai', 'grok-imagine-image', 400] as const),
    { code: 'x', error: 'Generated image rejected by content moderation.' },
    'output_rejected',
  ],
  [
    ...(['xai', 'grok-imagine-image', 400] as const),
    { code: 'x', error: 'Prompt rejected by content moderation.' },
    'input_rejected',
  ],
  [
    ...(['google', 'gemini-3-pro-image', 400] as const),
    { error: { code: 400, message: 'Internal generation problem', status: 'INVALID_ARGUMENT' } },
    'generation_failed',
  ],
];

describe('an error that answers a one-call order of images', () => {
  test.each(responses)('%s %s: %d %j -> %s', async (maker, model, status, body, code) => {
    const server = await startTinyServer((_, response) => json(response, status, body));
    const { route } = await openRoute(entryOf(maker, server.origin), model, { type: 'image' });
    expect(await route.submit(imageRequest(), never)).toMatchObject({ kind: 'refused', code });
    expect(server.got).toHaveLength(1);
    await server.close();
  });

  test('never lets a second provider make the same images', async () => {
    const failing = await startTinyServer((_, response) =>
      json(response, 422, typed('generation_error')),
    );
    const second = await startTinyServer((_, response) =>
      json(response, 422, typed('generation_error')),
    );
    const route = (provider: string) => ({ provider, model: 'fal-ai/flux/dev' });
    const routes = {
      providers: {
        one: { apiKeyEnv: 'KEY', ...entryOf('fal', failing.origin) },
        two: { apiKeyEnv: 'KEY', ...entryOf('fal', second.origin) },
      },
      models: { 'image-b-2': [route('one'), route('two')] },
    };
    const gateway = await startRoutedGateway(routes, { KEY: 'a-key' });
    const account = await gateway.addAccount({ credits: 100 });
    const { json: created } = await account.post('/v1/images', image());
    expect(await account.untilEnded(String(created['id']))).toMatchObject({
      status: 'failed',
      error: { code: 'generation_failed' },
      billing: { status: 'refunded' },
    });
    expect([failing.got.length, second.got.length]).toEqual([1, 0]);
    await gateway.stop();
    await failing.close();
    await second.close();
  });
});

describe('after an unknown outcome on a route that is safe to repeat, no other provider gets the order', () => {
  let other: FakeArk;
  let repeated: FakeArk;
  let gateway: TestGateway;
  let account: TestAccount;

  beforeAll(async () => {
    other = await startFakeArk();
    repeated = await startFakeArk({ honoursKeys: true });
    const routes = {
      providers: { other: arkProvider(other), repeated: arkProvider(repeated) },
      models: {
        'alpha-2.0-mini': [
          { provider: 'other', model: 'seedance', does: statedVideo },
          { provider: 'repeated', model: 'seedance', does: statedVideo, safeToRepeat: true },
        ],
      },
    };
    gateway = await startRoutedGateway(routes, { ARK_API_KEY: other.apiKey });
    account = await gateway.addAccount({ credits: 1000 });
  });
  afterAll(async () => {
    await gateway.stop();
    await other.close();
    await repeated.close();
  });

  /** The first route is busy once, and the first responses of the second are `faults`. */
  async function make(prompt: string, ...faults: Fault[]): Promise<Record<string, unknown>> {
    const busy = { kind: 'error', status: 429, code: 'Busy' } as const;
    other.script({ prompt, on: 'submit', times: 1, fault: busy });
    repeated.script(...faults.map((fault) => ({ prompt, on: 'submit', times: 1, fault }) as const));
    const { json: created } = await account.post('/v1/videos', video({ prompt }));
    return account.untilEnded(String(created['id']));
  }

  test('where the repeated order is taken', async () => {
    const made = await make('taken', { kind: 'accept, then', fault: { kind: 'drop' } });
    expect(made).toMatchObject({ status: 'completed' });
    expect([other.accepted('taken'), repeated.accepted('taken')]).toEqual([0, 1]);
  });

  test('where the repeated order is refused', async () => {
    const refused = { kind: 'error', status: 400, code: 'InvalidParameter' } as const;
    expect(await make('refused', { kind: 'drop' }, refused)).toMatchObject({
      status: 'failed',
      billing: { status: 'refunded', refunded_credits: 30 },
    });
    expect([other.accepted('refused'), repeated.accepted('refused')]).toEqual([0, 0]);
  });
});

test('a submission that is answered with 421 is sent once', async () => {
  const server = await startTinyServer((_, response) => json(response, 421, { detail: 'no' }));
  const { route } = await openRoute(
    {
      ...entryOf('fal', server.origin),
      rewriteOrigins: { 'https://queue.fal.run': server.origin },
    },
    'fal-ai/wan/v2.2/text-to-video',
  );
  expect(await route.submit(videoRequest(), never)).toMatchObject({ kind: 'refused' });
  expect(server.got).toHaveLength(1);
  await server.close();
});
