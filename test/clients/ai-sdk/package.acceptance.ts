import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestAccount } from '../../support/gateway.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { samplesIn } from '../typescript/packed.ts';
import { installProvider, packageFolder, runModule } from './aiProgram.ts';

/* The package as npm would serve it: its files, and every program of its README. */

const programs = await samplesIn('js', packageFolder);

let world: ClientWorld;
let account: TestAccount;
let installed: string;

beforeAll(async () => {
  world = await startClientWorld();
  installed = await installProvider(world.folder);
  account = await world.addAccount({ credits: 10_000 });
});
afterAll(async () => {
  await world.stop();
});

test('holds only the necessary files', async () => {
  const names = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'];
  expect((await readdir(installed)).toSorted()).toEqual(names);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ dependencies: { '@ai-sdk/provider': expect.any(String) } });
});

test.each(programs.map((code, index) => [index + 1, code] as const))(
  'program %i of the README',
  async (_, code) => {
    // The test's gateway has a private address.
    const within = code.replace('generateVideo({', 'generateVideo({ download,');
    await runModule(world, account.apiKey, within);
  },
);

test('their files exist', async () => {
  const begin = async (name: string) =>
    (await readFile(join(world.folder, name))).subarray(0, 12).toString('latin1');
  expect(await begin('boat.mp4')).toContain('ftyp');
  expect(await begin('lighthouse-2.webp')).toContain('WEBP');
});
