import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { freePort } from '../support/freePort.ts';
import { projectRoot } from '../support/runNode.ts';
import { mustRun, type ProgramEnd, runProgram } from '../support/runProgram.ts';
import { until } from '../support/until.ts';
import { copyTracked } from './installCopy.ts';

/*
 * The first change of CONTRIBUTING.md, step by step, in a fresh repository below a path with a space, on a computer
 * that has Node, npm, git and the usual Unix programs: no Go, no Python, no browser. For `npm run check`, whose parts
 * other tests and CI run, stand the two that such a change may break.
 */
const programs = ['npm', 'npx', 'git', 'sh', 'env', 'uname', 'dirname', 'basename', 'sed'];

let folder: string;
let project: string;
/** The whole environment of the commands. The caches of npm and of the embedded database are in HOME. */
let env: Record<string, string>;
let steps: string[];
let gateway: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate first change-'));
  project = join(folder, 'framegate');
  const bin = join(folder, 'bin');
  await Promise.all([mkdir(project), mkdir(bin)]);
  await symlink(process.execPath, join(bin, 'node'));
  for (const name of programs) await symlink(findProgram(name), join(bin, name));
  const { HOME = '', MONGOD, CACHE_DIR } = process.env;
  env = {
    PATH: bin,
    HOME,
    PORT: String(await freePort()),
    npm_config_prefer_offline: 'true',
    ...(MONGOD && { MONGOD }),
    ...(CACHE_DIR && { CACHE_DIR }),
  };
  await copyTracked(project);
  await mustRun('git', ['init', '--quiet'], { cwd: project });
  await mustRun('git', ['add', '--all'], { cwd: project });
  const page = await readFile(join(projectRoot, 'CONTRIBUTING.md'), 'utf8');
  steps = [...page.matchAll(/^\d\. (.+)$/gm)].map(([, step = '']) => step);
  expect(steps).toHaveLength(5);
});

afterAll(async () => {
  if (gateway?.pid !== undefined && (gateway.exitCode ?? gateway.signalCode) === null) {
    process.kill(-gateway.pid, 'SIGKILL');
  }
  await rm(folder, { recursive: true, force: true });
});

/** The first file of this name in the folders of the tests' PATH. */
function findProgram(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((each) => join(each, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** The text in backquotes at this place of a step, both counted from 0. */
function quoted(step: number, place = 0): string {
  const found = [...(steps[step] ?? '').matchAll(/`([^`]+)`/g)][place]?.[1];
  if (found === undefined) throw new Error(`step ${step + 1} has no such text: ${steps[step]}`);
  return found;
}

function run(command: string, more: Readonly<Record<string, string>> = {}): Promise<ProgramEnd> {
  const variables = Object.entries({ ...env, ...more }).map(([name, value]) => `${name}=${value}`);
  return runProgram('env', ['-i', ...variables, 'sh', '-c', command], { cwd: project });
}

async function mustSucceed(command: string): Promise<string> {
  const { status, output } = await run(command);
  if (status !== 0) throw new Error(`${command} failed:\n${output}`);
  return output;
}

const alike = ['CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'docs/operating/installing.md'];
test.each(alike)('%s starts a gateway by the command of step 1', (page) => {
  const starts = commandsPlayedBy('test/install/firstChange.acceptance.ts', page);
  expect(new Set(starts)).toEqual(new Set([quoted(0)]));
});

test('step 1: a gateway with its own database, until Ctrl-C', async () => {
  const child = spawn('sh', ['-c', quoted(0)], {
    cwd: project,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  gateway = child;
  let output = '';
  let hasEnded = false as boolean;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.once('close', () => (hasEnded = true));
  await until(() => hasEnded || output.includes('Stop with Ctrl-C.'), 'it runs', 280_000);
  expect(hasEnded ? output : '').toBe('');
  expect(output.match(/^ {2}curl .+\/videos /gm)).toHaveLength(2);
  const usual = new URL(quoted(0, 1));
  expect(output).toContain(usual.href.replace(usual.port, env['PORT'] ?? ''));
  // The terminal sends Ctrl-C to every process in its foreground.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  await until(() => hasEnded);
});

const client = 'integrations/go/api/client.gen.go';
let message: string;

/** Replaces the message of step 2 in a file. */
async function change(path: string): Promise<void> {
  const text = await readFile(join(project, path), 'utf8');
  const changed = message.replace(' ', ' always ');
  await writeFile(join(project, path), text.replaceAll(message, changed));
}

test('steps 2 and 3: a message is changed, with the files derived by Node', async () => {
  const [code, file] = [quoted(1), quoted(1, 1)];
  const source = await readFile(join(project, file), 'utf8');
  message = new RegExp(`\\b${code}: \\{[^}]*message:\\s*'([^']+)'`).exec(source)?.[1] ?? '';
  expect(message).toMatch(/\w/);
  await change(file);
  const output = await mustSucceed(quoted(2));
  expect(output).toContain(`${client} needs Go 1.26 (not found): CI makes it`);
  expect(output).toMatch(/^wrote integrations\/n8n\/.+contract\.ts$/m);
});

test('step 4: tests fail at the old message', async () => {
  // One of the files of the documented command, which the next test runs whole.
  expect(quoted(3)).toMatch(/^npm test -- test\/docs\b/);
  const { status, output } = await run('npm test -- test/docs/errors');
  expect(status).toBe(1);
  expect(output).toMatch(/^FAIL .*test\/docs\/errors\.test\.ts/m);
});

test('step 4: tests pass after its change', async () => {
  const places = await mustSucceed(`git grep --files-with-matches --fixed-strings '${message}'`);
  for (const path of places.trim().split('\n')) await change(path);
  await mustSucceed(quoted(3));
});

test('step 5: the check passes without Go, except in CI', async () => {
  expect(quoted(4)).toBe('npm run check');
  await mustSucceed('npm run generate:check && npm test -- test/config/generated');
  const { status, output } = await run('npm run generate:check', { CI: 'true' });
  expect(status).toBe(1);
  expect(output).toMatch(new RegExp(`^${client} needs Go 1.26 \\(not found\\)$`, 'm'));
});
