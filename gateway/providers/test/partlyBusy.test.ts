import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { minuteMs } from '@framegate/contract';
import { openPackage } from './packageFixtures.ts';
import { closeRoutes, imageRequest, never, wordOf } from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

/** Responses to the calls of an order, in order; afterwards an image. */
let responses: (number | 'image')[] = [];
let server: TinyServer;
let image: string;
beforeAll(async () => {
  const create = { width: 8, height: 8, channels: 3, background: 'red' } as const;
  image = (await sharp({ create }).png().toBuffer()).toString('base64');
  server = await startTinyServer((_got, response) => {
    const planned = responses.shift() ?? 'image';
    if (planned === 'image') json(response, 200, { created: 1, data: [{ b64_json: image }] });
    else json(response, planned, { error: { message: 'not now', code: 'refused' } });
  });
});
beforeEach(() => {
  server.got.length = 0;
});
afterAll(async () => {
  await closeRoutes();
  await server.close();
});

/** An order of three images at a provider that makes one per call. */
async function order(callMs = minuteMs) {
  const imageTimes = { callMs, pauseMs: 1 };
  const { route } = await openPackage(server, 'openai', 'dall-e-3', { type: 'image', imageTimes });
  const made = await route.submit(imageRequest({ n: 3 }), never);
  return { made, word: wordOf(made), calls: server.got.length };
}

describe('an order of several calls, some of them made', () => {
  test('repeats only the calls that were turned away', async () => {
    responses = ['image', 429, 'image', 429];
    const { made, calls } = await order();
    expect(made.kind === 'completed' && made.outputs).toHaveLength(3);
    expect(calls).toBe(5);
  });

  test('is not ordered again as a whole when one of them is refused', async () => {
    responses = ['image', 'image', 401];
    const { word, calls } = await order();
    expect(word).toMatchObject({
      kind: 'refused',
      code: 'generation_failed',
      isBusy: false,
      note: expect.stringContaining('2 of 3 calls made') as unknown,
    });
    expect(calls).toBe(3);
  });

  test('is not ordered again as a whole when one of them stays busy to the end', async () => {
    responses = ['image', 'image', ...Array.from({ length: 1_000 }, () => 429)];
    const { word } = await order(1_500);
    expect(word).toMatchObject({ kind: 'refused', code: 'generation_failed', isBusy: false });
  });

  test('waits as a whole when all of them are turned away', async () => {
    responses = [429, 429, 429];
    const { word, calls } = await order();
    expect(word).toMatchObject({ kind: 'refused', code: null, isBusy: true });
    expect(calls).toBe(3);
  });
});
