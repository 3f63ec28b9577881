import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Log } from '@framegate/contract';
import { createRoutes } from '../src/createRoutes.ts';
import { checkRoutesFile } from '../src/openProvider.ts';
import { defaultRoutes, parseRoutesFile, RoutesFileError } from '../src/routesFile.ts';
import { openNetwork as network } from './openNetwork.ts';
import { closeRoutes, never, openRoute, videoRequest } from './routeFixtures.ts';
import { json, startTinyServer } from './tinyServer.ts';

const silent = () => undefined;
const log: Log = { debug: silent, info: silent, warn: silent, error: silent };

afterAll(closeRoutes);

/** Why a package is unusable, as the operator reads it at startup. */
async function refusal(provider: object, type: 'video' | 'image' = 'video'): Promise<string> {
  try {
    await openRoute({ kind: 'ai-sdk', mediaHosts: ['files.example'], ...provider }, 'some-model', {
      type,
    });
  } catch (error) {
    if (error instanceof RoutesFileError) return error.problems.join('\n');
    throw error;
  }
  return '';
}

describe('a package', () => {
  test('that is not installed is named with the command that installs it', async () => {
    expect(await refusal({ package: '@ai-sdk/nowhere', factory: 'createNowhere' })).toBe(
      'providers.p: @ai-sdk/nowhere is not installed: run npm install --save-exact -w @framegate/gateway @ai-sdk/nowhere.',
    );
  });

  test('is looked for in PROVIDERS_DIR first, and named with the command that installs it there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'framegate-providers-'));
    const open = (name: string) =>
      createRoutes({
        file: parseRoutesFile(
          {
            providers: {
              p: { kind: 'ai-sdk', package: name, factory: 'create', apiKeyEnv: 'KEY' },
            },
            models: { m: [{ provider: 'p', model: 'x' }] },
          },
          { KEY: 'a-key' },
          [{ id: 'm', type: 'image' }],
        ),
        preview: null,
        log,
        network,
        now: Date.now,
        providersDir: folder,
      });
    await expect(open('@acme/maker')).rejects.toMatchObject({
      problems: [
        `providers.p: @acme/maker is not installed: run npm install --save-exact --prefix "${folder}" @acme/maker.`,
      ],
    });
    const home = join(folder, 'node_modules/@acme/maker');
    await mkdir(home, { recursive: true });
    const manifest = { name: '@acme/maker', type: 'module', exports: './maker.js' };
    await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
    await writeFile(
      join(home, 'maker.js'),
      "export const create = () => ({ imageModel: () => ({ specificationVersion: 'v4', doGenerate() {} }) });",
    );
    const routes = await open('@acme/maker');
    expect(routes.forModel('m')).toMatchObject([{ provider: 'p', model: 'x' }]);
    await routes.close();
    // Packages missing there are loaded from next to the gateway.
    await expect(open('@ai-sdk/fal')).rejects.toMatchObject({
      problems: [expect.stringContaining('@ai-sdk/fal has no export "create"')],
    });
    await rm(folder, { recursive: true });
  });

  test('without the factory is refused', async () => {
    const problem = await refusal({ package: '@ai-sdk/fal', factory: 'createFall' });
    expect(problem).toContain('@ai-sdk/fal has no export "createFall"');
  });

  test('of an older interface is refused, with the reason', async () => {
    const problem = await refusal({ package: '@ai-sdk/bytedance', factory: 'createByteDance' });
    expect(problem).toContain('models.m[0]: @ai-sdk/bytedance makes videos by version v3');
  });

  test('that makes no videos is refused for a video model, and taken for an image model', async () => {
    const openai = { package: '@ai-sdk/openai', factory: 'createOpenAI' };
    expect(await refusal(openai)).toContain('@ai-sdk/openai makes no videos');
    expect(await refusal(openai, 'image')).toBe('');
  });

  test('is opened with its own options', async () => {
    const server = await startTinyServer((_, response) => json(response, 429, { detail: 'busy' }));
    const { route } = await openRoute(
      {
        kind: 'ai-sdk',
        package: '@ai-sdk/replicate',
        factory: 'createReplicate',
        mediaHosts: ['files.example'],
        allowPrivateNetwork: true,
        options: { baseURL: `${server.origin}/mine`, headers: { 'x-team': 'one' } },
      },
      'vendor/model',
    );
    expect(await route.submit(videoRequest(), never)).toMatchObject({
      kind: 'refused',
      isBusy: true,
    });
    expect(server.got).toMatchObject([
      { path: '/mine/models/vendor/model/predictions', headers: { 'x-team': 'one' } },
    ]);
    await server.close();
  });
});

