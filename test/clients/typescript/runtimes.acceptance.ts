import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestAccount } from '../../support/gateway.ts';
import { hurry } from '../../support/hurry.ts';
import { installLocked, withScripts } from '../../support/install.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { type Installation, installPacked, loadedBy, samplesIn } from './packed.ts';

/* The package on each runtime that its README names: the oldest Node, Deno, Bun, workerd. */

const run = promisify(execFile);
const folder = join(import.meta.dirname, 'runtimes');
const bin = (name: string) => join(folder, 'node_modules/.bin', name);
const video = { model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'A paper boat' };

let world: ClientWorld;
let account: TestAccount;
let installed: Installation;
let env: Record<string, string>;

beforeAll(async () => {
  await installLocked(folder, withScripts);
  world = await startClientWorld();
  account = await world.addAccount({ credits: 10_000 });
  installed = await installPacked(world.folder);
  // Without it Deno ignores node_modules.
  await writeFile(join(world.folder, 'package.json'), '{ "type": "module" }');
  const { PATH = '' } = process.env;
  env = { PATH, HOME: world.folder, FRAMEGATE_URL: world.baseUrl, FRAMEGATE_KEY: account.apiKey };
}, 300_000);
afterAll(async () => {
  await world.stop();
});

const runtimes = [
  { name: 'Node 20', command: bin('node'), args: [] },
  { name: 'Deno', command: bin('deno'), args: ['run', '--allow-all', '--no-prompt'] },
  { name: 'Bun', command: bin('bun'), args: ['run'] },
];

test.each(runtimes)('$name: creates, waits, downloads and reports', async ({ command, args }) => {
  const program = `
    await import(${JSON.stringify(hurry)});
    const { Framegate } = await import('@framegate/client');
    const framegate = new Framegate();
    const video = await framegate.videos.createAndWait(${JSON.stringify(video)}, { maxCredits: 50 });
    const { bytes } = await video.download('out.mp4');
    const { readable, writable } = new TransformStream();
    const [streamed] = await Promise.all([
      new Response(readable).arrayBuffer(),
      video.download(writable),
    ]);
    const stopped = await framegate.generations
      .wait(video.id, { signal: AbortSignal.abort() })
      .catch(({ name, generationId }) => [name, generationId === video.id]);
    const away = await new Framegate({ baseUrl: 'http://127.0.0.1:4/v1', retryBudgetMs: 0 }).models
      .list()
      .catch(({ name }) => name);
    console.log(JSON.stringify([bytes === streamed.byteLength, stopped, away]));`;
  await writeFile(join(world.folder, 'program.mjs'), program);
  const options = { cwd: world.folder, env };
  const { stdout } = await run(command, [...args, 'program.mjs'], options);
  expect(JSON.parse(stdout)).toEqual([true, ['AbortError', true], 'ConnectionError']);
});

test.each(runtimes)('$name: the command line', async ({ command, args }) => {
  const main = join(installed.package, 'dist/cli/main.js');
  const { stdout } = await run(command, [...args, main, 'balance'], { cwd: world.folder, env });
  expect(JSON.parse(stdout)).toMatchObject({ object: 'credit_balance' });
});

test("workerd: the README's worker", async () => {
  const [worker = ''] = (await samplesIn('js')).filter((each) => each.includes('export default'));
  await writeFile(join(world.folder, 'worker.mjs'), worker);
  const { json } = await account.post('/v1/videos', video);
  const id = String(json['id']);
  await account.untilEnded(id);
  const dist = join(installed.package, 'dist');
  const modules = [...(await loadedBy(join(dist, 'index.js')))].map((each) => relative(dist, each));
  const args = [join(folder, 'inWorker.js'), world.folder, modules.join(), id];
  const { stdout } = await run(process.execPath, args, { env });
  expect(stdout).toMatch(/^video\/mp4 \d{4,}\n$/);
});
