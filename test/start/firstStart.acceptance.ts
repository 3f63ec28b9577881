import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBrowser, openLink } from '../staff/browse.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { probe } from '../support/probe.ts';
import { compiledFolder, runNode } from '../support/runNode.ts';
import { type GatewayProcess, startProcess } from './gatewayProcess.ts';

const sh = promisify(execFile);
let dataDir: string;
let env: Record<string, string>;
let running: GatewayProcess | undefined;
beforeAll(async () => {
  // The printed lines are pasted into a shell.
  dataDir = join(await mkdtemp(join(tmpdir(), 'framegate-start-')), "a b'c$d");
  env = { DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
});
afterAll(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended;
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

/** The unchanged curl commands that are printed at startup. */
const curls = (banner: string) =>
  [...banner.matchAll(/^ {2}(curl [^]*?\}')$/gm)].map(([, command]) => command ?? '');

/** Polls at the stated intervals, like a customer. */
async function followed(created: string, key: string): Promise<Record<string, unknown>> {
  let record = JSON.parse(created) as Record<string, unknown>;
  while (record['retry_after_seconds'] !== undefined) {
    await pause(Number(record['retry_after_seconds']) * 1000);
    const response = await fetch(String(record['status_url']), {
      headers: { authorization: `Bearer ${key}` },
    });
    record = (await response.json()) as Record<string, unknown>;
  }
  return record;
}

describe('npm start in a fresh folder', () => {
  let key = '';
  let first: Record<string, unknown>;
  let enrolment: string | undefined;
  const enrolmentIn = (banner: string) => /http\S+\/staff\/enrol#\S+/.exec(banner)?.[0];

  test('prints a key and curl lines that make playable videos', async () => {
    running = startProcess(env);
    const banner = await running.untilRunning();
    key = (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim();
    expect(banner).toContain(key);
    expect((await stat(join(dataDir, 'demo-key'))).mode & 0o777).toBe(0o600);
    enrolment = enrolmentIn(banner);
    const commands = curls(banner);
    expect(commands).toHaveLength(2);
    const [beforeKey = ''] = banner.split(key);
    expect(beforeKey).toContain(`http://127.0.0.1:${String(env['PORT'])}/studio`);
    // One format, because the log is also for people.
    expect(running.stderr()).not.toMatch(/^\{/m);
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
    // Two videos are rendered, even on few cores.
  }, 240_000);

  test('admin commands work on its database while it runs', async () => {
    const { stdout } = await runNode(['gateway/src/admin.ts', 'ledger', 'verify'], env);
    expect(JSON.parse(stdout)).toMatchObject({ generations: 2, problems: [] });
  });

  test('admin commands print the addresses where it answers, whatever PORT says in their terminal', async () => {
    const create = ['account', 'create', '--email', 'ada@example.com', '--verified'];
    const printed = async () => {
      const args = ['gateway/src/admin.ts', ...create];
      const { stdout } = await runNode(args, { ...env, PORT: '1' });
      return JSON.parse(stdout) as unknown;
    };
    const password_url = `http://127.0.0.1:${String(env['PORT'])}/forgotten-password`;
    expect(await printed()).toMatchObject({ password_url });
  });

  test('stops cleanly, with its database, on Ctrl-C', async () => {
    running?.child.kill('SIGINT');
    expect(await running?.ended).toBe(0);
    expect(running?.stderr()).not.toMatch(/\n {4}at /);
    expect(await readdir(dataDir)).not.toContain('running.json');
    // The compiled code is kept for the next start.
    expect(await readdir(compiledFolder)).not.toEqual([]);
  });

  test('a second start has everything that the first one made, and shows no secret', async () => {
    running = startProcess(env);
    const banner = await running.untilRunning();
    expect(banner).not.toContain(key);
    expect(banner).toContain('demo-key');
    // The earlier output is still valid.
    expect(enrolmentIn(banner)).toBe(enrolment);
    const link = new URL(String(enrolment));
    const page = await openLink(openBrowser(link.origin), link.pathname + link.hash);
    expect(page.status).toBe(200);
    const [again] = curls(banner);
    const { stdout } = await sh('sh', ['-c', again ?? '']);
    // A command pasted again orders again.
    expect(JSON.parse(stdout)).toMatchObject({ status: 'queued' });
    expect(JSON.parse(stdout)).not.toMatchObject({ id: first['id'] });
    const origin = `http://127.0.0.1:${String(env['PORT'])}`;
    const { json } = await requests(origin, key).get(`/v1/generations/${String(first['id'])}`);
    expect(json).toMatchObject({ status: 'completed', created_at: first['created_at'] });
  });

  test('shares its database with another process in a separate role', async () => {
    const port = String(await freePort());
    const api = startProcess({ ...env, ROLE: 'api', PORT: port });
    await api.untilRunning();
    const account = requests(`http://127.0.0.1:${port}`, key);
    const { status } = await account.get(`/v1/generations/${String(first['id'])}`);
    api.child.kill('SIGTERM');
    expect([status, await api.ended]).toEqual([200, 0]);
  });
});
