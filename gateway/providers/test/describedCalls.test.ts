import { afterAll, describe, expect, test } from '@jest/globals';
import {
  closeRoutes,
  imageRequest,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

/*
 * Packages without a dialect, whose calls the operator describes in the routes file.
 */

const packages = {
  luma: { factory: 'createLuma', api: 'https://api.lumalabs.ai' },
  togetherai: { factory: 'createTogetherAI', api: 'https://api.together.xyz' },
  minimax: { factory: 'createMiniMax', api: 'https://api.minimax.io' },
  deepinfra: { factory: 'createDeepInfra', api: 'https://api.deepinfra.com' },
  gateway: { factory: 'createGateway', api: 'https://ai-gateway.vercel.sh' },
  fal: { factory: 'createFal', api: 'https://queue.fal.run' },
};
type Name = keyof typeof packages;

const inBase64 = Buffer.from('picture').toString('base64');
const opened: TinyServer[] = [];
afterAll(async () => {
  await closeRoutes();
  for (const server of opened) await server.close();
});

async function open(
  name: Name,
  model: string,
  response: Parameters<typeof startTinyServer>[0],
  { calls, ...more }: { calls?: object; type?: 'image'; route?: object; errorRules?: object[] },
) {
  const server = await startTinyServer(response);
  opened.push(server);
  const { factory, api } = packages[name];
  const { errorRules, ...options } = more;
  const { route, observed } = await openRoute(
    {
      kind: 'ai-sdk',
      package: `@ai-sdk/${name}`,
      factory,
      allowPrivateNetwork: true,
      mediaHosts: ['files.example'],
      rewriteOrigins: { [api]: server.origin, 'https://files.example': server.origin },
      ...(calls && { calls }),
      ...(errorRules && { errorRules }),
    },
    model,
    options,
  );
  return { route, server, observed };
}

const bodies = ({ got }: TinyServer) =>
  got.flatMap(({ method, body }) => (method === 'POST' ? [body] : []));

describe('how a size is given', () => {
  test('by the ratio alone makes the images', async () => {
    const { route, server } = await open(
      'luma',
      'photon-1',
      ({ method, path }, response) => {
        if (path.startsWith('/1.png')) {
          response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
        } else if (method === 'POST') {
          json(response, 200, { id: '1', state: 'queued' });
        } else {
          const assets = { image: 'https://files.example/1.png' };
          json(response, 200, { id: '1', state: 'completed', assets });
        }
      },
      {
        calls: { size: 'ratio' },
        type: 'image',
        route: { does: { resolutions: ['1k'], aspectRatios: ['16:9'] } },
      },
    );
    const made = await route.submit(imageRequest({ aspect_ratio: '16:9' }), never);
    expect(made).toMatchObject({ kind: 'completed' });
    expect(bodies(server)).toMatchObject([{ aspect_ratio: '16:9' }]);
    const [output] = made.kind === 'completed' ? made.outputs : [];
    expect(String(await readOutput(output))).toBe('picture');
  });

  test.each([
    [
      {},
      ['does.resolutions (for several values also send.resolution or size)', 'does.aspectRatios'],
    ],
    [{ resolutions: ['1k', '2k'], aspectRatios: ['1:1'] }, ['send.resolution or size']],
    [{ resolutions: ['1k'], aspectRatios: ['1:1'] }, undefined],
  ])('by the ratio alone: for %j the start reports %j as missing', async (does, missing) => {
    const { route, observed } = await open('luma', 'photon-1', () => undefined, {
      calls: { size: 'ratio' },
      type: 'image',
      route: { does },
    });
    expect(observed.warnings).toEqual([
      { model: 'm', provider: 'p', providerModel: 'photon-1', ...(missing && { missing }) },
    ]);
    expect(route.covers(imageRequest())).toBe(missing === undefined);
  });

  test('by name adds the resolution of a video to its ratio', async () => {
    const { route, server } = await open(
      'minimax',
      'MiniMax-H3-Max',
      (_, response) => json(response, 200, { task_id: '1' }),
      { calls: { size: 'name' } },
    );
    const parameters = { resolution: '480p', aspect_ratio: '9:16' } as const;
    expect(await route.submit(videoRequest(parameters), never)).toMatchObject({ kind: 'accepted' });
    expect(bodies(server)).toMatchObject([{ resolution: '480P', ratio: '9:16' }]);
  });
});

test.each([
  [{}, 4],
  [{ optionsName: 'somethingElse' }, undefined],
])("the operator's options go under the name of %j", async (calls, steps) => {
  const { route, server } = await open(
    'togetherai',
    'flux',
    (_, response) => json(response, 200, { data: [{ b64_json: inBase64 }] }),
    { calls, type: 'image', route: { options: { steps: 4 } } },
  );
  expect(await route.submit(imageRequest(), never)).toMatchObject({ kind: 'completed' });
  expect((bodies(server)[0] as { steps?: number }).steps).toBe(steps);
});

test('a package that fetches URLs itself gets pictures as bytes', async () => {
  const { route, server } = await open(
    'deepinfra',
    'Qwen/Qwen-Image-Edit',
    (_, response) => json(response, 200, { data: [{ b64_json: inBase64 }] }),
    {
      calls: { bytesOnly: true },
      type: 'image',
      route: { does: { references: { image: 1 } } },
    },
  );
  const made = await route.submit(imageRequest({}, { inputs: [input('reference')] }), never);
  const [output] = made.kind === 'completed' ? made.outputs : [];
  expect(String(await readOutput(output))).toBe('picture');
  expect(server.got[0]?.path).toBe('/v1/openai/images/edits');
  const form = String(server.got[0]?.body);
  for (const part of ['a quiet lake', '1024x1024', 'picture']) expect(form).toContain(part);
});

describe('the gateway of Vercel', () => {
  test('gets the whole order of a video', async () => {
    const { route, server } = await open(
      'gateway',
      'google/veo-3.1',
      (_, response) => json(response, 200, { operation: { id: '1' } }),
      { route: { does: { audio: true, lastFrame: true } } },
    );
    const inputs = [input('first_frame'), input('last_frame')];
    const request = videoRequest({ generate_audio: true }, { mode: 'image-to-video', inputs });
    expect(await route.submit(request, never)).toMatchObject({ kind: 'accepted' });
    const frame = (role: string) => ({ type: 'url', url: expect.stringContaining(role) });
    expect(server.got).toMatchObject([
      { path: '/v4/ai/video-model/start', headers: { 'ai-model-id': 'google/veo-3.1' } },
    ]);
    expect(bodies(server)).toMatchObject([
      {
        prompt: 'a quiet lake',
        n: 1,
        seed: 7,
        duration: 5,
        resolution: '1280x720',
        aspectRatio: '16:9',
        generateAudio: true,
        frameImages: [
          { frameType: 'first_frame', image: frame('first_frame') },
          { frameType: 'last_frame', image: frame('last_frame') },
        ],
      },
    ]);
  });

  test('makes several images in one call, and passes on those that arrived', async () => {
    const { route, server } = await open(
      'gateway',
      'openai/gpt-image-2',
      (_, response) => json(response, 200, { images: [inBase64, inBase64] }),
      { type: 'image' },
    );
    const made = await route.submit(imageRequest({ n: 2 }), never);
    expect(made.kind === 'completed' && made.outputs).toHaveLength(2);
    expect(bodies(server)).toMatchObject([{ n: 2, size: '1024x1024', seed: 7 }]);
    const short = await route.submit(imageRequest({ n: 3 }), never);
    expect(short.kind === 'completed' && short.outputs).toHaveLength(2);
  });
});

describe('a refusal inside a response with 200', () => {
  const noBalance = { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } };
  const submit = async (response: object, calls?: object) => {
    const { route } = await open(
      'minimax',
      'MiniMax-H3-Max',
      (_, serverResponse) => json(serverResponse, 200, response),
      {
        ...(calls && { calls }),
        errorRules: [{ match: '1026', code: 'input_rejected' }],
      },
    );
    return route.submit(videoRequest({ resolution: '480p' }), never);
  };

  test('that the operator names leads to the next route', async () => {
    const calls = { refusals: ['1008', '1026'] };
    const other = { base_resp: { status_code: 1008, status_msg: 'not now' } };
    expect(await submit(other, calls)).toMatchObject({ kind: 'refused', code: null });
    const sensitive = { base_resp: { status_code: 1026, status_msg: 'sensitive' } };
    const refused = { kind: 'refused', code: 'input_rejected' };
    expect(await submit(sensitive, calls)).toMatchObject(refused);
  });

  test('that is not named leaves the outcome unknown', async () => {
    const other = { base_resp: { status_code: 1008, status_msg: 'not now' } };
    expect(await submit(other)).toMatchObject({ kind: 'unknown' });
  });

  test.each([[undefined], [{ refusals: ['1008'] }]])(
    'with common words on the account concerns the account (%j)',
    async (calls) => {
      expect(await submit(noBalance, calls)).toMatchObject({
        kind: 'refused',
        code: null,
        health: { kind: 'account' },
      });
    },
  );
});

