import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { openLocalFile } from '../src/localFile.ts';
import { StoreStalledError } from '../src/stallLimit.ts';

const run = promisify(execFile);
let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-local-'));
  path = join(folder, 'file');
  await writeFile(path, '0123456789');
});
afterAll(() => rm(folder, { recursive: true }));

/** Descriptors of this process that are open on a path. */
function countOpen(target: string): number {
  const linkOf = (name: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return null;
    }
  };
  return readdirSync('/proc/self/fd').filter((name) => linkOf(name) === target).length;
}

/** Blocks file system calls until `letGo`: each opens a pipe without a writer. */
async function holdFileSystem(): Promise<{ letGo: () => Promise<void> }> {
  const pipe = join(folder, 'pipe');
  await run('mkfifo', [pipe]);
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
  const held = Array.from({ length: threads }, () => open(pipe, 'r'));
  return {
    async letGo() {
      const writer = openSync(pipe, 'r+');
      for (const each of held) await (await each).close();
      closeSync(writer);
      await rm(pipe);
    },
  };
}

test('a file is read from any position, as far as it goes', async () => {
  const file = await openLocalFile(path, 5_000);
  const into = Buffer.alloc(4);
  expect([await file?.read(into, 3), into.toString()]).toEqual([4, '3456']);
  expect([await file?.read(into, 8), into.subarray(0, 2).toString()]).toEqual([2, '89']);
  expect(await file?.read(into, 10)).toBe(0);
  file?.close();
  file?.close();
  await until(() => countOpen(path) === 0);
  expect(await openLocalFile(join(folder, 'none'), 5_000)).toBeNull();
  await expect(openLocalFile(join(path, 'below'), 5_000)).rejects.toThrow('ENOTDIR');
});

test('a read that stalls is given up, and the file closed once it ends', async () => {
  const file = await openLocalFile(path, 50);
  const { letGo } = await holdFileSystem();
  await expect(file?.read(Buffer.alloc(4), 0)).rejects.toThrow(StoreStalledError);
  file?.close();
  expect(countOpen(path)).toBe(1);
  await letGo();
  await until(() => countOpen(path) === 0);
});

test('an opening that stalls is given up, and closed if it succeeds later', async () => {
  const { letGo } = await holdFileSystem();
  await expect(openLocalFile(path, 50)).rejects.toThrow(StoreStalledError);
  await letGo();
  await until(() => countOpen(path) === 0);
});
