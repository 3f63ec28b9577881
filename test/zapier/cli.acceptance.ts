import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { installLocked, withScripts } from '../support/install.ts';
import { appFolder, runStep } from './support/zap.ts';
import { startZapierWorld, type ZapierWorld, type ZapUser } from './support/zapierWorld.ts';

/* Zapier's own command line tool on the app, unaware of the test. */

const cliFolder = join(import.meta.dirname, 'cli');
const tools = join(cliFolder, 'node_modules/.bin');
let world: ZapierWorld;
let user: ZapUser;
/** A copy of the package, as an operator has it, and an empty home. */
let folder: string;
let home: string;

beforeAll(async () => {
  await installLocked(cliFolder, withScripts);
  world = await startZapierWorld(['alpha-2.0-pro']);
  user = await world.addUser();
  folder = await mkdtemp(join(tmpdir(), 'framegate-zapier-app-'));
  home = await mkdtemp(join(tmpdir(), 'framegate-zapier-home-'));
  const left = ['node_modules', 'build'].map((name) => join(appFolder, name));
  await cp(appFolder, folder, { recursive: true, filter: (path) => !left.includes(path) });
  await symlink(join(appFolder, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(async () => {
  await world.stop();
  for (const made of [folder, home]) await rm(made, { recursive: true, force: true });
});

interface Ended {
  status: number | null;
  output: string;
}

/** Runs the tool in the copy, with the Node of the tests and without an account of Zapier. */
const zapier = (...args: string[]) => run(join(tools, 'zapier-platform'), args);

async function run(program: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), tools, process.env['PATH'] ?? ''].join(delimiter),
      HOME: home,
      // The machine decides where packages come from.
      npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
      DISABLE_ZAPIER_ANALYTICS: '1',
      FRAMEGATE_BASE_URL: 'https://api.example.com/v1',
      authData_base_url: user.authData['base_url'] ?? '',
      authData_api_key: user.authData['api_key'] ?? '',
    },
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [status, stdout, stderr] = await Promise.all([
    exit,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status, output: stdout + stderr };
}

const invoke = (kind: string, key: string, inputData: object = {}) =>
  zapier('invoke', kind, key, '--inputData', JSON.stringify(inputData), '--non-interactive');

/** The JSON value that a command printed last. */
function printed<T>({ output }: Ended): T {
  const start = Math.min(
    ...['\n{', '\n['].map((each) => `\n${output}`.indexOf(each)).filter((at) => at >= 0),
  );
  return JSON.parse(
    output.slice(start, Math.max(output.lastIndexOf('}'), output.lastIndexOf(']')) + 1),
  ) as T;
}

type Values = Record<string, unknown>;

describe("Zapier's command line tool", () => {
  test('finds the app structurally sound', async () => {
    const { status, output } = await zapier('validate', '--without-style');
    expect(output).toContain('structurally sound');
    expect(status).toBe(0);
  });

  test('tests and labels the connection', async () => {
    const tested = await zapier('invoke', 'auth', 'test', '--non-interactive');
    expect(printed<Values>(tested)).toMatchObject({ available_credits: 1000 });
    const label = await zapier('invoke', 'auth', 'label', '--non-interactive');
    expect(label.output).toMatch(/127\.0\.0\.1:\d+, connection [0-9a-f]{6}/);
    expect(tested.output + label.output).not.toContain(user.account.apiKey);
  });

  test('lists the models by its hidden triggers', async () => {
    const videos = await invoke('trigger', 'video_model_list');
    expect(printed<Values[]>(videos)[0]).toEqual({ id: 'alpha-2.0-pro', name: 'Alpha 2.0 Pro' });
    const all = await invoke('trigger', 'model_list');
    expect(printed<Values[]>(all).length).toBeGreaterThan(printed<Values[]>(videos).length);
    const images = await invoke('trigger', 'image_model_list');
    expect(printed<Values[]>(images)[0]).toEqual({ id: 'image-a-2', name: 'Image A 2' });
  });

  test('creates a video by running the step until it is done, and pays once', async () => {
    const inputData = {
      model: 'alpha-2.0-pro',
      mode: 'text-to-video',
      prompt: 'A lighthouse',
      duration_seconds: '4',
      resolution: '480p',
      wait: 'true',
    };
    const first = await invoke('create', 'create_video', inputData);
    expect(first.status).toBe(2);
    expect(first.output.replaceAll(/[\s›]+/g, ' ')).toMatch(/is queued: waiting .*"delay":\d+/);
    await world.finish(user);
    const last = await invoke('create', 'create_video', inputData);
    expect(printed<Values>(last)).toMatchObject({ status: 'completed', cost_credits: 28 });
    expect(await user.count()).toEqual({ generations: 1, charges: 1, creditsSpent: 28 });
    const { id: generation } = printed<Values>(last);
    const found = await invoke('search', 'find_generation', { generation });
    expect(printed<Values[]>(found)).toMatchObject([{ id: generation, status: 'completed' }]);
  });

  test('creates an image inside one step', async () => {
    await world.startWorker();
    const inputData = { model: 'image-b-2', prompt: 'A lighthouse', wait: 'true' };
    const created = await invoke('create', 'create_image', inputData);
    expect(printed<Values>(created)).toMatchObject({ type: 'image', status: 'completed' });
    expect(created.status).toBe(0);
  });

  test('runs the commands of the README, as a builder pastes them', async () => {
    const page = 'integrations/zapier/README.md';
    const lines = commandsPlayedBy('test/zapier/cli.acceptance.ts', page);
    const [settings = '', ...steps] = lines.filter((line) => !line.startsWith('npm '));
    const manifest = JSON.parse(await readFile(join(cliFolder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const [[name, version] = []] = Object.entries(manifest.dependencies);
    expect(lines).toContain(`npm install ${name}@${version}`);
    const { base_url = '', api_key = '' } = (await world.addUser()).authData;
    const own = settings
      .replace('http://127.0.0.1:8080/v1', base_url)
      .replace('fg_live_…', api_key);
    for (const step of steps) {
      const { status, output } = await run('sh', ['-euc', `${own}\n${step}`]);
      expect([step, status, output]).toEqual([step, 0, expect.anything()]);
    }
  });

  test('finds the price and the balance', async () => {
    const price = await invoke('search', 'find_price', { model: 'alpha-2.0-pro' });
    expect(printed<Values[]>(price)).toMatchObject([{ cost_credits: 70, enough_credits: true }]);
    const balance = await invoke('search', 'find_balance', { needed_credits: '1' });
    expect(printed<Values[]>(balance)).toMatchObject([{ enough_credits: true }]);
  });

  test('asks for a required field that is missing', async () => {
    const { status, output } = await invoke('create', 'create_image', { model: 'image-b-2' });
    expect(status).toBe(2);
    expect(output).toContain('prompt');
  });

  test('builds a package whose handler runs, without anything from the folder around it', async () => {
    const { status, output } = await zapier('build', '--skip-validation');
    expect(output).toContain('Build complete!');
    expect(status).toBe(0);
    const zip = join(folder, 'build/build.zip');
    const { size } = await stat(zip);
    process.stdout.write(`build.zip: ${size} bytes\n`);
    expect(size).toBeLessThan(1_000_000);
    const unpacked = join(folder, 'unpacked');
    unzip(zip, unpacked);
    const definition = JSON.parse(await readFile(join(unpacked, 'definition.json'), 'utf8')) as {
      authentication: { fields: Values[] };
    };
    expect(definition.authentication.fields.slice(0, 2)).toMatchObject([
      { key: 'base_url', default: 'https://api.example.com/v1' },
      {
        key: 'api_key',
        helpText: expect.stringContaining('(https://api.example.com/settings/public-api)'),
      },
    ]);
    const { outcome } = await runStep(
      {
        method: 'creates.create_image.operation.perform',
        inputData: { model: 'image-b-2', prompt: 'From the package' },
        authData: user.authData,
      },
      {
        platform: user.platform,
        api: user.api,
        folder: unpacked,
        handlerFile: 'zapierwrapper.js',
        betweenAttempts: () => new Promise((resolve) => setTimeout(resolve, 500)),
      },
    );
    expect(outcome).toMatchObject({ ok: true, results: { status: 'completed', type: 'image' } });
  });
});

/** Unpacks with the library that the tool packs with. */
function unzip(file: string, to: string): void {
  const Zip = createRequire(join(cliFolder, 'package.json'))('adm-zip') as new (path: string) => {
    extractAllTo(target: string): void;
  };
  new Zip(file).extractAllTo(to);
}
