import { afterAll, describe, expect, test } from '@jest/globals';
import { createParameterCheck, holdBackInRehearsal } from '../src/droppedParameters.ts';
import { closeRoutes, imageRequest, never, openRoute, videoRequest } from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

afterAll(closeRoutes);

const packages = {
  luma: {
    package: '@ai-sdk/luma',
    factory: 'createLuma',
    rewriteOrigins: ['https://api.lumalabs.ai'],
  },
  togetherai: {
    package: '@ai-sdk/togetherai',
    factory: 'createTogetherAI',
    rewriteOrigins: ['https://api.together.xyz', 'https://api.together.ai'],
  },
  minimax: {
    package: '@ai-sdk/minimax',
    factory: 'createMiniMax',
    rewriteOrigins: ['https://api.minimax.io'],
  },
};

function entryOf(name: keyof typeof packages, server: TinyServer): object {
  const { rewriteOrigins, ...rest } = packages[name];
  return {
    kind: 'ai-sdk',
    ...rest,
    allowPrivateNetwork: true,
    mediaHosts: ['files.example'],
    rewriteOrigins: Object.fromEntries(rewriteOrigins.map((from) => [from, server.origin])),
  };
}

describe('a package that would drop a promised parameter', () => {
  test.each([
    ['luma', 'photon-1', 'image', imageRequest(), '@size (send.size)'],
    ['minimax', 'MiniMax-H3-Max', 'video', videoRequest(), '@resolution (send.size)'],
  ] as const)('is not given the order: %s', async (name, model, type, request, lost) => {
    const server = await startTinyServer((_, response) => json(response, 500, {}));
    const { route, observed } = await openRoute(entryOf(name, server), model, { type });
    for (let times = 0; times < 2; times += 1) {
      expect(await route.submit(request, never)).toMatchObject({
        kind: 'refused',
        code: null,
        isBusy: false,
        note: `not sent on: ${lost}`,
      });
    }
    expect(server.got).toEqual([]);
    // Told once while the route is open.
    const [field] = lost.split(' ');
    expect(observed.errors).toMatchObject([{ alert: 'parameter_dropped', field, send: ['size'] }]);
    await server.close();
  });
});

describe('a package that sends everything', () => {
  test('gets the order once, although it warns about a parameter that was not given', async () => {
    const server = await startTinyServer((_, response) =>
      json(response, 200, { data: [{ b64_json: Buffer.from('picture').toString('base64') }] }),
    );
    const { route } = await openRoute(entryOf('togetherai', server), 'flux', { type: 'image' });
    expect(await route.submit(imageRequest(), never)).toMatchObject({ kind: 'completed' });
    expect(server.got.map(({ body }) => body)).toMatchObject([{ width: 1024, height: 1024 }]);
    await server.close();
  });

  test('gets it with the parameters under its own names', async () => {
    const server = await startTinyServer((_, response) =>
      json(response, 200, { task_id: '1', base_resp: { status_code: 0, status_msg: 'ok' } }),
    );
    const { route } = await openRoute(entryOf('minimax', server), 'MiniMax-H3-Max');
    const submission = await route.submit(videoRequest({ resolution: '480p' }), never);
    expect(server.got.map(({ body }) => body)).toMatchObject([
      { resolution: '480P', duration: 5, ratio: '16:9' },
    ]);
    expect(submission.kind).toBe('accepted');
    await server.close();
  });
});

test('calls that differ only in a signed URL are rehearsed once', async () => {
  let rehearsed = 0;
  const check = createParameterCheck(async (options: { prompt: string; image: string }) => {
    rehearsed += 1;
    holdBackInRehearsal('POST', 'https://api.example', JSON.stringify(options));
  });
  await check({ prompt: 'a lake', image: 'https://media.gateway.example/in/1.png?sig=1' });
  const first = rehearsed;
  await check({ prompt: 'a hill', image: 'https://media.gateway.example/in/2.png?sig=2' });
  expect([first > 0, rehearsed]).toEqual([true, first]);
});
