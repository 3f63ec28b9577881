import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { inputUrl, openPackage } from './packageFixtures.ts';
import { closeRoutes, imageRequest, input, never, readOutput } from './routeFixtures.ts';
import { json, png, reset, startTinyServer, type TinyServer } from './tinyServer.ts';

let server: TinyServer;
/** Responses to polls in order; then the picture is available. */
let polls: ((response: ServerResponse) => void)[] = [];

beforeAll(async () => {
  server = await startTinyServer(({ path }, response) => {
    if (path.endsWith('/get_result')) (polls.shift() ?? ready)(response);
    else if (path.endsWith('kontext-pro')) json(response, 200, { request_id: 'job-1' });
    else response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
});

afterEach(() => {
  server.got.length = 0;
});

afterAll(async () => {
  await closeRoutes();
  await server.close();
});

const ready = (response: ServerResponse) => {
  const result = { sample: 'https://files.example/1.png' };
  json(response, 200, { id: 'job-1', status: 'Ready', result });
};
const models = 'accounts/fireworks/models';
const open = (model: string) =>
  openPackage(server, 'fireworks', `${models}/${model}`, {
    type: 'image',
    imageTimes: { callMs: 10_000, pauseMs: 10 },
  });

describe('an order has every requested parameter', () => {
  const common = { prompt: 'a quiet lake', seed: 7, samples: 1 };
  test.each([
    [
      'flux-kontext-pro',
      imageRequest(
        { aspect_ratio: '16:9', output_format: 'webp' },
        { inputs: [input('reference')] },
      ),
      `/inference/v1/workflows/${models}/flux-kontext-pro`,
      { aspect_ratio: '16:9', input_image: inputUrl('reference'), output_format: 'png' },
    ],
    [
      'flux-1-dev-fp8',
      imageRequest({ aspect_ratio: '3:4' }),
      `/inference/v1/workflows/${models}/flux-1-dev-fp8/text_to_image`,
      { aspect_ratio: '3:4' },
    ],
    [
      'stable-diffusion-xl-1024-v1-0',
      imageRequest(),
      `/inference/v1/image_generation/${models}/stable-diffusion-xl-1024-v1-0`,
      { width: '1024', height: '1024' },
    ],
  ])('%s', async (model, request, path, body) => {
    const { route, observed } = await open(model);
    const made = await route.submit(request, never);
    expect(await readOutput(made.kind === 'completed' ? made.outputs[0] : undefined)).toEqual(png);
    expect(server.got[0]).toMatchObject({ method: 'POST', path });
    expect(server.got[0]?.body).toEqual({ ...common, ...body });
    expect(observed.errors).toEqual([]);
  });
});

test('a fault of a poll by POST gives no verdict: it is polled again, not ordered again', async () => {
  polls = [
    (response) => json(response, 429, { error: 'slow down' }),
    (response) => json(response, 404, { detail: 'not here yet' }),
    (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
    reset,
    (response) => json(response, 200, { id: 'job-1', status: 'Task not found', result: null }),
  ];
  const { route } = await open('flux-kontext-pro');
  expect(await route.submit(imageRequest(), never)).toMatchObject({ kind: 'completed' });
  const paths = server.got.map(({ path }) => path.replace(/^.*\//, ''));
  expect(paths).toEqual(['flux-kontext-pro', ...Array<string>(6).fill('get_result'), '1.png']);
  // The file is fetched without the key.
  expect(JSON.stringify(server.got.at(-1)?.headers)).not.toContain('secret-key');
});
