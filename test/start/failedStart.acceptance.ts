import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { projectRoot } from '../support/runNode.ts';
import { withoutPackage } from '../support/withoutPackage.ts';
import { type GatewayProcess, startProcess } from './gatewayProcess.ts';

let dataDir: string;
let env: Record<string, string>;
/** A gateway that has the port and the database of the others. */
let running: GatewayProcess;
beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'framegate-start-')), 'data');
  env = { DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
  running = startProcess(env);
  await running.untilRunning();
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

describe('a failed start ends with one message and an exit status', () => {
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
  });

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

  test('the data folder is not a folder', async () => {
    const { status, stderr } = await failing({ DATA_DIR: join(projectRoot, 'package.json') });
    expect([status, stderr]).toEqual([1, expect.stringContaining('package.json')]);
  });

  test('no ROUTES_FILE, and an installation without the preview renderer', async () => {
    const NODE_OPTIONS = withoutPackage('@framegate/preview-renderer');
    const { status, stderr } = await failing({ NODE_OPTIONS });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^ROUTES_FILE is not set, .*\n$/)]);
  });

  test('production without its required settings names them all', async () => {
    const { status, stderr } = await failing({ MODE: 'production' });
    expect(status).toBe(1);
    for (const name of ['ROUTES_FILE', 'BASE_URL', 'SMTP_URL', 'KEY_PEPPERS', 'MONGODB_URI']) {
      expect(stderr).toContain(name);
    }
  });

  test('an invalid routes file names the place', async () => {
    const file = join(dataDir, 'routes.json');
    await writeFile(file, '{"providers":{"p":{"kind":"magic"}},"models":{}}');
    const { status, stderr } = await failing({ ROUTES_FILE: file });
    expect([status, stderr]).toEqual([1, expect.stringContaining('providers.p')]);
  });
});
