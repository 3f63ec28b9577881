import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { dayMs, minuteMs } from '@framegate/contract';
import { retryAfterMs, waitMs } from '../../../integrations/typescript/src/core/retry.ts';
import { Framegate as EdgeFramegate } from '../../../integrations/typescript/src/index.ts';
import { Framegate, UsageError } from '../../../integrations/typescript/src/node/index.ts';

const apiKey = `fg_live_${'a1B2'.repeat(9)}zz`;
const baseUrl = 'https://api.example.com/v1';

function refusalOf(call: () => unknown): UsageError {
  try {
    call();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the base URL', () => {
  test.each([
    'https://api.example.com/v1',
    'https://api.example.com/v1/',
    'https://api.example.com/framegate/v1',
    'http://localhost:8080/v1',
    'http://127.0.0.1:8080/v1',
    'http://192.168.1.7:8080/v1',
    'http://172.20.0.3/v1',
    'http://[::1]:8080/v1',
    'http://gateway:8080/v1',
    'http://gateway.internal/v1',
    'http://100.64.0.1/v1',
  ])('%s is one', (each) => {
    expect(new Framegate({ baseUrl: each, apiKey })).toBeInstanceOf(Framegate);
  });

  test.each([
    ['', 'pass baseUrl, or set FRAMEGATE_URL'],
    ['https://api.example.com', 'Did you mean https://api.example.com/v1?'],
    ['https://api.example.com/v1/videos', 'must end in /v1'],
    ['api.example.com/v1', 'is not a valid URL'],
    ['https:///v1', 'is not a valid URL'],
    [' https://api.example.com/v1', 'is not a valid URL'],
    ['https://api.example.com/v1?a=b', 'is not a valid URL'],
    ['https://me:secret@api.example.com/v1', 'is not a valid URL'],
    ['ftp://api.example.com/v1', 'is not a valid URL'],
    ['http://api.example.com/v1', 'must begin with https://'],
    ['http://172.32.0.1/v1', 'must begin with https://'],
    ['http://127.0.0.1.example.com/v1', 'must begin with https://'],
    ['http://10.example.com/v1', 'must begin with https://'],
    ['http://100.128.0.1/v1', 'must begin with https://'],
    ['http://[fec0::1]/v1', 'must begin with https://'],
    ['http://[2001:db8::1]/v1', 'must begin with https://'],
  ])('"%s" is refused: %s', (each, why) => {
    const error = refusalOf(() => new Framegate({ baseUrl: each, apiKey }));
    expect(error.code).toBe('invalid_base_url');
    expect(error.message).toContain(why);
    expect(error.message).not.toContain('secret');
  });
});

describe('the API key', () => {
  test.each([
    ['', 'pass apiKey, or set FRAMEGATE_KEY'],
    [`${apiKey} `, 'contains spaces or line breaks'],
    [`${apiKey}\n`, 'contains spaces or line breaks'],
    [`${apiKey.slice(0, 20)} ${apiKey.slice(20)}`, 'contains spaces or line breaks'],
    [apiKey.slice(0, -1), 'is not an API key'],
    [`Bearer-${apiKey}`, 'is not an API key'],
    ['sk-1234567890', 'is not an API key'],
  ])('"%s" is refused and not repeated', (each, why) => {
    const error = refusalOf(() => new Framegate({ baseUrl, apiKey: each }));
    expect(error.code).toBe('invalid_api_key_form');
    expect(error.message).toContain(why);
    expect(error.message).not.toContain('a1B2');
  });
});

describe('the runtime', () => {
  const real = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  afterEach(() => {
    if (real) Object.defineProperty(globalThis, 'navigator', real);
  });
  const pretend = (navigator: object | undefined) =>
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });

  test.each([
    ['a browser', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', product: 'Gecko' }],
    ['an app', { product: 'ReactNative' }],
  ])('%s is refused with the reason', (_, navigator) => {
    pretend(navigator);
    const error = refusalOf(() => new Framegate({ baseUrl, apiKey }));
    expect(error.code).toBe('browser_refused');
    expect(error.message).toContain('could read your API key');
  });

  test.each([
    ['Node', { userAgent: 'Node.js/24' }],
    ['Deno', { userAgent: 'Deno/2.9.6' }],
    ['Bun', { userAgent: 'Bun/1.4.4' }],
    ['Workers', { userAgent: 'Cloudflare-Workers' }],
    ['one without a navigator', undefined],
  ])('%s is not', (_, navigator) => {
    pretend(navigator);
    expect(new EdgeFramegate({ baseUrl, apiKey })).toBeInstanceOf(EdgeFramegate);
  });
});