test.each([
  [{}, 'fault'],
  [{ maxPollMib: 8 }, 'pending'],
])('a response of 5 MiB to a poll, with %j: %s', async (calls, kind) => {
  const padding = 'x'.repeat(5 * 1024 * 1024);
  const { route } = await open(
    'minimax',
    'MiniMax-H3-Max',
    (_, response) => json(response, 200, { task: { id: '1', status: 'processing' }, padding }),
    { calls },
  );
  const operation = {
    taskId: '1',
    resolvedInputs: { imageCount: 0, referenceVideoIndices: [] },
  };
  expect((await route.poll(operation, videoRequest(), never)).kind).toBe(kind);
});

test('a description of a package that Framegate now knows is ignored with a warning', async () => {
  const { observed, server, route } = await open(
    'fal',
    'bytedance/seedance-2.0/text-to-video',
    (_, response) =>
      json(response, 200, { request_id: '1', response_url: 'https://queue.fal.run/1' }),
    { calls: { size: 'name', optionsName: 'other' } },
  );
  expect(observed.warnings).toEqual([{ provider: 'p', package: '@ai-sdk/fal' }]);
  await route.submit(videoRequest(), never);
  // Only the rows of the tested dialect have the duration as a text.
  expect(bodies(server)).toEqual([expect.objectContaining({ duration: '5' })]);
});
