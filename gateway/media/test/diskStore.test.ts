import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDiskStore, removeReplaced, tempFolderOf } from '../src/diskStore.ts';
import { removeStaleTempFiles } from '../src/tempFiles.ts';
import { describeMediaStore } from './mediaStore.contract.ts';

let root = '';
const remove = () => rm(root, { recursive: true, force: true });
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-store-'));
});
afterAll(remove);

describeMediaStore(
  'the disk',
  async () => createDiskStore(join(root, 'contract')),
  async () => {},
);

describe('the disk store', () => {
  const options = { contentType: 'video/mp4', maxBytes: 100 };
  const key = 'outputs/gen_a/0.mp4';

  test('hides its files from other users of the machine and keeps nothing else', async () => {
    const folder = join(root, 'modes');
    const store = createDiskStore(folder);
    await store.put(key, Buffer.from('first'), options);
    await store.put(key, Buffer.from('second'), options);
    await expect(store.put(key, Buffer.alloc(101), options)).rejects.toThrow();
    const inside = join(folder, 'outputs', 'gen_a');
    const names = (await readdir(inside)).toSorted();
    expect(names).toEqual([expect.stringMatching(/^0\.mp4\.[0-9a-f-]{36}$/), '0.mp4.json']);
    for (const name of names) {
      expect((await stat(join(inside, name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(inside)).mode & 0o777).toBe(0o700);
    expect(await readdir(tempFolderOf(folder))).toEqual([]);
    await store.delete(key);
    expect(await readdir(join(folder, 'outputs'))).toEqual([]);
  });

  test('removes unlabelled old bytes together with replaced ones, but none that a writer may publish', async () => {
    const folder = join(root, 'races');
    const store = createDiskStore(folder);
    const inside = join(folder, 'outputs', 'gen_a');
    await store.put(key, Buffer.from('first'), options);
    const [left, young] = [`0.mp4.${randomUUID()}`, `0.mp4.${randomUUID()}`];
    for (const name of [left, young]) await writeFile(join(inside, name), 'of another writer');
    const longAgo = Date.now() / 1000 - 2 * 3600;
    await utimes(join(inside, left), longAgo, longAgo);
    await store.put(key, Buffer.from('second'), options);
    const names = await readdir(inside);
    expect(names).toHaveLength(3);
    expect(names).toContain(young);
    expect((await store.stat(key))?.bytes).toBe(6);
  });

  test('removes no bytes of another writer who has replaced these already', async () => {
    const folder = join(root, 'overtaken');
    const store = createDiskStore(folder);
    await store.put(key, Buffer.from('of another'), options);
    const replaced = `0.mp4.${randomUUID()}`;
    await removeReplaced(join(folder, key), replaced, `0.mp4.${randomUUID()}`);
    expect((await store.stat(key))?.bytes).toBe(10);
  });

  test('does not rewrite a finished file', async () => {
    const folder = join(root, 'finished');
    const finished = join(root, 'a file');
    await writeFile(finished, 'once', { mode: 0o644 });
    await createDiskStore(folder).put(key, { finished }, options);
    const inside = join(folder, 'outputs', 'gen_a');
    const bytes = (await readdir(inside)).find((name) => !name.endsWith('.json')) ?? '';
    const [stored, own] = [await stat(join(inside, bytes)), await stat(finished)];
    expect([stored.ino, stored.mode & 0o777]).toEqual([own.ino, 0o600]);
  });

  test('keeps a file while other deletes remove its folder again and again', async () => {
    const store = createDiskStore(join(root, 'busy'));
    let isStoring = true;
    const deleteOthers = async () => {
      while (isStoring) await store.delete('outputs/gen_a/1.mp4');
    };
    const deletes = [deleteOthers(), deleteOthers()];
    for (let round = 0; round < 20; round += 1) {
      await store.put(key, Buffer.from('next'), options);
      expect(await store.stat(key)).not.toBeNull();
      await store.delete(key);
    }
    isStoring = false;
    await Promise.all(deletes);
  });

  test('never serves half a file: damaged bytes are an error, missing bytes mean no file', async () => {
    const folder = join(root, 'damage');
    const store = createDiskStore(folder);
    await store.put(key, Buffer.from('whole'), options);
    const inside = join(folder, 'outputs', 'gen_a');
    const bytes = (await readdir(inside)).find((name) => !name.endsWith('.json')) ?? '';
    await writeFile(join(inside, bytes), 'who');
    await expect(store.open(key)).rejects.toThrow('3 bytes instead of 5');
    await rm(join(inside, bytes));
    expect(await store.open(key)).toBeNull();
    await writeFile(join(inside, '0.mp4.json'), JSON.stringify({ file: '../../../x', bytes: 1 }));
    await expect(store.stat(key)).rejects.toThrow('names another file');
  });

  test('removes old files that a killed process left half-written', async () => {
    const folder = tempFolderOf(join(root, 'damage'));
    const [old, young] = [join(folder, 'old'), join(folder, 'young')];
    await writeFile(old, 'x');
    await writeFile(young, 'x');
    await utimes(old, 1000, 1000);
    await utimes(young, 5000, 5000);
    expect(await removeStaleTempFiles(folder, 3_000_000)).toBe(1);
    expect(await readdir(folder)).toEqual(['young']);
    expect(await removeStaleTempFiles(join(root, 'none'), 3_000_000)).toBe(0);
  });
});
