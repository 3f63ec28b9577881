import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import manifest from '../../../package.json' with { type: 'json' };
import { until } from '../../support/until.ts';
import { eventsOf, type InProcess, runInProcess } from './inProcess.ts';
import { type PackedWorld, startPackedWorld } from './packedWorld.ts';

let { world, account, installed, env } = {} as PackedWorld;

beforeAll(async () => {
  ({ world, account, installed, env } = await startPackedWorld());
});
afterEach(() => {
  world.line.reset();
});
afterAll(async () => {
  await world.stop();
});

const orderOf = (prompt: string) => ['video', prompt, '-m', 'alpha-2.0-fast'];
const order = orderOf('A paper boat');
const inProcess = (args: readonly string[], more?: InProcess) =>
  runInProcess({ world, env }, args, more);

describe('login', () => {
  afterEach(() => rm(join(world.folder, 'config'), { recursive: true, force: true }));

  test('stores working credentials, for this user only; later commands use them', async () => {
    const answers = [world.baseUrl, `${account.apiKey}\n`];
    const done = await inProcess(['login'], { env: {}, answers, isTTY: true });
    expect(done).toMatchObject({ status: 0, stderr: '' });
    const file = join(world.folder, 'config/login.json');
    expect(done.stdout).toContain(`Stored in ${file}.`);
    expect(done.stdout).not.toContain(account.apiKey);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(world.folder, 'config'))).mode & 0o777).toBe(0o700);
    const balance = await inProcess(['balance'], { env: {}, isTTY: true });
    expect(balance.stdout).toMatch(/^\d+ credits available, \d+ in running generations\n$/);
  });

  test('stores no credentials that fail', async () => {
    const wrong = `fg_live_${'x'.repeat(38)}`;
    const refused = await inProcess(['login'], { env: {}, answers: [world.baseUrl, wrong] });
    expect(refused.status).toBe(3);
    const wrongUrl = await inProcess(['login'], {
      env: {},
      answers: ['https://a.example', wrong],
    });
    expect(wrongUrl).toMatchObject({ status: 2 });
    expect(wrongUrl.stderr).toContain('Did you mean https://a.example/v1?');
    expect(await readdir(world.folder)).not.toContain('config');
    expect((await inProcess(['models'], { env: {} })).status).toBe(3);
  });

  test('takes the key from standard input where there is no terminal', async () => {
    const home = { XDG_CONFIG_HOME: join(world.folder, 'xdg') };
    const args = ['login', '--base-url', world.baseUrl];
    const { status } = await installed.framegate(args, home, `${account.apiKey}\n`).ended;
    expect(status).toBe(0);
    const file = join(world.folder, 'xdg/framegate/login.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      baseUrl: world.baseUrl,
      apiKey: account.apiKey,
    });
    expect((await installed.framegate(['balance'], home).ended).status).toBe(0);
  });
});

