import { describe, expect, test } from '@jest/globals';
import {
  Framegate,
  type FramegateOptions,
  type Logger,
  responseOf,
  UsageError,
} from '../../../integrations/typescript/src/node/index.ts';
import { generation } from '../support/wildResponses.ts';

const apiKey = `fg_live_${'a1B2'.repeat(9)}zz`;
const baseUrl = 'https://api.example.com/v1';
const video = { model: 'alpha-2.0-fast', mode: 'text-to-video' as const, prompt: 'A kite' };
const responses = { 'x-request-id': 'req_1', 'retry-after': '1' };

/** A service with a finished video that answers the first create request with 503; records received requests. */
function connect(options: FramegateOptions = {}) {
  const sent: { url: string; headers: Headers }[] = [];
  async function fetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { href, pathname } = new URL(url);
    sent.push({ url: href, headers: new Headers(init?.headers) });
    if (!href.startsWith(baseUrl)) {
      return new Response('the bytes', { headers: { 'content-type': 'video/mp4' } });
    }
    if (pathname.endsWith('/models')) {
      return Response.json({ object: 'list', data: [] }, { headers: responses });
    }
    if (sent.length === 1) return new Response('starting', { status: 503 });
    const isCreate = init?.method === 'POST';
    const body = generation(isCreate ? 'queued' : 'completed', { retry_after_seconds: 1 });
    return Response.json(body, { status: isCreate ? 202 : 200, headers: responses });
  }
  const platform = { sleep: () => Promise.resolve() };
  const framegate = new Framegate({ baseUrl, apiKey, fetch, platform, ...options });
  return { framegate, sent };
}

/** Creates a video and downloads it. */
async function play({ framegate }: ReturnType<typeof connect>) {
  const done = await framegate.videos.createAndWait(video);
  await done.download(new WritableStream());
  return done;
}

function recorder() {
  const lines: string[] = [];
  const at = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  return { logger, lines };
}

describe('fetch and headers', () => {
  test('are used for every request, downloads included; the key goes to the API alone', async () => {
    const world = connect({ headers: { 'X-Team': 'posters', 'User-Agent': 'posters/3' } });
    await play(world);
    const { sent } = world;
    const files = sent.filter(({ url }) => !url.startsWith(baseUrl));
    expect([sent.length, files.length]).toEqual([4, 1]);
    for (const { headers } of sent) {
      expect([headers.get('x-team'), headers.get('user-agent')]).toEqual(['posters', 'posters/3']);
    }
    expect(files[0]?.headers.get('authorization')).toBeNull();
  });

  test("the client's own headers stay", async () => {
    const world = connect({ headers: { Authorization: 'Basic abc', 'Idempotency-Key': 'mine' } });
    await world.framegate.videos.create(video, { idempotencyKey: 'order-1' });
    for (const { headers } of world.sent) {
      expect(headers.get('authorization')).toBe(`Bearer ${apiKey}`);
      expect(headers.get('idempotency-key')).toBe('order-1');
    }
  });

  test.each([
    ['headers', { headers: { 'x team': 'posters' } }],
    ['logLevel', { logLevel: 'loud' as 'debug' }],
  ])('unusable %s are refused', (name, options) => {
    expect(() => connect(options)).toThrow(UsageError);
    expect(() => connect(options)).toThrow(name);
  });
});

test('a result has its response', async () => {
  const { framegate } = connect();
  const done = await framegate.videos.createAndWait(video);
  expect(responseOf(done)).toMatchObject({ requestId: 'req_1', status: 200 });
  expect(JSON.parse(responseOf(done)?.text ?? '')).toEqual(JSON.parse(JSON.stringify(done)));
  expect(responseOf(done)?.headers.get('retry-after')).toBe('1');
  expect(responseOf(await framegate.models.list())?.requestId).toBe('req_1');
  expect(responseOf({ ...done })).toBeUndefined();
});

describe('the logger', () => {
  test.each([
    ['debug', ['debug', 'warn', 'debug', 'info', 'debug', 'info']],
    [undefined, ['warn', 'info', 'info']],
    ['warn', ['warn']],
    ['off', []],
  ] as const)('at level %s', async (logLevel, levels) => {
    const { logger, lines } = recorder();
    await play(connect({ logger, logLevel }));
    expect(lines.map((line) => line.split(':')[0])).toEqual(levels);
    expect(lines.join()).not.toContain(apiKey);
    expect(lines.join()).not.toContain('media.example.com');
  });

  test('learns the reason for a failed call', async () => {
    const { logger, lines } = recorder();
    const fetch = () => Promise.reject(new Error('no network'));
    const { framegate } = connect({ logger, fetch, retryBudgetMs: 0 });
    await expect(framegate.models.list()).rejects.toThrow('no network');
    expect(lines).toEqual([expect.stringMatching(/^error: No response .*no network/)]);
  });
});
