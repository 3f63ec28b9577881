import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderRequest } from '../../gateway/src/application/ports/providers.ts';
import {
  inputUrl,
  openPackage,
  packages,
  startPackageServer,
  type PackageName,
} from './packageFixtures.ts';
import {
  closeRoutes,
  input,
  never,
  type openRoute,
  videoRequest,
  wordOf,
} from './routeFixtures.ts';
import type { TinyServer } from './tinyServer.ts';

let server: TinyServer;
let answer: unknown;

beforeAll(async () => {
  server = await startPackageServer(() => answer);
});

afterEach(() => {
  server.got.length = 0;
});

afterAll(async () => {
  await closeRoutes();
  await server.close();
});

const open = (name: PackageName, model: string, options?: Parameters<typeof openRoute>[2]) =>
  openPackage(server, name, model, options);

/** A picture as it reaches a provider that takes bytes only. */
const bytes = Buffer.from('picture').toString('base64');
const url = inputUrl;
const text = (parameters: object) => videoRequest(parameters);
const frames = (...roles: ('first_frame' | 'last_frame')[]) =>
  videoRequest({}, { mode: 'image-to-video', inputs: roles.map((role) => input(role)) });
const references = (...types: ('image' | 'video' | 'audio')[]) => {
  const inputs = types.map((type) => input('reference', type));
  return videoRequest({}, { mode: 'multimodal-to-video', inputs });
};

