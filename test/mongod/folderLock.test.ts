import { mkdir, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { defaultCacheDir } from '../../gateway/embedded-mongod/src/findMongod.ts';
import { withFolderLock } from '../../gateway/embedded-mongod/src/folderLock.ts';
import { makeProcessMark, runProgram } from '../../gateway/embedded-mongod/src/processes.ts';
import { newFolder, removeFolders } from './folders.ts';

afterAll(removeFolders);

const patient = { waitMs: 20_000 };

test('one holder has the lock at a time, and leaves nothing behind', async () => {
  const folder = await newFolder();
  let holders = 0;
  let runs = 0;
  await Promise.all(
    Array.from({ length: 12 }, () =>
      withFolderLock(join(folder, 'lock'), patient, async () => {
        holders += 1;
        expect(holders).toBe(1);
        await readdir(folder);
        runs += 1;
        holders -= 1;
      }),
    ),
  );
  expect(runs).toBe(12);
  expect(await readdir(folder)).toEqual([]);
});

test('failed work releases the lock and passes its error on', async () => {
  const lock = join(await newFolder(), 'lock');
  const failing = withFolderLock(lock, patient, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await withFolderLock(lock, patient, () => Promise.resolve('again'))).toBe('again');
});

test('a live holder is waited for and then named; a dead one is not', async () => {
  const lock = join(await newFolder(), 'lock');
  await mkdir(lock);
  await writeFile(join(lock, await makeProcessMark()), '');
  const waiting = withFolderLock(lock, { waitMs: 60 }, () => Promise.resolve());
  await expect(waiting).rejects.toThrow(`held by the process ${process.pid} for`);

  const late = withFolderLock(lock, patient, () => Promise.resolve());
  const called = { ...patient, signal: AbortSignal.abort(new Error('called off')) };
  await expect(withFolderLock(lock, called, () => Promise.resolve())).rejects.toThrow('called off');
  for (const mark of await readdir(lock)) {
    await writeFile(join(lock, mark.replace(/-[^-]*-/, '-0-')), '');
    await unlink(join(lock, mark));
  }
  await late;
});

test('a silent or slow program is ended', async () => {
  const sleep = ['-c', 'sleep 60 & wait'];
  const silent = await runProgram('sh', sleep, { timeoutMs: 20_000, firstOutputMs: 30 });
  expect(silent).toMatchObject({ problem: 'silent', code: null });
  const slow = await runProgram('sh', sleep, { timeoutMs: 30 });
  expect(slow).toMatchObject({ problem: 'timedOut', code: null });
  const quick = await runProgram('sh', ['-c', 'echo a; echo b >&2; exit 4'], { timeoutMs: 20_000 });
  expect(quick).toMatchObject({ problem: undefined, code: 4, stdout: 'a\n', stderr: 'b\n' });
});

test.each([
  [undefined, 'linux', '/home/u/.cache/framegate'],
  ['/fast', 'linux', '/fast/framegate'],
  ['relative', 'linux', '/home/u/.cache/framegate'],
  ['', 'freebsd', '/home/u/.cache/framegate'],
  ['/fast', 'darwin', '/home/u/Library/Caches/framegate'],
] as const)('the cache folder with XDG_CACHE_HOME %j on %s', (xdgCacheHome, platform, expected) => {
  expect(defaultCacheDir(xdgCacheHome, platform, '/home/u')).toBe(expected);
});