describe('a video', () => {
  test('is made and downloaded; each event is a line of JSON', async () => {
    const path = join(world.folder, 'out.mp4');
    const { status, stdout, stderr } = await inProcess([...order, '-o', path]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const events = eventsOf(stdout);
    const { size } = await stat(path);
    expect(events[0]).toMatchObject({ event: 'update', generation: { status: 'queued' } });
    expect(events.at(-2)).toEqual({ event: 'downloaded', path, bytes: size, type: 'video/mp4' });
    expect(events.at(-1)).toMatchObject({
      event: 'completed',
      generation: { status: 'completed' },
    });
  });

  test('shows a temporary bar on a terminal, and writes the file', async () => {
    const path = join(world.folder, 'shown.mp4');
    const { status, stdout, stderr } = await inProcess([...order, '-o', path], { isTTY: true });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${path}\n` });
    expect(stderr).toMatch(/\[-+\] queued gen_\w+, number 1 in line, \d+ s/);
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  });

  test('prints its address without a path, and writes a file of its name to a folder', async () => {
    const shown = await inProcess(order, { isTTY: true });
    expect((await fetch(shown.stdout.trim())).headers.get('content-type')).toBe('video/mp4');
    const { stdout } = await inProcess([...order, '-o', world.folder], { isTTY: true });
    expect(stdout.trim()).toMatch(/\/gen_\w+\.mp4$/);
    expect((await stat(stdout.trim())).size).toBeGreaterThan(100);
  });

  test('--no-wait prints the id, and wait continues with it', async () => {
    const { stdout } = await inProcess([...order, '--no-wait'], { isTTY: true });
    const id = stdout.trim();
    const path = join(world.folder, 'waited.mp4');
    expect((await inProcess(['wait', id, '-o', path])).status).toBe(0);
    expect((await stat(path)).size).toBeGreaterThan(100);
  });

  test('all options reach the API', async () => {
    const fields = [
      ...['--duration', '4', '--resolution', '480p', '--aspect-ratio', '9:16', '--sound'],
      ...['--seed', '7', '--max-credits', '25', '--no-wait', '--json'],
    ];
    const { stdout } = await inProcess([...order, ...fields]);
    expect(eventsOf(stdout)[0]).toMatchObject({
      generation: {
        billing: { cost_credits: 25 },
        parameters: {
          duration_seconds: 4,
          resolution: '480p',
          aspect_ratio: '9:16',
          generate_audio: true,
          seed: 7,
        },
      },
    });
    const inputs = [
      '--first-frame',
      'https://a.example/1.png',
      '--last-frame',
      'https://a.example/2.png',
    ];
    await inProcess([...order, ...inputs, '--consent', 'release-7']);
    expect(JSON.parse(world.line.seen.at(-1)?.body ?? '')).toMatchObject({
      mode: 'image-to-video',
      inputs: [{ role: 'first_frame' }, { role: 'last_frame' }],
      parameters: { real_person_mode: true },
      compliance: { rights_confirmed: true, consent_reference: 'release-7' },
    });
    await inProcess([
      ...order,
      '--image',
      'https://a.example/1.png',
      '--audio',
      'https://a.example/2.mp3',
    ]);
    expect(JSON.parse(world.line.seen.at(-1)?.body ?? '')).toMatchObject({
      mode: 'multimodal-to-video',
      inputs: [{ type: 'image' }, { type: 'audio' }],
    });
  });
});

describe('each error has a code and a next step', () => {
  test.each([
    ['an unknown command', ['film'], 2, 'Unknown command "film"'],
    ['an unknown option', ['video', 'A boat', '--colour'], 2, '--colour'],
    ['no prompt', ['video', '-m', 'alpha-2.0-fast'], 2, 'There is no prompt'],
    ['a prompt that is not quoted', ['video', 'A', 'boat', '-m', 'x'], 2, 'quote it'],
    ['no model', ['video', 'A boat'], 2, 'Choose a model with -m'],
    ['an invalid number', [...order, '--duration', 'long'], 2, 'takes a whole number'],
    ['a folder that is not there', [...order, '-o', '/nowhere/out.mp4'], 2, 'Nothing was sent'],
    [
      'a value that the model does not offer',
      [...order, '--duration', '3'],
      2,
      'takes 4 to 15 seconds',
    ],
    ['a price above the limit', [...order, '--max-credits', '49'], 4, 'costs 50 credits'],
  ])('%s', async (_, args, code, told) => {
    const { status, stderr, stdout } = await inProcess(args);
    expect([status, stderr]).toEqual([code, expect.stringContaining(told)]);
    expect(world.line.seen.filter(({ status: answered }) => answered === 202)).toEqual([]);
    if (stdout !== '') expect(eventsOf(stdout).at(-1)).toMatchObject({ exit_code: code });
  });

  test('too few credits', async () => {
    const { apiKey } = await world.addAccount({ credits: 1 });
    const { status } = await inProcess(order, { env: { ...env, FRAMEGATE_KEY: apiKey } });
    expect(status).toBe(4);
  });

  test('a failed generation', async () => {
    world.ark.script({ prompt: 'sinks', on: 'task', plan: { polls: 0, end: 'failed' } });
    const { status, stderr, stdout } = await inProcess(orderOf('A boat that sinks'));
    expect([status, stderr]).toEqual([1, expect.stringContaining('50 credits were refunded')]);
    expect(stderr).not.toContain('To resume');
    expect(eventsOf(stdout).at(-1)).toMatchObject({ event: 'error', exit_code: 1, resume: null });
  });

  test('a timeout: the command to resume', async () => {
    world.ark.script({ prompt: 'never', on: 'task', plan: { polls: 0, end: 'never' } });
    const path = join(world.folder, "it's late.mp4");
    const { status, stderr, stdout } = await inProcess([
      ...orderOf('A boat that never arrives'),
      ...['-o', path, '--timeout', '60'],
    ]);
    const id = String(eventsOf(stdout).at(-1)?.['generation_id']);
    expect(status).toBe(5);
    expect(stderr).toContain(
      `To resume: framegate wait ${id} -o '${path.replace("'", `'\\''`)}'\n`,
    );
  });

  test('a full disk: the command to download it again', async () => {
    const { status, stderr } = await inProcess([...order, '-o', '/dev/full']);
    expect(status).toBe(7);
    expect(stderr).toMatch(
      /The disk is full.*\nTo resume: framegate wait gen_\w+ -o \/dev\/full\n/,
    );
  });

  test('a create without a response: the same command, with its key', async () => {
    world.line.disturb({
      method: 'POST',
      path: '/videos',
      times: 1000,
      cut: true,
      forwarded: true,
    });
    const lost = await inProcess(order);
    expect(lost.status).toBe(6);
    const [, key = ''] = /--idempotency-key (\S+)/.exec(lost.stderr) ?? [];
    expect(lost.stderr).toContain(
      `To resume: framegate video 'A paper boat' -m alpha-2.0-fast --idem`,
    );
    expect(lost.stderr).toContain('Trying again in 1 s.');
    world.line.reset();
    const before = await world.available(account);
    const again = await inProcess([...order, '--idempotency-key', key, '--no-wait']);
    expect(again.status).toBe(0);
    expect(await world.available(account)).toBe(before);
  });
});

test('Ctrl-C prints the id and the command to resume; that command brings the file', async () => {
  const plan = { polls: 0, afterMs: 3000, end: 'succeeded' as const };
  world.ark.script({ prompt: 'slow', on: 'task', plan });
  const path = join(world.folder, 'interrupted.mp4');
  const first = installed.framegate([...orderOf('A slow boat'), '-o', path], env);
  await until(() => first.written.stdout.includes('"processing"'), 'it is being made');
  first.child.kill('SIGINT');
  const { status, stderr } = await first.ended;
  expect(status).toBe(130);
  const [, id = ''] = /Generation: (gen_\w+)/.exec(stderr) ?? [];
  expect(stderr).toContain(`To resume: framegate wait ${id} -o ${path}\n`);
  const before = await world.available(account);
  const second = await installed.framegate(['wait', id, '-o', path], env).ended;
  expect(second).toMatchObject({ status: 0, stderr: '' });
  expect((await stat(path)).size).toBeGreaterThan(100);
  expect(await world.available(account)).toBe(before);
});

test('help and version', async () => {
  const { stdout } = await installed.framegate(['help']).ended;
  expect(stdout).toContain('130  interrupted');
  expect((await installed.framegate(['--version']).ended).stdout).toBe(`${manifest.version}\n`);
});
