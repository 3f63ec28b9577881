import { beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { arkProvider } from '../support/arkRoutes.ts';
import { image, video } from '../support/bodies.ts';
import { freePort } from '../support/freePort.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';
import { type RoutedArk, useRoutedArk } from './useRoutedArk.ts';

const world = useRoutedArk(async (ark) => ({
  providers: {
    gone: { ...arkProvider(ark), baseURL: `http://127.0.0.1:${String(await freePort())}/v3` },
    ark: arkProvider(ark),
    // No order of it fits, so that none leaves.
    spent: {
      kind: 'ai-sdk',
      package: '@ai-sdk/openai',
      factory: 'createOpenAI',
      apiKeyEnv: 'ARK_API_KEY',
      budget: { currency: 'USD', perDay: 0.01 },
    },
  },
  models: {
    'image-a-2': [
      { provider: 'spent', model: 'gpt-image-2', cost: { currency: 'USD', perImage: 0.04 } },
    ],
    'alpha-2.0-pro': [
      { provider: 'gone', model: 'seedance-secret', does: statedVideo },
      { provider: 'ark', model: 'seedance-secret', does: statedVideo },
    ],
  },
}));
let { ark, gateway, account } = {} as RoutedArk;
beforeAll(() => {
  ({ ark, gateway, account } = world());
});

async function make(prompt: string): Promise<Record<string, unknown>> {
  const body = video({ model: 'alpha-2.0-pro', mode: 'text-to-video', prompt });
  const { status, json } = await account.post('/v1/videos', body);
  expect(status).toBe(202);
  return account.untilEnded(String(json['id']));
}

describe('a gateway with a routes file', () => {
  test('makes a video by the next route when the first cannot be reached', async () => {
    const record = await make('a lake, made');
    expect(record).toMatchObject({ status: 'completed', billing: { status: 'charged' } });
    expect(ark.accepted('a lake, made')).toBe(1);
    const { urls } = record['output'] as { urls: string[] };
    const file = Buffer.from(await (await fetch(urls[0] ?? '')).arrayBuffer());
    expect(file.subarray(4, 8).toString()).toBe('ftyp');
    // The provider stays invisible (I8).
    const seen = JSON.stringify(record) + file.toString('latin1');
    expect(seen).not.toMatch(/seedance|ark\b|cgt-/i);
  });

  test('refunds the credits when the provider refuses the content', async () => {
    const code = 'InputTextSensitiveContentDetected';
    const fault = { kind: 'error', status: 400, code } as const;
    ark.script({ on: 'submit', prompt: 'a lake, refused', fault });
    expect(await make('a lake, refused')).toMatchObject({
      status: 'failed',
      error: { code: 'input_rejected' },
      billing: { status: 'refunded' },
    });
    expect(ark.accepted('a lake, refused')).toBe(0);
  });

  test('polls again after a fault, and never submits twice', async () => {
    ark.script({
      on: 'poll',
      prompt: 'a lake, later',
      fault: { kind: 'html', status: 502 },
      times: 1,
    });
    expect(await make('a lake, later')).toMatchObject({ status: 'completed' });
    expect(ark.accepted('a lake, later')).toBe(1);
  });

  test('returns 503 before any charge while the budget of every route is spent', async () => {
    const draw = () => account.post('/v1/images', image({ model: 'image-a-2' }));
    expect((await draw()).status).toBe(202);
    const { breakers } = gateway.collections;
    const id = 'budget: spent 10000 USD';
    await until(async () => (await breakers.findOne({ _id: id })) !== null);
    // The pause lasts until midnight, which may be near.
    const openUntil = new Date(Date.now() + 15 * minuteMs);
    await breakers.updateOne({ _id: id }, { $set: { openUntil }, $inc: { version: 1 } });
    await until(async () => (await draw()).status === 503);
    const before = await account.get('/v1/credits/balance');
    const refused = await draw();
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({ error: { code: 'model_unavailable', retryable: true } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600);
    const after = await account.get('/v1/credits/balance');
    expect(after.json['available']).toBe(before.json['available']);
  });
});
