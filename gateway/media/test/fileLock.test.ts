import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withFileLock } from '../src/fileLock.ts';

let folder = '';
let path = '';
const { signal } = new AbortController();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-lock-'));
  path = join(folder, 'below', 'file.json');
});
afterAll(() => rm(folder, { recursive: true }));

test('work under a lock runs alone, also after work that fails', async () => {
  let running = 0;
  let most = 0;
  const work = async (fails: boolean) => {
    most = Math.max(most, (running += 1));
    await readdir(folder);
    running -= 1;
    if (fails) throw new Error('fails');
  };
  const all = Array.from({ length: 10 }, (_, number) =>
    withFileLock(path, signal, () => work(number % 3 === 0)),
  );
  const failed = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
  expect([most, failed.length]).toEqual([1, 4]);
  expect(await readdir(join(folder, 'below'))).toEqual([]);
});

test('the lock of a process that died is taken over, by one of those that wait', async () => {
  await writeFile(`${path}.lock`, 'of another');
  const order: string[] = [];
  const lock = (name: string) => {
    const work = async () => {
      order.push(`${name} begins`);
      await readdir(folder);
      order.push(`${name} ends`);
    };
    return withFileLock(path, signal, work, 50);
  };
  await Promise.all([lock('a'), lock('b')]);
  const [first = ''] = order;
  expect(order).toEqual([first, first.replace('begins', 'ends'), ...order.slice(2)]);
});

test('a wait ends with its signal, and the lock stays with its holder', async () => {
  await writeFile(`${path}.lock`, 'of another');
  const stopped = AbortSignal.timeout(30);
  await expect(withFileLock(path, stopped, () => Promise.resolve())).rejects.toThrow('timeout');
  expect(await readFile(`${path}.lock`, 'utf8')).toBe('of another');
});

test('a lock that was lost is not taken from its new holder', async () => {
  await rm(`${path}.lock`);
  await withFileLock(path, signal, () => writeFile(`${path}.lock`, 'of another'));
  expect(await readFile(`${path}.lock`, 'utf8')).toBe('of another');
});
