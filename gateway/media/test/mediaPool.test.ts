import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { until } from '../../../test/support/until.ts';
import { outputLimits } from '../src/childLimits.ts';
import { type MediaChild, startMediaChild } from '../src/mediaChild.ts';
import { createMediaPool } from '../src/mediaPool.ts';
import type { MediaTask } from '../src/mediaTask.ts';
import { encodeStripes, mux } from './makeMedia.ts';
import { pictureWithMetadata } from './outputStore.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-pool-'));
  const video = { codec: 'avc', packets: await encodeStripes('avc', 0.5) } as const;
  await writeFile(join(root, 'video'), await mux('mp4', { video }));
  await writeFile(join(root, 'picture'), await pictureWithMetadata('png'));
  await writeFile(join(root, 'page'), '<!doctype html>');
});
afterAll(() => rm(root, { recursive: true }));

const { signal } = new AbortController();
let works = 0;

/** A pool with observable children. @param change Replaces a started child by another. */
function openPool(maxFiles = 50, change?: (child: MediaChild, number: number) => MediaChild) {
  const folder = join(root, `work-${works++}`);
  const started: MediaChild[] = [];
  const start: typeof startMediaChild = (flags, limits) => {
    const child = startMediaChild(flags, limits);
    const changed = change?.(child, started.length) ?? child;
    started.push(changed);
    return changed;
  };
  const pool = createMediaPool(() => outputLimits, 2, { maxFiles, idleMs: 30_000, start });
  let files = 0;
  const run = async (
    name: 'video' | 'picture' | 'page',
    limit = signal,
    owner = 'one',
    widths: number[] = [],
  ) => {
    const own = join(folder, `task-${files++}`);
    await mkdir(own, { recursive: true });
    const [path, target] = [join(own, 'received'), join(own, 'finished')];
    await copyFile(join(root, name), path);
    const posters = widths.map((width) => ({ width, path: join(own, `poster-${width}`) }));
    const task: MediaTask =
      name === 'video'
        ? { task: 'cleanVideo', path, target }
        : {
            task: 'encodeImage',
            path,
            target,
            format: 'png',
            maxPixels: 10_000,
            ...(widths.length > 0 && { posters }),
          };
    const end = await pool.run(task, owner, limit);
    return { end, path, target, posters };
  };
  return { run, started, folder };
}
const isValid = { kind: 'answered', response: { ok: true } };

test('one child performs task after task, and each file returns to its place', async () => {
  const { run, started, folder } = openPool();
  const results = [await run('picture'), await run('picture'), await run('picture')];
  expect(started.map(({ files }) => files)).toEqual([3]);
  for (const { end, target } of results) {
    expect(end).toMatchObject(isValid);
    expect((await sharp(await readFile(target)).metadata()).width).toBe(60);
  }
  expect((await readdir(folder)).toSorted()).toEqual(['task-0', 'task-1', 'task-2']);
});

test('a video is changed in place by a child that cannot load native code', async () => {
  const { run, started } = openPool();
  await run('picture');
  const before = await readFile(join(root, 'video'));
  const { end, path } = await run('video');
  expect(end).toMatchObject(isValid);
  expect((await readFile(path)).includes('trainedAlgorithmicMedia')).toBe(true);
  expect(before.includes('trainedAlgorithmicMedia')).toBe(false);
  expect(started).toHaveLength(2);
});

test('files of different owners never share a child', async () => {
  const { run, started } = openPool();
  for (const owner of ['one', 'other', 'one']) await run('picture', signal, owner);
  expect(started.map(({ files }) => files)).toEqual([2, 1]);
  await run('picture', signal, 'third');
  await run('picture', signal, 'one');
  expect(started.map(({ files }) => files)).toEqual([3, 1, 1]);
});

