import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SampleWorld, startSampleWorld } from '../../docs/sampleWorld.ts';
import { installLocked } from '../../support/install.ts';
import { projectRoot } from '../../support/runNode.ts';
import { mustRun } from '../../support/runProgram.ts';

/* The collections of docs/collections, run once by the vendors' own programs. */

const source = join(projectRoot, 'docs/collections');
const program = (name: string) => join(import.meta.dirname, 'node_modules/.bin', name);

let world: SampleWorld;

beforeAll(async () => {
  await installLocked(import.meta.dirname);
  world = await startSampleWorld();
  await cp(source, world.folder, { recursive: true });
});
afterAll(() => world.stop());

/** The hints are for real providers, which take minutes: the programs wait a hundredth of that. */
async function hurry(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('retry_after_seconds * 1000', 'retry_after_seconds * 10'));
}

/** Statuses of the responses; repeated ones of the wait count once. */
const expected = [
  ['List the models', 200],
  ['Read the balance', 200],
  ['Create a video: from text alone', 202],
  ['Wait for the generation', 200],
  ['Download the first file', 200],
  ['Create a video: from a first and a last frame', 202],
  ['Create a video: from references of several kinds', 202],
  ['Create a video: with a real person whose consent you hold', 202],
  ['Create images: from text alone', 202],
  ['Create images: with a reference image', 202],
];

/** The responses in order; repeated reads of a wait count as one. */
function told(responses: readonly (readonly [name: string, status: unknown])[]) {
  return responses.filter(([name], index) => name !== responses[index - 1]?.[0]);
}

test('Postman, by newman', async () => {
  const { apiKey } = await world.addAccount();
  const collection = join(world.folder, 'framegate.postman_collection.json');
  await hurry(collection);
  const report = join(world.folder, 'newman.json');
  const variables = ['--env-var', `baseUrl=${world.origin}/v1`, '--env-var', `apiKey=${apiKey}`];
  const reporter = ['-r', 'json', '--reporter-json-export', report];
  await mustRun(program('newman'), ['run', collection, ...variables, ...reporter]);
  const { run } = JSON.parse(await readFile(report, 'utf8')) as {
    run: {
      executions: { item: { name: string }; response: { code: number } }[];
      failures: unknown[];
    };
  };
  expect(run.failures).toEqual([]);
  expect(told(run.executions.map(({ item, response }) => [item.name, response.code]))).toEqual(
    expected,
  );
});

test('Bruno, by its command line', async () => {
  const { apiKey } = await world.addAccount();
  const cwd = join(world.folder, 'bruno');
  for (const file of await readdir(cwd)) {
    if (file.endsWith('.bru')) await hurry(join(cwd, file));
  }
  const variables = ['--env-var', `baseUrl=${world.origin}/v1`, '--env-var', `apiKey=${apiKey}`];
  const report = join(world.folder, 'bruno.json');
  const args = ['run', '--env', 'gateway', ...variables, '--reporter-json', report];
  await mustRun(program('bru'), args, { cwd });
  const [{ results = [] } = {}] = JSON.parse(await readFile(report, 'utf8')) as {
    results?: {
      test: { filename: string };
      request: unknown;
      response: { status: number };
      name?: string;
    }[];
  }[];
  expect(told(results.map(({ name = '', response }) => [name, response.status]))).toEqual(expected);
});
