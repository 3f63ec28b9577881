import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ProviderRequest } from '../src/route.ts';
import { inputUrl, openPackage, type PackageName, packages } from './packageFixtures.ts';
import { imageRequest, input, never, type openRoute, readOutput } from './routeFixtures.ts';
import { png } from './tinyServer.ts';
import { type PackageServer, usePackageServer } from './usePackageServer.ts';

const packageServer = usePackageServer();
let server: PackageServer;
beforeAll(() => {
  server = packageServer();
});

const open = (name: PackageName, model: string, options?: Parameters<typeof openRoute>[2]) =>
  openPackage(server, name, model, options);

const url = inputUrl;

/** A picture as received by a provider that takes only bytes. */
const bytes = Buffer.from('picture').toString('base64');

const picture = { inputs: [input('reference')] };
const pictures = { inputs: [input('reference'), input('reference')] };

const images: [PackageName, string, ProviderRequest, string, object][] = [
  [
    ...(['fal', 'fal-ai/flux/dev'] as const),
    imageRequest({ aspect_ratio: '16:9', resolution: '2k', output_format: 'jpeg' }),
    '/fal-ai/flux/dev',
    {
      prompt: 'a quiet lake',
      seed: 7,
      num_images: 1,
      output_format: 'jpeg',
      image_size: { width: 2688, height: 1512 },
    },
  ],
  [
    ...(['fal', 'fal-ai/flux-2/edit'] as const),
    imageRequest({}, pictures),
    '/fal-ai/flux-2/edit',
    {
      prompt: 'a quiet lake',
      seed: 7,
      num_images: 1,
      output_format: 'png',
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
        prompt: 'a quiet lake',
        aspect_ratio: '3:2',
        size: '4K',
        num_outputs: 1,
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
        prompt: 'a quiet lake',
        aspect_ratio: '1:1',
        seed: 7,
        num_outputs: 1,
        resolution: '1 MP',
        input_images: [url('reference'), url('reference')],
      },
    },
  ],
  [
    ...(['replicate', 'google/nano-banana-pro'] as const),
    imageRequest({ aspect_ratio: '16:9', resolution: '4k' }, picture),
    '/v1/models/google/nano-banana-pro/predictions',
    {
      input: {
        prompt: 'a quiet lake',
        num_outputs: 1,
        aspect_ratio: '16:9',
        resolution: '4K',
        image_input: [url('reference')],
      },
    },
  ],
  [
    ...(['fal', 'fal-ai/nano-banana-pro'] as const),
    imageRequest({ aspect_ratio: '16:9', resolution: '4k', output_format: 'webp' }),
    '/fal-ai/nano-banana-pro',
    {
      prompt: 'a quiet lake',
      seed: 7,
      num_images: 1,
      aspect_ratio: '16:9',
      resolution: '4K',
      output_format: 'png',
    },
  ],
  [
    ...(['fal', 'fal-ai/bytedance/seedream/v4.5/edit'] as const),
    imageRequest({ aspect_ratio: '3:2', resolution: '2k' }, pictures),
    '/fal-ai/bytedance/seedream/v4.5/edit',
    {
      prompt: 'a quiet lake',
      seed: 7,
      num_images: 1,
      image_size: { width: 2520, height: 1680 },
      image_urls: [url('reference'), url('reference')],
    },
  ],
  [
    ...(['fal', 'fal-ai/flux-pro/kontext'] as const),
    imageRequest({ aspect_ratio: '21:9' }, picture),
    '/fal-ai/flux-pro/kontext',
    {
      prompt: 'a quiet lake',
      seed: 7,
      num_images: 1,
      aspect_ratio: '21:9',
      output_format: 'png',
      image_url: url('reference'),
    },
  ],
  [
    ...(['xai', 'grok-imagine-image'] as const),
    imageRequest({ aspect_ratio: '3:4', resolution: '2k' }, picture),
    '/v1/images/edits',
    {
      model: 'grok-imagine-image',
      prompt: 'a quiet lake',
      n: 1,
      response_format: 'b64_json',
      aspect_ratio: '3:4',
      resolution: '2k',
      image: { url: url('reference'), type: 'image_url' },
    },
  ],
  [
    ...(['openai', 'gpt-image-1'] as const),
    imageRequest({ aspect_ratio: '3:2', output_format: 'webp' }),
    '/v1/images/generations',
    {
      model: 'gpt-image-1',
      prompt: 'a quiet lake',
      n: 1,
      size: '1536x1024',
      output_format: 'webp',
    },
  ],
  [
    ...(['openai', 'gpt-image-2'] as const),
    imageRequest({ aspect_ratio: '16:9', resolution: '2k' }),
    '/v1/images/generations',
    {
      model: 'gpt-image-2',
      prompt: 'a quiet lake',
      n: 1,
      // Multiples of 16 in the exact ratio, of about four megapixels.
      size: '2816x1584',
      output_format: 'png',
    },
  ],
];

describe('images', () => {
  test.each(images)(
    'by %s, %s, have every ordered parameter',
    async (name, model, request, path, body) => {
      server.response = packages[name].images;
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
      expect(observed.errors).toEqual([]);
    },
  );

  test('by google have every ordered parameter', async () => {
    server.response = packages.google.images;
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
    expect(observed.errors).toEqual([]);
  });

  test('by openai from pictures are ordered with a form', async () => {
    server.response = packages.openai.images;
    const { route, observed } = await open('openai', 'gpt-image-1', { type: 'image' });
    expect((await route.submit(imageRequest({}, pictures), never)).kind).toBe('completed');
    expect(server.got[0]?.path).toBe('/v1/images/edits');
    expect(server.got[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const form = String(server.got[0]?.body);
    expect(form.match(/picture/g)).toHaveLength(2);
    expect(form).toContain('a quiet lake');
    expect(observed.errors).toEqual([]);
  });

  test('beyond the limit of a call become several calls with their own seeds', async () => {
    server.response = packages.fal.images;
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