test('errors in a file are reported together with packages that cannot be opened', async () => {
  const http = { kind: 'ai-sdk', apiKeyEnv: 'KEY', mediaHosts: ['files.example'] };
  const entry = {
    providers: {
      ghost: { ...http, package: '@ai-sdk/nowhere', factory: 'x' },
      odd: { apiKeyEnv: 'KEY' },
      fal: { ...http, package: '@ai-sdk/fal', factory: 'createFal' },
      unused: { ...http, package: '@ai-sdk/elsewhere', factory: 'x' },
    },
    models: { m: [{ provider: 'ghost', model: '' }, { provider: 'fal', model: 'x' }, null] },
  };
  const checked = checkRoutesFile([entry, {}, [{ id: 'm', type: 'video' }]], {
    providersDir: null,
    network,
  });
  await expect(checked).rejects.toMatchObject({
    problems: [
      'providers.odd.kind is required, one of [preview-renderer, ai-sdk, http, model-ark, comfyui].',
      expect.stringContaining('models.m[0].model'),
      expect.stringContaining('models.m[2]'),
      'providers.ghost.apiKeyEnv names KEY, which is not set in the environment.',
      'providers.fal.apiKeyEnv names KEY, which is not set in the environment.',
      'providers.unused.apiKeyEnv names KEY, which is not set in the environment.',
      expect.stringMatching(
        /^providers\.ghost: @ai-sdk\/nowhere is not installed: run npm install/,
      ),
    ],
  });
});

describe('the routes', () => {
  const catalogue = [
    { id: 'a', type: 'video' },
    { id: 'b', type: 'video' },
  ] as const;

  function file(models: object) {
    const http = { kind: 'model-ark', apiKeyEnv: 'KEY', mediaHosts: ['files.example'] };
    const entry = {
      providers: {
        one: { ...http, baseURL: 'https://one.example', maxConcurrent: 7 },
        two: { ...http, baseURL: 'https://two.example' },
        broken: { ...http, kind: 'ai-sdk', package: '@ai-sdk/nowhere', factory: 'x' },
        ill: { ...http, kind: 'ai-sdk', package: '@ai-sdk/elsewhere', factory: 'x' },
      },
      models,
    };
    return parseRoutesFile(entry, { KEY: 'k' }, catalogue);
  }

  test("keep the operator's order, and are found by provider and model", async () => {
    const routes = await createRoutes({
      file: file({
        a: [
          { provider: 'two', model: 'x', safeToRepeat: true },
          { provider: 'one', model: 'x' },
        ],
      }),
      preview: null,
      log,
      network,
      now: Date.now,
    });
    expect(routes.forModel('a')).toMatchObject([
      { provider: 'two', model: 'x', maxConcurrent: 20, safeToRepeat: true },
      { provider: 'one', model: 'x', maxConcurrent: 7, safeToRepeat: false },
    ]);
    expect(routes.forModel('b')).toEqual([]);
    expect(routes.find('one', 'x')).toBe(routes.forModel('a')[1]);
    // Orders made before its route was removed are still polled; it gets no new ones.
    expect(routes.find('one', 'y')).toMatchObject({ provider: 'one', model: 'y' });
    expect(routes.find('one', 'y')?.covers(videoRequest())).toBe(false);
    expect(routes.find('nowhere', 'y')).toBeNull();
    await routes.close();
  });

  test('open no provider without a route, and name all unusable ones', async () => {
    const unused = await createRoutes({
      file: file({ a: [{ provider: 'one', model: 'x' }] }),
      preview: null,
      log,
      network,
      now: Date.now,
    });
    await unused.close();
    const models = {
      a: [{ provider: 'broken', model: 'x' }],
      b: [{ provider: 'ill', model: 'x' }],
    };
    const failure: unknown = await createRoutes({
      file: file(models),
      preview: null,
      log,
      network,
      now: Date.now,
    }).catch((error: unknown) => error);
    expect(failure instanceof RoutesFileError && failure.problems).toHaveLength(2);
  });

  test('to a missing renderer are refused', async () => {
    const failure = createRoutes({
      file: defaultRoutes(catalogue),
      preview: null,
      log,
      network,
      now: Date.now,
    });
    await expect(failure).rejects.toThrow('the preview renderer is not there');
  });
});
