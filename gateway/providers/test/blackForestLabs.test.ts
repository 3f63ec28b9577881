import { beforeAll, describe, expect, test } from '@jest/globals';
import { type BflRoute, brief, empty, hang, useBflRoute } from './bflRoute.ts';
import type { BflResponse } from './fakeBfl.ts';
import { imageRequest, input, never, readOutput } from './routeFixtures.ts';
import { html, png, reset } from './tinyServer.ts';

const world = useBflRoute();
let { bfl, open, order } = {} as BflRoute;
beforeAll(() => {
  ({ bfl, open, order } = world());
});

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
        width: 1248,
        height: 832,
        output_format: 'png',
        input_image: 'https://media.gateway.example/in/reference.png?sig=1',
      },
    ],
    ['flux-2-flex', [{ aspect_ratio: '21:9' }], { width: 1568, height: 672, output_format: 'png' }],
    [
      'flux-kontext-pro',
      [{ aspect_ratio: '9:16' }, { inputs: [input('reference'), input('reference')] }],
      {
        aspect_ratio: '9:16',
        output_format: 'png',
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

  test.each(orders)(
    '%s: have every ordered parameter',
    async (model, request, body, options = {}) => {
      const { route, observed } = await open(model, { options });
      const made = await route.submit(imageRequest(...request), never);
      expect(made).toMatchObject({ kind: 'completed', outputs: [{}] });
      expect(await readOutput(made.kind === 'completed' ? made.outputs[0] : undefined)).toEqual(
        png,
      );
      const { api, region, delivery } = bfl.servers;
      expect(api.got).toMatchObject([{ method: 'POST', path: `/v1/${model}` }]);
      expect(api.got[0]?.body).toEqual({ prompt: 'a quiet lake', seed: 7, ...body });
      // The polls go to the URL named at submission, with the key.
      expect(region.got.map(({ method, path }) => [method, path.split('?')[0]])).toEqual([
        ['GET', '/v1/get_result'],
        ['GET', '/v1/get_result'],
      ]);
      expect(delivery.got).toHaveLength(1);
      expect(observed.errors).toEqual([]);
    },
  );

  test('become several calls when there are several', async () => {
    const { route } = await open();
    const made = await route.submit(imageRequest({ n: 3 }), never);
    expect(made.kind === 'completed' && made.outputs).toHaveLength(3);
    const seeds = bfl.servers.api.got.map(({ body }) => (body as { seed: number }).seed);
    expect(seeds.toSorted()).toEqual([7, 8, 9]);
  });
});

describe('a submission to Black Forest Labs', () => {
  const limited =
    (headers: Record<string, string>): BflResponse =>
    (response) => {
      response.writeHead(429, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ detail: 'Too many active tasks' }));
    };
  const busy = (retryAfterMs: number | null) => ({
    kind: 'refused',
    code: null,
    isBusy: true,
    note: '429: Too many active tasks',
    health: { kind: 'busy', retryAfterMs },
  });
  const refusals: [string, BflResponse, object][] = [
    ['429 with Retry-After', limited({ 'retry-after': '7' }), busy(7000)],
    ['429 without', limited({}), busy(null)],
    [
      '402',
      [402, { detail: 'Insufficient credits' }],
      {
        kind: 'refused',
        code: null,
        isBusy: false,
        note: '402: Insufficient credits',
        health: { kind: 'account' },
      },
    ],
    [
      '403',
      [403, { detail: 'Not authenticated' }],
      {
        kind: 'refused',
        code: null,
        isBusy: false,
        note: '403: Not authenticated',
        health: { kind: 'key' },
      },
    ],
    [
      '422',
      [422, { detail: [{ loc: ['body', 'width'], msg: 'too wide', type: 'less_than_equal' }] }],
      {
        kind: 'refused',
        code: null,
        isBusy: false,
        note: '422: too wide | less_than_equal',
        health: { kind: 'refusal', said: '422 too wide | less_than_equal' },
      },
    ],
  ];

  test.each(refusals)('is refused: %s', async (_, submit, expected) => {
    const { word, submits, polls } = await order({ submit });
    expect([word, submits, polls]).toEqual([expected, 1, 0]);
  });

  const unknown: [string, BflResponse][] = [
    ['500', [500, { detail: 'Internal Server Error' }]],
    ['a page with 502', html(502)],
    ['a page with 404', html(404)],
    ['a page with 200', html(200)],
    ['an empty response', empty],
    ['a response without a task', [200, { status: 'ok' }]],
    ['a break after it was taken', reset],
  ];

  test.each(unknown)('has an unknown outcome, and is not repeated: %s', async (_, submit) => {
    const { made, submits, polls } = await order({ submit });
    expect([made.kind, submits, polls]).toEqual(['unknown', 1, 0]);
  });

  test('that is never answered has an unknown outcome', async () => {
    const { made, submits } = await order({ submit: hang }, { imageTimes: brief });
    expect([made.kind, submits]).toEqual(['unknown', 1]);
  });
});