test('a child is replaced after its last file, and after a failure', async () => {
  const { run, started } = openPool(2);
  for (let file = 0; file < 3; file += 1) expect((await run('picture')).end).toMatchObject(isValid);
  expect(started.map(({ files }) => files)).toEqual([2, 1]);
  expect((await run('page')).end).toMatchObject({ response: { ok: false } });
  expect((await run('picture')).end).toMatchObject(isValid);
  expect(started.map(({ files }) => files)).toEqual([2, 2, 1]);
});

test('a failure of a used child gives no verdict: a new child repeats the task', async () => {
  const { run, started } = openPool(50, (child, number) =>
    number > 0
      ? child
      : {
          ...child,
          get files() {
            return child.files;
          },
          get isOver() {
            return child.isOver;
          },
          run: (...given) =>
            child.files === 0
              ? child.run(...given)
              : Promise.resolve({ kind: 'answered', response: { ok: false, reason: 'no memory' } }),
        },
  );
  expect((await run('picture')).end).toMatchObject(isValid);
  expect((await run('picture')).end).toMatchObject(isValid);
  expect((await run('picture')).end).toMatchObject(isValid);
  expect(started.map(({ files }) => files)).toEqual([1, 1]);
});

test('posters of a picture come from its own child, which is used again', async () => {
  const { run, started } = openPool();
  for (let file = 0; file < 2; file += 1) {
    const { end, posters } = await run('picture', signal, 'one', [960, 20]);
    expect(end).toMatchObject({ response: { ok: true, posters: true } });
    const widths = posters.map(async ({ path }) => (await sharp(path).metadata()).width);
    expect(await Promise.all(widths)).toEqual([60, 20]);
  }
  expect(started.map(({ files }) => files)).toEqual([2]);
});

test('a child that makes no requested posters gets no further file, and its result counts', async () => {
  const { run, started } = openPool(50, (child) => ({
    ...child,
    get files() {
      return child.files;
    },
    get isOver() {
      return child.isOver;
    },
    run: async (task, ...more) => {
      const alone = { ...task };
      if (alone.task === 'encodeImage') delete alone.posters;
      const end = await child.run(alone, ...more);
      const noPosters = 'their child ended';
      return end.kind === 'answered' ? { ...end, response: { ...end.response, noPosters } } : end;
    },
  }));
  const { end, target } = await run('picture', signal, 'one', [20]);
  expect(end).toMatchObject(isValid);
  expect((await sharp(target).metadata()).width).toBe(60);
  expect((await run('picture')).end).toMatchObject(isValid);
  expect(started.map(({ files }) => files)).toEqual([1, 1]);
});

test('gives a spent child no further file', async () => {
  const { run, started } = openPool(50, (child) => ({
    ...child,
    get files() {
      return child.files;
    },
    get isOver() {
      return child.isOver;
    },
    run: async (...given) => {
      const end = await child.run(...given);
      return end.kind === 'answered'
        ? { ...end, response: { ...end.response, isSpent: true } }
        : end;
    },
  }));
  expect((await run('picture')).end).toMatchObject(isValid);
  await until(() => started.every(({ isOver }) => isOver));
  expect((await run('picture')).end).toMatchObject(isValid);
  expect(started.map(({ files }) => files)).toEqual([1, 1]);
});

test('never runs more children than there are places', async () => {
  const { run, started } = openPool();
  await Promise.all([run('picture'), run('picture')]);
  await Promise.all([run('video'), run('video')]);
  const ended = started.slice(0, 2);
  expect(started).toHaveLength(4);
  await until(() => ended.every(({ isOver }) => isOver));
});

test('an abort ends the child, and the next task gets a new one', async () => {
  const { run, started } = openPool();
  await run('picture');
  const stop = new AbortController();
  const running = run('picture', stop.signal);
  stop.abort(new Error('lease lost'));
  await expect(running).rejects.toThrow('lease lost');
  expect((await run('picture')).end).toMatchObject(isValid);
  expect(started).toHaveLength(2);
});
