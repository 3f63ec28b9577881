import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mustRun, runProgram } from '../../support/runProgram.ts';
import { findPyright } from '../../support/tools.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { samplesIn } from '../typescript/packed.ts';
import { makeEnvironment, packageFolder, pythonEnvironment, withoutTraces } from './environment.ts';

let world: ClientWorld;
let bin: string;
let env: Record<string, string>;

beforeAll(async () => {
  [bin, world] = await Promise.all([
    pythonEnvironment(join(packageFolder, 'requirements-dev.txt')),
    startClientWorld(),
  ]);
  world.ark.script({ prompt: 'It shall fail', on: 'task', plan: { polls: 1, end: 'failed' } });
  const [rich, poor, limited] = await Promise.all([
    world.addAccount({ credits: 100_000 }),
    world.addAccount({ credits: 1 }),
    world.addAccount({ credits: 100_000, limits: { createsPerMinute: 300, burst: 10 } }),
  ]);
  env = {
    ...withoutTraces,
    FRAMEGATE_URL: world.baseUrl,
    FRAMEGATE_KEY: rich.apiKey,
    FRAMEGATE_POOR_KEY: poor.apiKey,
    FRAMEGATE_LIMITED_KEY: limited.apiKey,
  };
});

afterAll(() => world.stop());

const run = (program: string, ...args: string[]) =>
  runProgram(join(bin, program), args, { cwd: packageFolder, env });

/** Type-checks a folder with its own settings. */
const pyright = async (folder: string) => {
  const args = [await findPyright(), '--pythonpath', join(bin, 'python')];
  return runProgram(process.execPath, args, { cwd: folder, env });
};

test('ruff finds no problem and nothing to format', async () => {
  expect(await run('ruff', 'check', '--no-cache')).toMatchObject({ status: 0 });
  expect(await run('ruff', 'format', '--no-cache', '--check')).toMatchObject({ status: 0 });
});

test('mypy and pyright, both strict, find nothing', async () => {
  const mypy = await run('mypy', '--strict', '--cache-dir', join(world.folder, 'mypy'));
  expect(mypy).toEqual({ status: 0, output: expect.stringContaining('no issues found') });
  expect(await pyright(packageFolder)).toEqual({
    status: 0,
    output: expect.stringContaining('0 errors, 0 warnings'),
  });
});

test('pyright, strict, finds nothing in the samples of the README', async () => {
  const folder = join(world.folder, 'samples');
  await mkdir(folder);
  const samples = await samplesIn('python', packageFolder);
  expect(samples.length).toBeGreaterThan(5);
  await Promise.all(
    samples.map((code, index) => writeFile(join(folder, `sample${index}.py`), code)),
  );
  const config = { typeCheckingMode: 'strict', extraPaths: [join(packageFolder, 'src')] };
  await writeFile(join(folder, 'pyrightconfig.json'), JSON.stringify(config));
  expect(await pyright(folder)).toEqual({
    status: 0,
    output: expect.stringContaining('0 errors, 0 warnings'),
  });
});

test('all tests pass against the gateway', async () => {
  const { status, output } = await run('python', '-m', 'pytest', '-q', '-p', 'no:cacheprovider');
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  expect(output).toMatch(/\d+ passed in/);
  expect(output).not.toMatch(/skipped|xfailed|deselected/);
});

test('the wheel contains its types and runs without further packages', async () => {
  const built = join(world.folder, 'built');
  await mustRun(join(bin, 'python'), ['-m', 'hatchling', 'build', '-d', built], {
    cwd: packageFolder,
    env,
  });
  const version = /__version__ = "(.+)"/.exec(
    await readFile(join(packageFolder, 'src/framegate/_version.py'), 'utf8'),
  )?.[1];
  const wheel = `framegate-${version}-py3-none-any.whl`;
  expect((await readdir(built)).toSorted()).toEqual([wheel, `framegate-${version}.tar.gz`]);
  expect(await readFile(join(packageFolder, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}\n`);

  const fresh = join(world.folder, 'fresh');
  await makeEnvironment(fresh, join(packageFolder, 'requirements.txt'));
  const pip = join(fresh, 'bin/pip');
  await mustRun(pip, ['install', '--quiet', '--no-deps', '--no-index', join(built, wheel)]);
  await mustRun(pip, ['check']);
  const files = await mustRun(pip, ['show', '--files', 'framegate']);
  expect(files).toMatch(/ framegate\/py\.typed\n/);
  expect(files).toMatch(/licenses\/LICENSE\n/);
  expect(files).not.toMatch(/tests\//);

  const [, sample = ''] =
    /```python\n(.*?)```/s.exec(await readFile(join(packageFolder, 'README.md'), 'utf8')) ?? [];
  const hurry = 'import time; usual = time.sleep; time.sleep = lambda s: usual(min(s, 0.1))\n';
  const before = world.ark.submitted().length;
  // Run twice, as by an uncertain customer: the order is created once.
  for (const time of ['first', 'second']) {
    const cwd = join(world.folder, time);
    await mkdir(cwd);
    await mustRun(join(fresh, 'bin/python'), ['-I', '-c', hurry + sample], { cwd, env });
    expect((await readFile(join(cwd, 'boat.mp4'))).subarray(4, 8).toString()).toBe('ftyp');
  }
  // The tests ran the same sample, with the same key.
  expect(world.ark.submitted().length - before).toBeLessThanOrEqual(1);
});
