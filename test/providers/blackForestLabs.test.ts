import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ServerResponse } from 'node:http';
import {
  give,
  ready,
  startFakeBfl,
  task,
  type Answer,
  type FakeBfl,
  type Plan,
} from './fakeBfl.ts';
import {
  closeRoutes,
  imageRequest,
  input,
  never,
  openRoute,
  readOutput,
  wordOf,
} from './routeFixtures.ts';

/* The package as npm gives it, against a server that speaks the provider's documented protocol. */

const png = Buffer.from('iVBORw0KGgo=', 'base64');
let bfl: FakeBfl;

beforeAll(async () => {
  bfl = await startFakeBfl(png);
});

afterEach(() => {
  bfl.plan = () => ({});
  for (const { got } of Object.values(bfl.servers)) got.length = 0;
});

afterAll(async () => {
  await closeRoutes();
  await bfl.close();
});

/** Long enough for everything that ends by itself. */
const patient = { callMs: 60_000, pauseMs: 1 };
/** For what never ends by itself. */
const brief = { callMs: 3000, pauseMs: 100 };

function open(model = 'flux-2-pro', { imageTimes = patient, more = {}, options = {} } = {}) {
  return openRoute(
    {
      ...{ kind: 'ai-sdk', package: '@ai-sdk/black-forest-labs', factory: 'createBlackForestLabs' },
      ...{ mediaHosts: ['*.bfl.ai'], allowPrivateNetwork: true },
      ...{ rewriteOrigins: bfl.rewriteOrigins, options: { pollIntervalMillis: 1 }, ...more },
    },
    model,
    { type: 'image', imageTimes, route: { options } },
  );
}

/** What an order comes to, and how often it was asked for, looked at and downloaded. */
async function order(plan: Plan, imageTimes = patient, more = {}) {
  bfl.plan = () => plan;
  const { route, observed } = await open('flux-2-pro', { imageTimes, more });
  const made = await route.submit(imageRequest(), never);
  const { api, region, delivery } = bfl.servers;
  return {
    ...{ made, word: wordOf(made), observed },
    ...{ submits: api.got.length, looks: region.got.length, files: delivery.got.length },
  };
}

const html =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
const empty = (response: ServerResponse): void => void response.writeHead(200).end();
const reset = (response: ServerResponse): void => void response.destroy();
const hang = (): void => undefined;
const oddJson = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":');

describe('images by Black Forest Labs', () => {
  const orders: [string, Parameters<typeof imageRequest>, object, object?][] = [
    [
      'flux-2-pro',
      [{ aspect_ratio: '16:9', output_format: 'jpeg' }],
      { width: 1280, height: 720, output_format: 'jpeg' },
    ],
    [
      'flux-2-max',
      [{ aspect_ratio: '3:2', output_format: 'webp' }, { inputs: [input('reference')] }],
      {
        ...{ width: 1248, height: 832, output_format: 'png' },
        input_image: 'https://media.gateway.example/in/reference.png?sig=1',
      },
    ],
    ['flux-2-flex', [{ aspect_ratio: '21:9' }], { width: 1568, height: 672, output_format: 'png' }],
    [
      'flux-kontext-pro',
      [{ aspect_ratio: '9:16' }, { inputs: [input('reference'), input('reference')] }],
      {
        ...{ aspect_ratio: '9:16', output_format: 'png' },
        input_image: 'https://media.gateway.example/in/reference.png?sig=1',
        input_image_2: 'https://media.gateway.example/in/reference.png?sig=1',
      },
    ],
    [
      'flux-pro-1.1-ultra',
      [{ aspect_ratio: '4:3', resolution: '2k' }],
      { aspect_ratio: '4:3', output_format: 'png', safety_tolerance: 4 },
      { safetyTolerance: 4 },
    ],
    ['flux-dev', [{ aspect_ratio: '2:3' }], { width: 832, height: 1248, output_format: 'png' }],
  ];

  test.each(orders)('%s: have all that was ordered', async (model, request, body, options = {}) => {
    const { route, observed } = await open(model, { options });
    const made = await route.submit(imageRequest(...request), never);
    expect(made).toMatchObject({ kind: 'completed', outputs: [{}] });
    expect(await readOutput(made.kind === 'completed' ? made.outputs[0] : undefined)).toEqual(png);
    const { api, region, delivery } = bfl.servers;
    expect(api.got).toMatchObject([{ method: 'POST', path: `/v1/${model}` }]);
    expect(api.got[0]?.body).toEqual({ prompt: 'a quiet lake', seed: 7, ...body });
    // The looks go where the submit said, with the key.
    expect(region.got.map(({ method, path }) => [method, path.split('?')[0]])).toEqual([
      ['GET', '/v1/get_result'],
      ['GET', '/v1/get_result'],
    ]);
    expect(delivery.got).toHaveLength(1);
    expect(observed).toEqual({ errors: [] });
  });

  test('that are several are several calls', async () => {
    const { route } = await open();
    const made = await route.submit(imageRequest({ n: 3 }), never);
    expect(made.kind === 'completed' && made.outputs).toHaveLength(3);
    const seeds = bfl.servers.api.got.map(({ body }) => (body as { seed: number }).seed);
    expect(seeds.sort()).toEqual([7, 8, 9]);
  });
});