test.each([
  ['timeoutMs', { timeoutMs: NaN }],
  ['timeoutMs', { timeoutMs: -1 }],
  ['idempotencyKey', { idempotencyKey: 'order 1' }],
  ['idempotencyKey', { idempotencyKey: '' }],
  ['idempotencyKey', { idempotencyKey: 'ordré' }],
  ['idempotencyKey', { idempotencyKey: 'x'.repeat(256) }],
])('%s that cannot work is refused before anything is sent: %p', async (name, options) => {
  const fetch = () => Promise.reject(new Error('it was sent'));
  const framegate = new Framegate({ baseUrl, apiKey, platform: { fetch } });
  const body = { model: 'alpha-2.0-fast', mode: 'text-to-video' as const, prompt: 'A kite' };
  const call = framegate.videos.createAndWait(body, options);
  await expect(call).rejects.toThrow(UsageError);
  await expect(framegate.videos.createAndWait(body, options)).rejects.toThrow(name);
});

test('the key is in nothing that a log shows of a client', () => {
  const framegate = new Framegate({ baseUrl, apiKey });
  const shown = inspect(framegate, { depth: 9, showHidden: true, getters: true });
  expect(shown + JSON.stringify(framegate)).not.toContain(apiKey);
});

test('requests name client, version and runtime', async () => {
  const manifest = new URL('../../../integrations/typescript/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  let agent: string | null = null;
  const fetch = async (_: string, { headers }: RequestInit) => {
    agent = new Headers(headers).get('user-agent');
    return Response.json({ object: 'list', data: [] });
  };
  await new Framegate({ baseUrl, apiKey, platform: { fetch } }).models.list();
  expect(agent).toMatch(/^framegate-typescript\/\S+ \(Node\.js\/\d+\)$/);
  expect(agent).toContain(`framegate-typescript/${version} `);
});

test('a wall clock that jumps shortens and lengthens no wait', async () => {
  const id = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';
  const states = ['queued', 'processing', 'processing', 'completed'];
  const fetch = async () => {
    const status = states.shift();
    const output = { urls: [] };
    return Response.json({ object: 'generation', id, status, output, retry_after_seconds: 0.001 });
  };
  const realNow = Date.now;
  const year = 365 * dayMs;
  let jumps = 0;
  Date.now = () => realNow() + (jumps += 1) * year;
  try {
    const framegate = new Framegate({ baseUrl, apiKey, platform: { fetch } });
    const done = await framegate.generations.wait(id, { timeoutMs: minuteMs });
    expect(done.status).toBe('completed');
  } finally {
    Date.now = realNow;
  }
});

describe('waits between attempts', () => {
  const noChance = { random: () => 0 };

  test("follow the service's request, never less, spread by a quarter", () => {
    expect(waitMs(noChance, 1, 7000)).toBe(7000);
    expect(waitMs({ random: () => 0.999 }, 1, 8000)).toBeCloseTo(9998, 0);
    expect(waitMs(noChance, 1, 0)).toBe(1000);
  });

  test('double up to half a minute where it asks for nothing', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 50].map((attempts) =>
      waitMs(noChance, attempts, undefined),
    );
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  test.each([
    [{ 'retry-after': '12' }, 12_000],
    [
      { 'retry-after': 'Mon, 01 Jan 2029 00:00:30 GMT', date: 'Mon, 01 Jan 2029 00:00:00 GMT' },
      30_000,
    ],
    [{ 'retry-after': 'Mon, 01 Jan 2029 00:00:00 GMT', date: 'Mon, 01 Jan 2029 00:00:30 GMT' }, 0],
    [{ 'retry-after': 'Mon, 01 Jan 2029 00:00:30 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{}, undefined],
  ])('are read from %p, whatever the clock of this machine says', (headers: object, ms) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>))).toBe(ms);
  });
});
