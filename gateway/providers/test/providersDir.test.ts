import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importPackage } from '../src/aiSdk/loadAiSdk.ts';
import { closeRoutes, imageRequest, never, openRoute, readOutput } from './routeFixtures.ts';
import { json, startTinyServer } from './tinyServer.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-providers-'));
});
afterAll(async () => {
  await closeRoutes();
  await rm(folder, { recursive: true });
});

/** Installs a package with these fields of its manifest; each file exports its own name as `build`. */
async function install(name: string, manifest: object, files: readonly string[]): Promise<void> {
  const home = join(folder, 'node_modules', name);
  await mkdir(join(home, 'dist'), { recursive: true });
  await writeFile(join(home, 'package.json'), JSON.stringify({ name, ...manifest }));
  for (const file of files) {
    const isCommon = file.endsWith('.cjs');
    const code = isCommon ? `exports.build = '${file}'` : `export const build = '${file}'`;
    await writeFile(join(home, 'dist', file), code);
  }
}

describe('a package in PROVIDERS_DIR', () => {
  const only = { import: './dist/a.mjs' };
  test.each([
    ['of an import alone', { exports: { '.': only } }, 'a.mjs'],
    ['of an import in conditions', { exports: { types: './a.d.ts', node: only } }, 'a.mjs'],
    ['of two builds', { exports: { '.': { require: './dist/b.cjs', ...only } } }, 'a.mjs'],
    ['with a list of targets', { exports: [{ browser: './dist/b.cjs' }, './dist/a.mjs'] }, 'a.mjs'],
    ['without exports', { main: './dist/b.cjs' }, 'b.cjs'],
  ])('%s is imported', async (title, manifest, build) => {
    const name = `@acme/${title.replaceAll(' ', '-')}`;
    await install(name, manifest, ['a.mjs', 'b.cjs']);
    expect(await importPackage(name, folder, name)).toMatchObject({ build });
  });

  test('that exports nothing for an import is named', async () => {
    await install('only-require', { exports: { require: './dist/b.cjs' } }, ['b.cjs']);
    await expect(importPackage('only-require', folder, 'only-require')).rejects.toThrow(
      'only-require exports nothing that can be imported',
    );
  });
});

test('images of version v3 of the interface are made in its one call', async () => {
  const server = await startTinyServer((_, response) =>
    json(response, 200, { data: [{ b64_json: Buffer.from('picture').toString('base64') }] }),
  );
  const { route } = await openRoute(
    {
      kind: 'ai-sdk',
      package: '@ai-sdk/bytedance',
      factory: 'createByteDance',
      options: { baseURL: server.origin },
      allowPrivateNetwork: true,
    },
    'seedream-4-0-250828',
    { type: 'image', route: { does: { resolutions: ['1k'], aspectRatios: ['1:1'] } } },
  );
  expect(route.covers(imageRequest())).toBe(true);
  const made = await route.submit(imageRequest(), never);
  const [output] = made.kind === 'completed' ? made.outputs : [];
  expect(String(await readOutput(output))).toBe('picture');
  expect(server.got).toMatchObject([
    { path: '/images/generations', body: { model: 'seedream-4-0-250828', size: '1024x1024' } },
  ]);
  await server.close();
});
