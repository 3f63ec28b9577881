import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DocsSample, type SampleWorld, startSampleWorld } from '../docs/sampleWorld.ts';
import { mustRun } from '../support/runProgram.ts';
import { packageFolder, pythonEnvironment, withoutTraces } from './python/environment.ts';
import { type Installation, installPacked } from './typescript/packed.ts';

/* Every sample of a gateway's own /docs, run unchanged. n8n's: test/n8n/docsSamples.acceptance.ts. */

let world: SampleWorld;
let installed: Installation;
let bin: string;

beforeAll(async () => {
  [world, bin] = await Promise.all([
    startSampleWorld(),
    pythonEnvironment(join(packageFolder, 'requirements.txt')),
  ]);
  installed = await installPacked(world.folder);
});

afterAll(() => world.stop());

/** Runs each sample of a language with a separate account, in a separate folder. */
async function runAll(
  language: string,
  run: (text: string, cwd: string, key: string) => Promise<string>,
): Promise<{ sample: DocsSample; output: string; files: string[] }[]> {
  const samples = world.samples.filter((each) => each.language === language);
  return Promise.all(
    samples.map(async (sample, index) => {
      const account = await world.addAccount();
      const cwd = join(world.folder, `${language}-${index}`);
      await mkdir(cwd);
      const output = await run(await world.runnable(sample, account), cwd, account.apiKey);
      return { sample, output, files: await readdir(cwd) };
    }),
  );
}

const titles = (samples: readonly { sample: DocsSample }[]) =>
  samples.map(({ sample }) => sample.title);

/** The operations' samples in the order of the page. */
const creates = [
  'From text alone',
  'From a first and a last frame',
  'From references of several kinds',
  'With a real person, whose consent you hold',
];
const imageCreates = ['From text alone', 'With a reference image'];
const reads = ['Read a generation', 'List the models your key can use', 'Read the credit balance'];

/** Gives each sample its own key; people do not send several creates in one second. */
const date = 'date() { cat /proc/sys/kernel/random/uuid; }\n';

test('curl', async () => {
  const done = await runAll('curl', (text, cwd, key) =>
    mustRun('sh', ['-euc', date + text.replaceAll('curl ', 'curl -sS ')], {
      cwd,
      env: { FRAMEGATE_KEY: key },
    }),
  );
  expect(titles(done)).toEqual([
    'Quick start',
    ...creates,
    ...imageCreates,
    ...reads,
    'Download this description',
  ]);
  const responses = done.map(({ output }) => JSON.parse(output) as Record<string, unknown>);
  const told = responses.map(({ object, status, openapi }) => status ?? object ?? openapi);
  const queued = Array.from({ length: 7 }, () => 'queued');
  expect(told).toEqual([...queued, 'completed', 'list', 'credit_balance', '3.1.0']);
});

test('the other operations with curl: read and download', async () => {
  const [sample] = world.samples.filter(
    ({ title, language }) => title === 'Quick start' && language === '',
  );
  const account = await world.addAccount();
  const { json } = await account.post('/v1/images', { model: 'image-b-2', prompt: 'A cup' });
  const { id, output } = await account.untilEnded(String(json['id']));
  const [url = ''] = (output as { urls: string[] }).urls;
  // Replaces the placeholders with values from the responses, as a reader does.
  const text = sample?.text.replace('gen_…', String(id)).replace('https://…', url) ?? '';
  const env = { FRAMEGATE_KEY: account.apiKey };
  await mustRun('sh', ['-euc', text], { cwd: world.folder, env });
  expect(await readdir(world.folder)).toContain('video.mp4');
});

test('TypeScript', async () => {
  const done = await runAll('TypeScript', async (text, cwd, key) => {
    const file = join(cwd, 'sample.mts');
    await writeFile(file, text);
    // In its own folder, where it finds the client of the folder above.
    const program = `process.chdir(${JSON.stringify(cwd)}); await import(${JSON.stringify(file)});`;
    const { status, stdout, stderr } = await installed.node(
      ['--input-type=module', '-e', program],
      { FRAMEGATE_KEY: key },
    );
    expect({ text, status, stderr }).toEqual({ text, status: 0, stderr: '' });
    return stdout;
  });
  const all = ['Quick start', 'Polling', ...creates, ...imageCreates, ...reads];
  expect(titles(done)).toEqual(all);
  const files = done.map((each) => each.files.filter((file) => file !== 'sample.mts'));
  expect(files).toEqual(downloads);
  for (const { output } of done.filter(({ sample }) => sample.title !== 'Polling')) {
    expect(output).not.toBe('');
  }
});

test('Python', async () => {
  const hurry = 'import time; usual = time.sleep; time.sleep = lambda s: usual(min(s, 0.1))\n';
  const done = await runAll('Python', (text, cwd, key) =>
    mustRun(join(bin, 'python'), ['-c', hurry + text], {
      cwd,
      env: {
        ...withoutTraces,
        FRAMEGATE_KEY: key,
        PYTHONPATH: join(packageFolder, 'src'),
      },
    }),
  );
  expect(titles(done)).toEqual(['Quick start', 'Polling', ...creates, ...imageCreates, ...reads]);
  expect(done.map(({ files }) => files)).toEqual(downloads);
});

/** Files that the samples leave in their folders. */
const downloads = [
  ['video.mp4'],
  ['result'],
  ...creates.map(() => ['video.mp4']),
  ...imageCreates.map(() => ['image-1']),
  ...reads.map(() => []),
];
