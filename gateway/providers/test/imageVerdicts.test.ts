import { describe, expect, test } from '@jest/globals';
import type { PackageName } from './packageFixtures.ts';
import { imageRequest, never } from './routeFixtures.ts';
import { json } from './tinyServer.ts';
import { type FakeResponse, useVerdictServer } from './verdictFixtures.ts';

const server = useVerdictServer();

const prediction = { id: '1', urls: { get: 'https://api.replicate.com/v1/predictions/1' } };

describe('images', () => {
  const gemini = (body: object): [number, unknown] => [200, body];
  const made: [string, PackageName, string, FakeResponse, object][] = [
    [
      ...(['fal: flagged', 'fal', 'fal-ai/flux/dev'] as const),
      [200, { images: [{ url: 'https://files.example/1.png' }], has_nsfw_concepts: [true] }],
      { kind: 'refused', code: 'output_rejected', isBusy: false },
    ],
    ['fal: 500', 'fal', 'fal-ai/flux/dev', [500, { detail: 'x' }], { kind: 'unknown' }],
    [
      ...(['fal: no runner', 'fal', 'fal-ai/flux/dev'] as const),
      [503, { detail: 'No runner is there', error_type: 'runner_scheduling_failure' }],
      { kind: 'refused', code: null, isBusy: true },
    ],
    [
      ...(['fal: a runner that is lost', 'fal', 'fal-ai/flux/dev'] as const),
      [503, { detail: 'It is gone', error_type: 'runner_disconnected' }],
      { kind: 'unknown' },
    ],
    [
      'fal: 422',
      'fal',
      'fal-ai/flux/dev',
      [422, { detail: [{ loc: ['body'], msg: 'n', type: 'content_policy_violation' }] }],
      { kind: 'refused', code: 'input_rejected' },
    ],
    [
      ...(['fal: files elsewhere', 'fal', 'fal-ai/flux/dev'] as const),
      [200, { images: [{ url: 'https://elsewhere.example/1.png' }] }],
      { kind: 'unknown' },
    ],
    [
      ...(['google: safety', 'google', 'gemini-3-pro-image'] as const),
      gemini({ candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY' }] }),
      { kind: 'refused', code: 'output_rejected' },
    ],
    [
      ...(['google: words only', 'google', 'gemini-3-pro-image'] as const),
      gemini({
        candidates: [{ content: { parts: [{ text: 'Here it is' }] }, finishReason: 'STOP' }],
      }),
      { kind: 'refused', code: 'generation_failed' },
    ],
    [
      ...(['xai: moderation', 'xai', 'grok-imagine-image'] as const),
      [200, { data: [{ b64_json: 'aGk=', respect_moderation: false }] }],
      { kind: 'refused', code: 'output_rejected' },
    ],
    [
      ...(['replicate: failed', 'replicate', 'black-forest-labs/flux-2-pro'] as const),
      [201, { ...prediction, status: 'failed', error: 'NSFW content detected' }],
      { kind: 'refused', code: 'output_rejected' },
    ],
  ];

  test.each(made)('%s', async (_, name, model, given, expected) => {
    server().given = given;
    const { route } = await server().open(name, model, { type: 'image' });
    expect(await route.submit(imageRequest(), never)).toMatchObject(expected);
  });

  test('are delivered whole or not at all: one call of three with an unknown outcome', async () => {
    let calls = 0;
    server().given = (response, path) => {
      if (path.endsWith('.png')) {
        response.writeHead(200, { 'content-type': 'image/png' }).end('png');
      } else if ((calls += 1) === 2) {
        response.destroy();
      } else {
        json(response, 200, { images: [{ url: 'https://files.example/1.png' }] });
      }
    };
    const { route } = await server().open('fal', 'fal-ai/flux/dev', { type: 'image' });
    expect((await route.submit(imageRequest({ n: 3 }), never)).kind).toBe('unknown');
  });

  test('throw when aborted', async () => {
    const abort = new AbortController();
    server().given = () => abort.abort(new Error('we stop'));
    const { route } = await server().open('openai', 'gpt-image-1', { type: 'image' });
    await expect(route.submit(imageRequest(), abort.signal)).rejects.toThrow('we stop');
  });
});
