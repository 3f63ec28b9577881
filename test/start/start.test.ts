import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probe } from '../support/probe.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { compiledFolder, projectRoot, runNode } from '../support/runNode.ts';
import { withoutPackage } from '../support/withoutPackage.ts';
import { startProcess, type GatewayProcess } from './gatewayProcess.ts';

const sh = promisify(execFile);
let dataDir: string;
let env: Record<string, string>;
let running: GatewayProcess | undefined;
beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'framegate-start-')), 'data');
  env = { DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
});
afterAll(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended;
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

/** The curl commands that the start prints, as they are. */
const curls = (banner: string) =>
  [...banner.matchAll(/^ {2}(curl [^]*?\}')$/gm)].map(([, command]) => command ?? '');

/** Polls as the answer tells, as a customer would. */
async function followed(created: string, key: string): Promise<Record<string, unknown>> {
  let record = JSON.parse(created) as Record<string, unknown>;
  while (record['retry_after_seconds'] !== undefined) {
    await pause(Number(record['retry_after_seconds']) * 1000);
    const answer = await fetch(String(record['status_url']), {
      headers: { authorization: `Bearer ${key}` },
    });
    record = (await answer.json()) as Record<string, unknown>;
  }
  return record;
}

describe('npm start in a fresh folder', () => {
  let key = '';
  let first: Record<string, unknown>;
  let enrolment: string | undefined;
  const enrolmentIn = (banner: string) => /http\S+\/staff\/enrol\/\S+/.exec(banner)?.[0];

  test('prints a key and curl lines that make videos which play', async () => {
    running = startProcess(env);
    const banner = await running.untilRunning();
    key = (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim();
    expect(banner).toContain(key);
    expect((await stat(join(dataDir, 'demo-key'))).mode & 0o777).toBe(0o600);
    enrolment = enrolmentIn(banner);
    const commands = curls(banner);
    expect(commands).toHaveLength(2);
    const created = await Promise.all(commands.map((command) => sh('sh', ['-c', command])));
    const records = await Promise.all(created.map(({ stdout }) => followed(stdout, key)));
    for (const record of records) {
      expect(record).toMatchObject({ status: 'completed' });
      const { video_url } = record['output'] as { video_url: string };
      const file = new Uint8Array(await (await fetch(video_url)).arrayBuffer());
      const { streams, format } = await probe(file);
      expect(streams).toMatchObject([{ codec_name: 'h264', width: 1280, height: 720 }]);
      expect(Number(format['duration'])).toBeCloseTo(5, 2);
    }
    first = records[0] ?? {};
  }, 240_000);

  test('admin commands work on its database while it runs', async () => {
    const { stdout } = await runNode(['gateway/src/admin.ts', 'ledger', 'verify'], env);
    expect(JSON.parse(stdout)).toMatchObject({ generations: 2, problems: [] });
  }, 60_000);

  test('Ctrl-C stops it and its database cleanly', async () => {
    running?.child.kill('SIGINT');
    expect(await running?.ended).toBe(0);
    expect(running?.stderr()).not.toMatch(/\n {4}at /);
    // What was compiled is there for the next start.
    expect(await readdir(compiledFolder)).not.toEqual([]);
  }, 60_000);

  test('a second start has everything that the first one made, and shows no secret', async () => {
    running = startProcess(env);
    const banner = await running.untilRunning();
    expect(banner).not.toContain(key);
    expect(banner).toContain('demo-key');
    // What was printed before is still good.
    expect(enrolmentIn(banner)).toBe(enrolment);
    expect((await fetch(String(enrolment))).status).toBe(200);
    const [again] = curls(banner);
    const { stdout } = await sh('sh', ['-c', again ?? '']);
    expect(JSON.parse(stdout)).toMatchObject({ id: first['id'] });
    const origin = `http://127.0.0.1:${String(env['PORT'])}`;
    const { json } = await requests(origin, key).get(`/v1/generations/${String(first['id'])}`);
    expect(json).toMatchObject({ status: 'completed', created_at: first['created_at'] });
  }, 60_000);

  test('another process with a role of its own shares its database', async () => {
    const port = String(await freePort());
    const api = startProcess({ ...env, ROLE: 'api', PORT: port });
    await api.untilRunning();
    const account = requests(`http://127.0.0.1:${port}`, key);
    const { status } = await account.get(`/v1/generations/${String(first['id'])}`);
    api.child.kill('SIGTERM');
    expect([status, await api.ended]).toEqual([200, 0]);
  }, 60_000);
});

describe('a start that cannot be ends in one message and a status', () => {
  const failing = async (settings: Record<string, string>) => {
    const start = startProcess({ ...env, LOG_LEVEL: 'error', ...settings });
    const status = await start.ended;
    expect(start.stderr()).not.toMatch(/\n {4}at /);
    return { status, stderr: start.stderr() };
  };

  test('the port is in use', async () => {
    const { status, stderr } = await failing({});
    expect(status).toBe(1);
    expect(stderr).toMatch(/Port \d+ on 127\.0\.0\.1 is in use.*PORT/);
  }, 60_000);

  test('settings are wrong: all of them in one message', async () => {
    const { status, stderr } = await failing({ PORT: 'x', ROLE: 'boss', BASE_URL: 'ftp://a' });
    expect(status).toBe(1);
    for (const name of ['PORT', 'ROLE', 'BASE_URL']) expect(stderr).toContain(name);
  });

  test('no mongod where MONGOD says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'framegate-none-'));
    const { status, stderr } = await failing({ DATA_DIR: folder, MONGOD: '/nowhere/mongod' });
    await rm(folder, { recursive: true });
    expect([status, stderr.trim().split('\n')]).toMatchObject([1, [expect.any(String)]]);
    expect(stderr).toContain('/nowhere/mongod');
  });

  test('no MONGODB_URI, and an installation without the embedded database', async () => {
    const NODE_OPTIONS = withoutPackage('@framegate/embedded-mongod');
    const { status, stderr } = await failing({ NODE_OPTIONS });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^MONGODB_URI is not set, .*\n$/)]);
  });

  test('no database where MONGODB_URI says', async () => {
    const uri = `mongodb://127.0.0.1:${await freePort()}/x?serverSelectionTimeoutMS=200`;
    const { status, stderr } = await failing({ MONGODB_URI: uri });
    expect([status, stderr]).toEqual([1, expect.stringContaining('MONGODB_URI')]);
  });

  test('the data folder is none', async () => {
    const { status, stderr } = await failing({ DATA_DIR: join(projectRoot, 'package.json') });
    expect([status, stderr]).toEqual([1, expect.stringContaining('package.json')]);
  });

  test('no ROUTES_FILE, and an installation without the preview renderer', async () => {
    const NODE_OPTIONS = withoutPackage('@framegate/preview-renderer');
    const { status, stderr } = await failing({ NODE_OPTIONS });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^ROUTES_FILE is not set, .*\n$/)]);
  });

  test('production without what it needs names everything', async () => {
    const { status, stderr } = await failing({ MODE: 'production' });
    expect(status).toBe(1);
    for (const name of ['ROUTES_FILE', 'BASE_URL', 'SMTP_URL', 'KEY_PEPPERS', 'MONGODB_URI']) {
      expect(stderr).toContain(name);
    }
  });

  test('a routes file that makes no sense names the place', async () => {
    const file = join(dataDir, 'routes.json');
    await writeFile(file, '{"providers":{"p":{"kind":"magic"}},"models":{}}');
    const { status, stderr } = await failing({ ROUTES_FILE: file });
    expect([status, stderr]).toEqual([1, expect.stringContaining('providers.p')]);
  });
});
