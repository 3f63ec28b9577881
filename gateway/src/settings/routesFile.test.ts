import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readRoutesFile } from './routesFile.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-routes-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('keys are read from files next to it, and an unreadable one is explained with its provider', async () => {
  await writeFile(join(folder, 'fal.key'), ' new\nold\n');
  const path = join(folder, 'routes.json');
  const providers = {
    fal: { apiKeyFile: 'fal.key' },
    ark: { apiKeyFile: '/nowhere/ark.key' },
    env: { apiKeyEnv: 'KEY' },
  };
  await writeFile(path, JSON.stringify({ providers, models: {} }));
  const { content, keyFiles } = readRoutesFile(path);
  expect(keyFiles).toEqual({
    fal: { text: 'new\nold' },
    ark: { problem: 'there is no such file' },
  });
  expect(content).toEqual({ providers, models: {} });
});

async function written(workflows: object): Promise<string> {
  const path = join(folder, 'routes.json');
  await writeFile(path, JSON.stringify({ providers: { gpus: { workflows } }, models: {} }));
  return path;
}

test('workflows named by a path next to the file are part of its content', async () => {
  const graph = { '1': { class_type: 'SaveImage', inputs: {} } };
  await writeFile(join(folder, 'draw.json'), JSON.stringify(graph));
  const { content } = readRoutesFile(await written({ draw: 'draw.json', own: graph }));
  expect(content).toEqual({
    providers: { gpus: { workflows: { draw: graph, own: graph } } },
    models: {},
  });
});

test('all unreadable workflows are reported at once', async () => {
  await writeFile(join(folder, 'twice.json'), '{"1":{},"1":{}}');
  const path = await written({ gone: 'gone.json', twice: 'twice.json' });
  expect(() => readRoutesFile(path)).toThrow(
    `the workflow ${join(folder, 'gone.json')}: it cannot be read (ENOENT); ` +
      `the workflow ${join(folder, 'twice.json')}: twice.json:1: ["1"] appears twice`,
  );
});