describe('a submit to Black Forest Labs', () => {
  const limited = (headers: Record<string, string>): Answer => {
    return (response) => {
      response.writeHead(429, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ detail: 'Too many active tasks' }));
    };
  };
  const busy = (retryAfterMs: number | null) => ({
    ...{ kind: 'refused', code: null, busy: true, note: '429: Too many active tasks' },
    health: { kind: 'busy', retryAfterMs },
  });
  const refusals: [string, Answer, object][] = [
    ['429 with Retry-After', limited({ 'retry-after': '7' }), busy(7000)],
    ['429 without', limited({}), busy(null)],
    [
      '402',
      [402, { detail: 'Insufficient credits' }],
      {
        ...{ kind: 'refused', code: null, busy: false, note: '402: Insufficient credits' },
        health: { kind: 'key_failure' },
      },
    ],
    [
      '403',
      [403, { detail: 'Not authenticated' }],
      {
        ...{ kind: 'refused', code: null, busy: false, note: '403: Not authenticated' },
        health: { kind: 'failure' },
      },
    ],
    [
      '422',
      [422, { detail: [{ loc: ['body', 'width'], msg: 'too wide', type: 'less_than_equal' }] }],
      { kind: 'refused', code: null, busy: false, note: '422: too wide | less_than_equal' },
    ],
  ];

  test.each(refusals)('is refused: %s', async (_, submit, expected) => {
    const { word, submits, looks } = await order({ submit });
    expect([word, submits, looks]).toEqual([expected, 1, 0]);
  });

  const unknown: [string, Answer][] = [
    ['500', [500, { detail: 'Internal Server Error' }]],
    ['a page with 502', html(502)],
    ['a page with 404', html(404)],
    ['a page with 200', html(200)],
    ['an empty answer', empty],
    ['an answer without a task', [200, { status: 'ok' }]],
    ['a break after it was taken', reset],
  ];

  test.each(unknown)('has an unknown outcome, and is not repeated: %s', async (_, submit) => {
    const { made, submits, looks } = await order({ submit });
    expect([made.kind, submits, looks]).toEqual(['unknown', 1, 0]);
  });

  test('that is never answered has an unknown outcome', async () => {
    const { made, submits } = await order({ submit: hang }, brief);
    expect([made.kind, submits]).toEqual(['unknown', 1]);
  });
});