/** What each package makes of a request: everything billed or promised is in the body. */
const videos: [PackageName, string, ProviderRequest, string, object][] = [
  [
    ...(['fal', 'fal-ai/bytedance/seedance/v1.5/pro/text-to-video'] as const),
    text({ duration_seconds: 9, resolution: '1080p', aspect_ratio: '9:16', generate_audio: true }),
    '/fal-ai/bytedance/seedance/v1.5/pro/text-to-video',
    {
      ...{ prompt: 'a quiet lake', duration: '9', resolution: '1080p', aspect_ratio: '9:16' },
      ...{ generate_audio: true, seed: 7 },
    },
  ],
  [
    ...(['fal', 'fal-ai/veo3.1'] as const),
    text({ duration_seconds: 8, resolution: '2160p' }),
    '/fal-ai/veo3.1',
    {
      ...{ prompt: 'a quiet lake', duration: '8s', resolution: '4k', aspect_ratio: '16:9' },
      ...{ generate_audio: false, seed: 7 },
    },
  ],
  [
    ...(['fal', 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video'] as const),
    frames('first_frame', 'last_frame'),
    '/fal-ai/bytedance/seedance/v1.5/pro/image-to-video',
    {
      ...{ prompt: 'a quiet lake', duration: '5', resolution: '720p', aspect_ratio: '16:9' },
      ...{ generate_audio: false, seed: 7 },
      ...{ image_url: url('first_frame'), end_image_url: url('last_frame') },
    },
  ],
  [
    ...(['fal', 'fal-ai/seedance-2/reference-to-video'] as const),
    references('image', 'image', 'video', 'audio'),
    '/fal-ai/seedance-2/reference-to-video',
    {
      ...{ prompt: 'a quiet lake', duration: '5', resolution: '720p', aspect_ratio: '16:9' },
      ...{ generate_audio: false, seed: 7 },
      image_urls: [url('reference'), url('reference')],
      video_urls: [url('reference', 'mp4')],
      audio_urls: [url('reference', 'mpeg')],
    },
  ],
  [
    ...(['fal', 'bytedance/seedance-2.0/reference-to-video'] as const),
    references('image'),
    // An endpoint of a partner stands without fal-ai.
    '/bytedance/seedance-2.0/reference-to-video',
    {
      ...{ prompt: 'a quiet lake', duration: '5', resolution: '720p', aspect_ratio: '16:9' },
      ...{ generate_audio: false, seed: 7, image_urls: [url('reference')] },
    },
  ],
  [
    ...(['fal', 'luma-ray-2'] as const),
    text({}),
    '/fal-ai/luma-ray-2',
    {
      ...{ prompt: 'a quiet lake', duration: '5s', resolution: '720p', aspect_ratio: '16:9' },
      ...{ generate_audio: false, seed: 7 },
    },
  ],
  [
    ...(['bfl', 'flux-3-video'] as const),
    text({ duration_seconds: 9, resolution: '1080p', aspect_ratio: '21:9', generate_audio: true }),
    '/v1/flux-3-video',
    {
      ...{ mode: 't2v', prompt: 'a quiet lake', duration: 9, resolution: 'fhd' },
      ...{ aspect_ratio: '21:9', generate_audio: true },
    },
  ],
  [
    ...(['bfl', 'flux-3-video'] as const),
    frames('first_frame', 'last_frame'),
    '/v1/flux-3-video',
    {
      ...{ mode: 'i2v', prompt: 'a quiet lake', duration: 5, resolution: 'hd' },
      ...{ aspect_ratio: '16:9', generate_audio: false },
      keyframes: [url('first_frame'), url('last_frame')],
    },
  ],
  [
    ...(['google', 'veo-3.1-generate-001'] as const),
    text({ duration_seconds: 8, resolution: '1080p', aspect_ratio: '9:16', generate_audio: true }),
    '/v1beta/models/veo-3.1-generate-001:predictLongRunning',
    {
      instances: [{ prompt: 'a quiet lake' }],
      parameters: {
        ...{ sampleCount: 1, aspectRatio: '9:16', resolution: '1080p' },
        ...{ durationSeconds: 8, seed: 7 },
      },
    },
  ],
  [
    ...(['google', 'veo-3.1-generate-001'] as const),
    frames('first_frame', 'last_frame'),
    '/v1beta/models/veo-3.1-generate-001:predictLongRunning',
    {
      instances: [
        {
          prompt: 'a quiet lake',
          image: { bytesBase64Encoded: bytes, mimeType: 'image/png' },
          lastFrame: { bytesBase64Encoded: bytes, mimeType: 'image/png' },
        },
      ],
      parameters: {
        ...{ sampleCount: 1, aspectRatio: '16:9', resolution: '720p' },
        ...{ durationSeconds: 5, seed: 7 },
      },
    },
  ],
  [
    ...(['google', 'veo-3.1-generate-001'] as const),
    references('image'),
    '/v1beta/models/veo-3.1-generate-001:predictLongRunning',
    {
      instances: [
        {
          prompt: 'a quiet lake',
          referenceImages: [
            {
              image: { bytesBase64Encoded: bytes, mimeType: 'image/png' },
              referenceType: 'asset',
            },
          ],
        },
      ],
      parameters: {
        ...{ sampleCount: 1, aspectRatio: '16:9', resolution: '720p' },
        ...{ durationSeconds: 5, seed: 7 },
      },
    },
  ],
  [
    ...(['replicate', 'bytedance/seedance-2.0'] as const),
    text({ duration_seconds: 9, resolution: '480p', aspect_ratio: '21:9', generate_audio: true }),
    '/v1/models/bytedance/seedance-2.0/predictions',
    {
      input: {
        ...{ prompt: 'a quiet lake', duration: 9, resolution: '480p', aspect_ratio: '21:9' },
        ...{ generate_audio: true, seed: 7 },
      },
    },
  ],
  [
    ...(['replicate', 'bytedance/seedance-2.0'] as const),
    frames('first_frame', 'last_frame'),
    '/v1/models/bytedance/seedance-2.0/predictions',
    {
      input: {
        ...{ prompt: 'a quiet lake', duration: 5, resolution: '720p', aspect_ratio: '16:9' },
        ...{ generate_audio: false, seed: 7 },
        ...{ image: url('first_frame'), last_frame_image: url('last_frame') },
      },
    },
  ],
  [
    ...(['replicate', 'bytedance/seedance-2.0'] as const),
    references('image', 'video', 'audio'),
    '/v1/models/bytedance/seedance-2.0/predictions',
    {
      input: {
        ...{ prompt: 'a quiet lake', duration: 5, resolution: '720p', aspect_ratio: '16:9' },
        ...{ generate_audio: false, seed: 7, reference_images: [url('reference')] },
        reference_videos: [url('reference', 'mp4')],
        reference_audios: [url('reference', 'mpeg')],
      },
    },
  ],
  [
    ...(['alibaba', 'wan2.6-t2v'] as const),
    text({ resolution: '1080p', aspect_ratio: '3:4', generate_audio: true }),
    '/api/v1/services/aigc/video-generation/video-synthesis',
    {
      model: 'wan2.6-t2v',
      input: { prompt: 'a quiet lake' },
      parameters: { duration: 5, seed: 7, size: '1248*1632', watermark: false },
    },
  ],
  [
    ...(['alibaba', 'wan3-video'] as const),
    frames('first_frame', 'last_frame'),
    '/api/v1/services/aigc/video-generation/video-synthesis',
    {
      model: 'wan3-video',
      input: {
        prompt: 'a quiet lake',
        media: [
          { type: 'first_frame', url: url('first_frame') },
          { type: 'last_frame', url: url('last_frame') },
        ],
      },
      parameters: {
        ...{ duration: 5, seed: 7, resolution: '720P', ratio: '16:9' },
        ...{ audio: false, watermark: false },
      },
    },
  ],
  [
    ...(['alibaba', 'wan2.7-r2v'] as const),
    references('image'),
    '/api/v1/services/aigc/video-generation/video-synthesis',
    {
      model: 'wan2.7-r2v',
      input: {
        prompt: 'a quiet lake',
        media: [{ type: 'reference_image', url: url('reference') }],
      },
      parameters: { duration: 5, seed: 7, resolution: '720P', ratio: '16:9', watermark: false },
    },
  ],
  [
    ...(['xai', 'grok-imagine-video-1.5'] as const),
    text({ duration_seconds: 9, resolution: '480p', aspect_ratio: '9:16', generate_audio: true }),
    '/v1/videos/generations',
    {
      ...{ model: 'grok-imagine-video-1.5', prompt: 'a quiet lake', duration: 9 },
      ...{ resolution: '480p', aspect_ratio: '9:16', generate_audio: true },
    },
  ],
  [
    ...(['xai', 'grok-imagine-video-1.5'] as const),
    frames('first_frame', 'last_frame'),
    '/v1/videos/generations',
    {
      ...{ model: 'grok-imagine-video-1.5', prompt: 'a quiet lake', duration: 5 },
      ...{ resolution: '720p', aspect_ratio: '16:9', generate_audio: false },
      ...{ image: { url: url('first_frame') }, last_frame: { url: url('last_frame') } },
    },
  ],
  [
    ...(['xai', 'grok-imagine-video'] as const),
    references('image', 'audio'),
    '/v1/videos/generations',
    {
      ...{ model: 'grok-imagine-video', prompt: 'a quiet lake', duration: 5 },
      ...{ resolution: '720p', aspect_ratio: '16:9', generate_audio: false },
      reference_images: [{ url: url('reference') }],
      reference_audios: [{ url: url('reference', 'mpeg') }],
    },
  ],
];

describe('a video', () => {
  test.each(videos)(
    'by %s, %s, has all that was ordered',
    async (name, model, request, path, body) => {
      answer = packages[name].submitted;
      const { route, observed } = await open(name, model);
      expect((await route.submit(request, never)).kind).toBe('accepted');
      expect(server.got).toMatchObject([{ method: 'POST', path, body }]);
      expect(server.got[0]?.body).toEqual(body);
      expect(JSON.stringify(server.got[0]?.headers)).toContain('secret-key');
      expect(observed).toEqual({ errors: [] });
    },
  );

  test.each([
    ['fal-ai/bytedance/seedance/v1.5/pro/text-to-video', '/fal-ai/bytedance'],
    ['bytedance/seedance-2.0/text-to-video', '/bytedance/seedance-2.0'],
  ])('of fal, %s, is found by its id at %s', async (model, application) => {
    const { route } = await open('fal', model);
    answer = { video: { url: 'https://files.example/1.mp4' } };
    const done = await route.poll(route.operationOf?.('job-1'), text({}), never, 'staff');
    expect(done).toMatchObject({ kind: 'completed', outputs: [{}] });
    expect(server.got).toMatchObject([{ method: 'GET', path: `${application}/requests/job-1` }]);
  });

  test.each([
    ['Request Moderated', 'input_rejected'],
    ['Content Moderated', 'output_rejected'],
    ['Error', 'generation_failed'],
  ])('of Black Forest Labs that ends as %s is %s', async (status, code) => {
    const { route } = await open('bfl', 'flux-3-video');
    const operation = { requestId: '1', pollingUrl: 'https://api.bfl.ai/v1/get_result?id=1' };
    const poll = () => route.poll(operation, text({}), never);
    answer = { id: '1', status: 'Pending', result: null };
    expect(await poll()).toEqual({ kind: 'pending' });
    answer = { id: '1', status: 'Task not found', result: null };
    expect(await poll()).toMatchObject({ kind: 'fault' });
    answer = { id: '1', status, result: null };
    expect(await poll()).toMatchObject({ kind: 'failed', code });
    answer = { id: '1', status: 'Ready', result: { sample: 'https://files.example/1.mp4' } };
    expect(await poll()).toMatchObject({ kind: 'completed', outputs: [{}] });
  });

  test('that lost something on the way is an alert', async () => {
    answer = packages.alibaba.submitted;
    // The operator says that this model takes a last frame; the package knows better.
    const route = { supports: { lastFrame: true, audio: true, aspectRatios: ['16:9'] } };
    const { route: wrong, observed } = await open('alibaba', 'wan2.6-i2v', { route });
    const request = frames('first_frame', 'last_frame');
    expect(wrong.covers(request)).toBe(true);
    // The provider works on it, but the customer would pay for what does not come.
    expect(wordOf(await wrong.submit(request, never))).toEqual({
      ...{ kind: 'undelivered', note: 'not sent on: frameImages' },
      operation: expect.anything() as unknown,
    });
    expect(observed.errors).toContainEqual(
      expect.objectContaining({ alert: 'parameter_dropped', feature: 'frameImages' }),
    );
  });
});
