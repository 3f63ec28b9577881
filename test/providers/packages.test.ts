import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderRequest } from '../../gateway/src/application/ports/providers.ts';
import {
  closeRoutes,
  imageRequest,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
  wordOf,
} from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

/** Each package as it is installed from npm, against a server that keeps what it sends. */
const packages = {
  fal: {
    provider: { package: '@ai-sdk/fal', factory: 'createFal' },
    origins: ['https://queue.fal.run', 'https://fal.run'],
    submitted: { request_id: '1', response_url: 'https://queue.fal.run/fal-ai/x/requests/1' },
    images: { images: [{ url: 'https://files.example/1.png' }] },
  },
  google: {
    provider: { package: '@ai-sdk/google', factory: 'createGoogle' },
    origins: ['https://generativelanguage.googleapis.com'],
    submitted: { name: 'models/veo/operations/1' },
    images: {
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] } },
      ],
    },
  },
  replicate: {
    provider: { package: '@ai-sdk/replicate', factory: 'createReplicate' },
    origins: ['https://api.replicate.com'],
    submitted: {
      ...{ id: '1', status: 'starting' },
      urls: { get: 'https://api.replicate.com/v1/predictions/1' },
    },
    images: {
      ...{ id: '1', status: 'succeeded', output: ['https://files.example/1.png'] },
      urls: { get: 'https://api.replicate.com/v1/predictions/1' },
    },
  },
  alibaba: {
    provider: { package: '@ai-sdk/alibaba', factory: 'createAlibaba' },
    origins: ['https://dashscope-intl.aliyuncs.com'],
    submitted: { output: { task_id: '1', task_status: 'PENDING' }, request_id: 'r' },
    images: {},
  },
  xai: {
    provider: { package: '@ai-sdk/xai', factory: 'createXai' },
    origins: ['https://api.x.ai'],
    submitted: { request_id: '1' },
    images: { data: [{ b64_json: 'iVBORw0KGgo=' }] },
  },
  openai: {
    provider: { package: '@ai-sdk/openai', factory: 'createOpenAI' },
    origins: ['https://api.openai.com'],
    submitted: {},
    images: { data: [{ b64_json: 'iVBORw0KGgo=' }] },
  },
} as const;

type Name = keyof typeof packages;

let server: TinyServer;
let answer: unknown;