describe('a task of Black Forest Labs that was accepted', () => {
  const verdicts: [string, Answer, string, string][] = [
    ['before it begins', task('Request Moderated'), 'input_rejected', 'Request Moderated'],
    [
      'with its reasons',
      task('Request Moderated', { details: { 'Moderation Reasons': ['Safety Filter'] } }),
      ...(['input_rejected', 'Safety Filter'] as const),
    ],
    ['after it is made', task('Content Moderated'), 'output_rejected', 'Content Moderated'],
    [
      'with other reasons',
      task('Content Moderated', { details: { 'Moderation Reasons': ['Safety Filter'] } }),
      ...(['output_rejected', 'Safety Filter'] as const),
    ],
    [
      'by a failure',
      task('Error', { details: { error: 'no GPU' } }),
      ...(['generation_failed', 'no GPU'] as const),
    ],
    ['by another', task('Failed'), 'generation_failed', 'Failed'],
    [
      'without a file',
      task('Ready', { result: {} }),
      'generation_failed',
      'Ready without a sample',
    ],
  ];

  test.each(verdicts)('ends: %s', async (_, look, code, note) => {
    const { made, submits, looks, files } = await order({ looks: [task('Pending'), look] });
    expect(made).toMatchObject({
      ...{ kind: 'refused', code, busy: false },
      note: expect.stringContaining(note),
    });
    // The package itself would look on for a minute after "Request Moderated".
    expect([submits, looks, files]).toEqual([1, 2, 0]);
  });

  test('ends as the operator’s rules have it', async () => {
    const errorRules = [{ match: 'likeness', code: 'real_person_rejected' }];
    const details = { 'Moderation Reasons': ['Likeness Filter'] };
    const looks = [task('Content Moderated', { details })];
    const { made } = await order({ looks }, patient, { errorRules });
    expect(made).toMatchObject({ kind: 'refused', code: 'real_person_rejected' });
  });

  const again: Answer = (response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end('{"detail":"Too many requests"}');
  };
  const faults: [string, Answer][] = [
    ['429', again],
    ['500', [500, { detail: 'Internal Server Error' }]],
    ['503 without a body', (response) => response.writeHead(503).end()],
    ['a page with 502', html(502)],
    ['a page with 200', html(200)],
    ['an empty answer', empty],
    ['half an answer', oddJson],
    ['a reset', reset],
    ['404', [404, { id: '1', status: 'Task not found' }]],
    ['a cluster that does not know it yet', task('Task not found')],
    ['a status that nobody knows', task('Queued')],
  ];

  test.each(faults)('is looked at again: %s', async (_, fault) => {
    const { made, submits, looks } = await order({ looks: [fault, task('Pending'), ready()] });
    expect([made.kind, submits, looks]).toEqual(['completed', 1, 3]);
  });

  const hopeless: [string, 'looks' | 'files', Answer][] = [
    ['that stays pending', 'looks', task('Pending')],
    ['whose looks hang', 'looks', hang],
    ['whose looks all fail', 'looks', [500, { detail: 'x' }]],
    ['that is never found', 'looks', task('Task not found')],
    ['whose file is gone', 'files', [404, {}]],
    ['whose file is a page', 'files', html(200)],
    ['whose file hangs', 'files', hang],
  ];

  test('has an unknown outcome at the end of its time', async () => {
    const reached = new Set<string>();
    const plans = hopeless.map(([name, at, answer]): [string, Plan] => {
      const once: Answer = (response) => {
        reached.add(name);
        give(response, answer);
      };
      return [name, { [at]: [once] }];
    });
    bfl.plan = (prompt) => Object.fromEntries(plans)[prompt] ?? {};
    const { route } = await open('flux-2-pro', { imageTimes: brief });
    const orders = hopeless.map(([prompt]) => route.submit(imageRequest({}, { prompt }), never));
    const kinds = (await Promise.all(orders)).map(({ kind }) => kind);
    expect(kinds).toEqual(hopeless.map(() => 'unknown'));
    // Each of them got so far, and none was ordered twice.
    expect([reached.size, bfl.servers.api.got.length]).toEqual([hopeless.length, hopeless.length]);
  });

  test('is not ended by the package, which gives up before us', async () => {
    bfl.plan = () => ({ looks: [task('Pending')] });
    const { route } = await open('flux-2-pro', { options: { pollTimeoutMillis: 5 } });
    expect((await route.submit(imageRequest(), never)).kind).toBe('unknown');
  });

  test('has its file downloaded again after a failure, and is not made again', async () => {
    const half = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '9000' });
      response.write(png, () => response.destroy());
    };
    const whole = (response: ServerResponse): void =>
      void response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    const files = [[404, {}], half, html(200), empty, whole] satisfies Answer[];
    const { made, ...counts } = await order({ files });
    expect(await readOutput(made.kind === 'completed' ? made.outputs[0] : undefined)).toEqual(png);
    expect([counts.submits, counts.looks, counts.files]).toEqual([1, 2, 5]);
  });

  test('is given up when its file has no end', async () => {
    const chunk = Buffer.alloc(4 * 1024 * 1024);
    const endless = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const more = (): void => {
        if (!response.destroyed) response.write(chunk, () => setImmediate(more));
      };
      more();
    };
    const { made, submits, files } = await order({ files: [endless] });
    expect([made.kind, submits, files]).toEqual(['unknown', 1, 1]);
  });

  test.each([
    ['its looks', { submit: [200, { id: '1', polling_url: 'https://evil.example/?id=1' }] }],
    ['its file', { looks: [ready('https://evil.example/1.png')] }],
  ] as [string, Plan][])('is not followed to a host of nobody’s: %s', async (_, plan) => {
    const rewriteOrigins = { ...bfl.rewriteOrigins, 'https://other.example': 'https://x.example' };
    const { made, submits } = await order(plan, patient, { rewriteOrigins });
    expect([made.kind, submits]).toEqual(['unknown', 1]);
    expect(made.kind === 'unknown' && made.note).toContain('not in mediaHosts');
  });

  test('that we give up throws', async () => {
    const abort = new AbortController();
    const looks: Answer[] = [() => abort.abort(new Error('we stop'))];
    bfl.plan = () => ({ looks });
    const { route } = await open();
    await expect(route.submit(imageRequest(), abort.signal)).rejects.toThrow('we stop');
  });
});
