import { beforeEach, expect, test } from '@jest/globals';
import { openPackage, packages } from './packageFixtures.ts';
import {
  imageRequest,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from './routeFixtures.ts';
import { type PackageServer, usePackageServer } from './usePackageServer.ts';

const packageServer = usePackageServer();
let server: PackageServer;
beforeEach(() => {
  server = packageServer();
  server.response = packages.vertex.submitted;
});

const model = 'veo-3.1-generate-001';
const picture = {
  bytesBase64Encoded: Buffer.from('picture').toString('base64'),
  mimeType: 'image/png',
};

test.each([
  [
    videoRequest({ aspect_ratio: '9:16', resolution: '1080p', duration_seconds: 8 }),
    {},
    { aspectRatio: '9:16', resolution: '1080p', durationSeconds: 8, generateAudio: false },
  ],
  [
    videoRequest(
      { resolution: '2160p', duration_seconds: 8, generate_audio: true },
      { mode: 'image-to-video', inputs: [input('first_frame'), input('last_frame')] },
    ),
    { image: picture, lastFrame: picture },
    { aspectRatio: '16:9', resolution: '4k', durationSeconds: 8, generateAudio: true },
  ],
  [
    videoRequest(
      { duration_seconds: 8 },
      { mode: 'multimodal-to-video', inputs: [input('reference')] },
    ),
    { referenceImages: [{ image: picture, referenceType: 'asset' }] },
    { aspectRatio: '16:9', resolution: '720p', durationSeconds: 8, generateAudio: false },
  ],
])('a video has all that was ordered', async (request, instance, parameters) => {
  const { route, observed } = await openPackage(server, 'vertex', model);
  expect(route.covers(request)).toBe(true);
  expect(await route.submit(request, never)).toMatchObject({ kind: 'accepted' });
  expect(server.got[0]).toMatchObject({
    path: `/v1/publishers/google/models/${model}:predictLongRunning`,
    body: {
      instances: [{ prompt: 'a quiet lake', ...instance }],
      parameters: { sampleCount: 1, seed: 7, ...parameters },
    },
  });
  expect(server.got[0]?.headers['x-goog-api-key']).toBe('secret-key');
  expect(observed.errors).toEqual([]);
});

test('a video is polled and found by the full name of its operation, in the project of baseURL', async () => {
  const { route } = await openRoute(
    {
      kind: 'ai-sdk',
      ...packages.vertex.provider,
      allowPrivateNetwork: true,
      options: { baseURL: `${server.origin}/v1beta1/projects/p/locations/l/publishers/google` },
    },
    model,
  );
  const { name } = packages.vertex.submitted;
  expect(route.operationOf?.('1')).toBeNull();
  server.response = {
    name,
    done: true,
    response: { videos: [{ bytesBase64Encoded: Buffer.from('film').toString('base64') }] },
  };
  const poll = await route.poll(route.operationOf?.(name), videoRequest(), never, 'staff');
  expect(server.got).toMatchObject([
    {
      path: `/v1beta1/projects/p/locations/l/publishers/google/models/${model}:fetchPredictOperation`,
      body: { operationName: name },
    },
  ]);
  expect(String(await readOutput(poll.kind === 'completed' ? poll.outputs[0] : undefined))).toBe(
    'film',
  );
});

test('images have every ordered parameter', async () => {
  server.response = packages.vertex.images;
  const { route } = await openPackage(server, 'vertex', 'gemini-3-pro-image', { type: 'image' });
  const request = imageRequest({ aspect_ratio: '21:9', resolution: '4k' });
  expect(await route.submit(request, never)).toMatchObject({ kind: 'completed' });
  expect(server.got).toMatchObject([
    {
      path: '/v1/publishers/google/models/gemini-3-pro-image:generateContent',
      body: { generationConfig: { imageConfig: { aspectRatio: '21:9', imageSize: '4K' } } },
    },
  ]);
});

test.each([
  ['IMAGE_SAFETY', 'output_rejected'],
  ['STOP', 'generation_failed'],
])('images that end with %s are %s', async (finishReason, code) => {
  server.response = { candidates: [{ content: { parts: [{ text: 'no' }] }, finishReason }] };
  const { route } = await openPackage(server, 'vertex', 'gemini-3-pro-image', { type: 'image' });
  expect(await route.submit(imageRequest(), never)).toMatchObject({ kind: 'refused', code });
});