beforeAll(async () => {
  server = await startTinyServer(({ path }, response) => {
    if (path.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    else json(response, 200, answer);
  });
});

afterEach(() => {
  server.got.length = 0;
});

afterAll(async () => {
  await closeRoutes();
  await server.close();
});

const png = Buffer.from('iVBORw0KGgo=', 'base64');

function open(name: Name, model: string, options: Parameters<typeof openRoute>[2] = {}) {
  const { provider, origins } = packages[name];
  const all = [...origins, 'https://files.example'];
  const elsewhere = all.map((origin): [string, string] => [origin, server.origin]);
  return openRoute(
    {
      ...{ kind: 'ai-sdk', ...provider, mediaHosts: ['files.example'], allowPrivateNetwork: true },
      rewriteOrigins: Object.fromEntries(elsewhere),
    },
    model,
    options,
  );
}

/** A picture as it reaches a provider that takes bytes only. */
const bytes = Buffer.from('picture').toString('base64');
const url = (role: string, kind = 'png') =>
  `https://media.gateway.example/in/${role}.${kind}?sig=1`;
const text = (parameters: object) => videoRequest(parameters);
const frames = (...roles: ('first_frame' | 'last_frame')[]) =>
  videoRequest({}, { mode: 'image-to-video', inputs: roles.map((role) => input(role)) });
const references = (...types: ('image' | 'video' | 'audio')[]) => {
  const inputs = types.map((type) => input('reference', type));
  return videoRequest({}, { mode: 'multimodal-to-video', inputs });
};

/** What each package makes of a request: everything billed or promised is in the body. */
const videos: [Name, string, ProviderRequest, string, object][] = [
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

const picture = { inputs: [input('reference')] };
const pictures = { inputs: [input('reference'), input('reference')] };

const images: [Name, string, ProviderRequest, string, object][] = [
  [
    ...(['fal', 'fal-ai/flux/dev'] as const),
    imageRequest({ aspect_ratio: '16:9', resolution: '2k', output_format: 'jpeg' }),
    '/fal-ai/flux/dev',
    {
      ...{ prompt: 'a quiet lake', seed: 7, num_images: 1, output_format: 'jpeg' },
      image_size: { width: 2688, height: 1512 },
    },
  ],
  [
    ...(['fal', 'fal-ai/flux-2/edit'] as const),
    imageRequest({}, pictures),
    '/fal-ai/flux-2/edit',
    {
      ...{ prompt: 'a quiet lake', seed: 7, num_images: 1, output_format: 'png' },
      image_size: { width: 1024, height: 1024 },
      image_urls: [url('reference'), url('reference')],
    },
  ],
  [
    ...(['replicate', 'bytedance/seedream-4'] as const),
    imageRequest({ aspect_ratio: '3:2', resolution: '4k' }, picture),
    '/v1/models/bytedance/seedream-4/predictions',
    {
      input: {
        ...{ prompt: 'a quiet lake', aspect_ratio: '3:2', size: '4K', seed: 7, num_outputs: 1 },
        image_input: [url('reference')],
      },
    },
  ],
  [
    ...(['replicate', 'black-forest-labs/flux-2-pro'] as const),
    imageRequest({}, pictures),
    '/v1/models/black-forest-labs/flux-2-pro/predictions',
    {
      input: {
        ...{ prompt: 'a quiet lake', aspect_ratio: '1:1', seed: 7, num_outputs: 1 },
        ...{ input_image: url('reference'), input_image_2: url('reference') },
      },
    },
  ],
  [
    ...(['xai', 'grok-imagine-image'] as const),
    imageRequest({ aspect_ratio: '3:4', resolution: '2k' }, picture),
    '/v1/images/edits',
    {
      ...{ model: 'grok-imagine-image', prompt: 'a quiet lake', n: 1, response_format: 'b64_json' },
      ...{ aspect_ratio: '3:4', resolution: '2k' },
      image: { url: url('reference'), type: 'image_url' },
    },
  ],
  [
    ...(['openai', 'gpt-image-1'] as const),
    imageRequest({ aspect_ratio: '3:2', output_format: 'webp' }),
    '/v1/images/generations',
    {
      ...{ model: 'gpt-image-1', prompt: 'a quiet lake', n: 1 },
      ...{ size: '1536x1024', output_format: 'webp' },
    },
  ],
  [
    ...(['openai', 'gpt-image-2'] as const),
    imageRequest({ aspect_ratio: '16:9', resolution: '2k' }),
    '/v1/images/generations',
    {
      ...{ model: 'gpt-image-2', prompt: 'a quiet lake', n: 1 },
      // Multiples of 16 in the very ratio, of about four megapixels.
      ...{ size: '2816x1584', output_format: 'png' },
    },
  ],
];

describe('images', () => {
  test.each(images)(
    'by %s, %s, have all that was ordered',
    async (name, model, request, path, body) => {
      answer = packages[name].images;
      const { route, observed } = await open(name, model, { type: 'image' });
      const made = await route.submit(request, never);
      expect(made).toMatchObject({ kind: 'completed', outputs: [{}] });
      expect(await readOutput(made.kind === 'completed' ? made.outputs[0] : undefined)).toEqual(
        png,
      );
      expect(server.got[0]).toMatchObject({ method: 'POST', path });
      expect(server.got[0]?.body).toEqual(body);
      // Downloads do not carry the key.
      for (const { headers } of server.got.filter(({ path: each }) => each.endsWith('.png'))) {
        expect(JSON.stringify(headers)).not.toContain('secret-key');
      }
      expect(observed).toEqual({ errors: [] });
    },
  );

  test('by google have all that was ordered', async () => {
    answer = packages.google.images;
    const { route, observed } = await open('google', 'gemini-3-pro-image', { type: 'image' });
    const request = imageRequest({ aspect_ratio: '21:9', resolution: '4k' }, picture);
    expect((await route.submit(request, never)).kind).toBe('completed');
    expect(server.got).toMatchObject([
      {
        path: '/v1beta/models/gemini-3-pro-image:generateContent',
        body: {
          contents: [
            {
              parts: [
                { text: 'a quiet lake' },
                { inlineData: { mimeType: 'image/png', data: bytes } },
              ],
            },
          ],
          generationConfig: { seed: 7, imageConfig: { aspectRatio: '21:9', imageSize: '4K' } },
        },
      },
    ]);
    expect(observed).toEqual({ errors: [] });
  });

  test('by openai from pictures are ordered with a form', async () => {
    answer = packages.openai.images;
    const { route, observed } = await open('openai', 'gpt-image-1', { type: 'image' });
    expect((await route.submit(imageRequest({}, pictures), never)).kind).toBe('completed');
    expect(server.got[0]?.path).toBe('/v1/images/edits');
    expect(server.got[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const form = String(server.got[0]?.body);
    expect(form.match(/picture/g)).toHaveLength(2);
    expect(form).toContain('a quiet lake');
    expect(observed).toEqual({ errors: [] });
  });

  test('more than a call makes are several calls with seeds of their own', async () => {
    answer = packages.fal.images;
    const { route } = await open('fal', 'fal-ai/flux/dev', { type: 'image' });
    const made = await route.submit(imageRequest({ n: 3, seed: 2 ** 31 - 2 }), never);
    expect(made.kind === 'completed' && made.outputs).toHaveLength(3);
    const bodies = server.got.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(bodies).toEqual(
      expect.arrayContaining(
        [2 ** 31 - 2, 2 ** 31 - 1, 1].map((seed) =>
          expect.objectContaining({ seed, num_images: 1 }),
        ),
      ),
    );
  });
});
