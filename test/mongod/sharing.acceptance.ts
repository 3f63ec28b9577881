import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type EmbeddedMongod,
  type FoundMongod,
  startEmbeddedMongod,
  stopUnusedMongod,
} from '@framegate/embedded-mongod';
import { makeProcessMark, readProcess } from '../../gateway/embedded-mongod/src/processes.ts';
import { isListening } from '../../gateway/embedded-mongod/src/replicaSet.ts';
import { collectLog, findTestMongod } from '../support/mongod.ts';
import { startDatabaseProcess } from './databaseProcess.ts';
import { newFolder, removeFolders } from './folders.ts';

const { log, lines } = collectLog();
let mongod: FoundMongod;
/** One folder for all tests: each leaves its database stopped, and later starts are quicker. */
let dataDir: string;

beforeAll(async () => {
  mongod = await findTestMongod();
  dataDir = await newFolder();
});

beforeEach(() => {
  lines.length = 0;
});

afterAll(async () => {
  await stopUnusedMongod(dataDir, log);
  await removeFolders();
});

function start(): Promise<EmbeddedMongod> {
  return startEmbeddedMongod({ dataDir, mongod, log });
}

describe('processes with one data folder', () => {
  test('share one mongod, whichever starts first', async () => {
    const [first, second, own] = await Promise.all([
      startDatabaseProcess(dataDir, mongod),
      startDatabaseProcess(dataDir, mongod),
      start(),
    ]);
    expect([first, second]).toEqual(
      Array(2).fill(expect.objectContaining({ pid: own.pid, port: own.port, uri: own.uri })),
    );
    await Promise.all([first.release(), own.release()]);
    expect(await isListening(second.port)).toBe(true);
    await second.release();
    expect(await isListening(second.port)).toBe(false);
  });
});

describe('a run that was killed', () => {
  test('leaves its mongod running, which the next start finds and its release stops', async () => {
    const killed = await startDatabaseProcess(dataDir, mongod);
    await killed.kill('SIGKILL');
    expect(await isListening(killed.port)).toBe(true);
    const own = await start();
    expect(own).toMatchObject({ pid: killed.pid, uri: killed.uri });
    expect(lines).toEqual([expect.stringContaining('reusing')]);
    await own.release();
    expect(await isListening(killed.port)).toBe(false);
  });

  test('can be cleaned up without a start', async () => {
    const killed = await startDatabaseProcess(dataDir, mongod);
    await stopUnusedMongod(dataDir, log);
    expect(await isListening(killed.port)).toBe(true);
    await killed.kill('SIGKILL');
    await stopUnusedMongod(dataDir, log);
    expect(await isListening(killed.port)).toBe(false);
  });

  test('may also have lost its mongod, whose data is recovered', async () => {
    const killed = await startDatabaseProcess(dataDir, mongod);
    process.kill(killed.pid, 'SIGKILL');
    await killed.kill('SIGKILL');
    const own = await start();
    expect(own.port).toBe(killed.port);
    expect(own.pid).not.toBe(killed.pid);
    await own.release();
  });
});

test('Ctrl-C in the terminal of a gateway does not reach its mongod', async () => {
  const gateway = await startDatabaseProcess(dataDir, mongod);
  await gateway.kill('SIGINT');
  // The job's process group, which the terminal would signal, is empty: mongod is not in it.
  expect(() => process.kill(-(gateway.child.pid ?? 0), 0)).toThrow('ESRCH');
  expect(await isListening(gateway.port)).toBe(true);
  const own = await start();
  expect(own.pid).toBe(gateway.pid);
  await own.release();
});

test('locks, registrations and pid files of dead processes do not count, nor do recycled pids', async () => {
  const self = await readProcess(process.pid);
  const mark = await makeProcessMark();
  // Our own pid, but a start time of long ago: the process that had the pid before us.
  const dead = mark.replace(self?.startText ?? '', '0');
  expect(dead).not.toBe(mark);
  const root = join(dataDir, 'mongodb');
  await mkdir(join(root, 'lock'), { recursive: true });
  await writeFile(join(root, 'lock', dead), '');
  await mkdir(join(root, `lock.${dead}`), { recursive: true });
  await writeFile(join(root, 'users', dead), '');
  await writeFile(join(root, 'db/mongod.lock'), `${process.pid}\n`);

  const own = await start();
  expect(own.pid).not.toBe(process.pid);
  expect(await readdir(join(root, 'users'))).toHaveLength(1);
  expect((await readdir(root)).filter((name) => name.startsWith('lock'))).toEqual([]);
  await own.release();
  expect(await isListening(own.port)).toBe(false);
});
