import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  AbortError,
  type Sink,
  UsageError,
} from '../../../integrations/typescript/src/node/index.ts';
import { until } from '../../support/until.ts';
import { type Downloads, media, useDownloads } from './useDownloads.ts';

const downloaded = useDownloads();
let { world, bytes, video, failureOf } = {} as Downloads;
beforeAll(() => {
  ({ world, bytes, video, failureOf } = downloaded());
});

/** A new folder for one test. */
async function newFolder(name: string): Promise<string> {
  const folder = join(world.folder, name);
  await mkdir(folder);
  return folder;
}

const downloads = () => world.line.seen.filter(({ path }) => path.startsWith('/media/'));

describe('to a file', () => {
  test('all bytes arrive, without the key, and nothing else stays', async () => {
    const folder = await newFolder('plain');
    const progress: (number | undefined)[][] = [];
    const path = join(folder, 'out.mp4');
    const got = await (
      await video()
    ).download(path, {
      onProgress: (received, total) => progress.push([received, total]),
    });
    expect(got).toEqual({ bytes: bytes.length, type: 'video/mp4' });
    expect(await readFile(path)).toEqual(bytes);
    expect(await readdir(folder)).toEqual(['out.mp4']);
    expect(progress.at(-1)).toEqual([bytes.length, bytes.length]);
    expect(downloads().map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('a connection that is cut again and again is resumed where it broke', async () => {
    const path = join(await newFolder('cut'), 'out.mp4');
    let received = 0;
    let parts = 0;
    const heldUntil = () => until(() => received === 300 * parts);
    const meanwhile = async () => void (parts += 1);
    world.line.disturb({ ...media, times: 3, cutAfter: 300, heldUntil, meanwhile });
    await (
      await video()
    ).download(path, { onProgress: (receivedBytes) => (received = receivedBytes) });
    expect(await readFile(path)).toEqual(bytes);
    expect(downloads().map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=300-',
      'bytes=600-',
      'bytes=900-',
    ]);
  });

  test('a later call resumes the download of an earlier one', async () => {
    const folder = await newFolder('later');
    const path = join(folder, 'out.mp4');
    const stop = new AbortController();
    const heldUntil = () => until(() => stop.signal.aborted);
    world.line.disturb({ ...media, cutAfter: 500, heldUntil });
    const onProgress = () => stop.abort();
    const first = (await video()).download(path, { signal: stop.signal, onProgress });
    await expect(first).rejects.toThrow(AbortError);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^out\.mp4\.\w+\.part$/)]);
    world.line.reset();
    await (await video()).download(path);
    expect(await readFile(path)).toEqual(bytes);
    expect(await readdir(folder)).toEqual(['out.mp4']);
    expect(downloads().at(-1)?.headers.range).toBe('bytes=500-');
  });

  test('two downloads to one path do not spoil it', async () => {
    const path = join(await newFolder('twice'), 'out.mp4');
    const results = await Promise.allSettled(
      [1, 2].map(async () => (await video()).download(path)),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await readFile(path)).toEqual(bytes);
  });

  test('trouble of the service is waited out, and a rejected URL is read again', async () => {
    const path = join(await newFolder('trouble'), 'out.mp4');
    const done = await video();
    world.line.reset();
    world.line.disturb({ ...media, response: { status: 503, headers: { 'retry-after': '5' } } });
    world.line.disturb({ ...media, response: { status: 410, body: 'expired' } });
    await done.download(path);
    expect(await readFile(path)).toEqual(bytes);
    const reads = world.line.seen.map(({ path: each }) => each.split('/')[1]);
    expect(reads).toEqual(['media', 'media', 'v1', 'media']);
  });

  test('a page in place of the file is fetched again, at a fresh URL', async () => {
    const folder = await newFolder('page');
    const path = join(folder, 'out.mp4');
    const done = await video();
    world.line.reset();
    const response = { status: 200, body: '<html>Sign in</html>' };
    world.line.disturb({ ...media, response });
    await done.download(path);
    expect(await readFile(path)).toEqual(bytes);
    const reads = world.line.seen.map(({ path: each }) => each.split('/')[1]);
    expect(reads).toEqual(['media', 'v1', 'media']);
    world.line.disturb({ ...media, times: 1000, response });
    const error = await failureOf((await video()).download(join(folder, 'other.mp4')));
    expect(error.message).toContain('text/html was returned instead of the video');
    expect(await readdir(folder)).toEqual(['out.mp4']);
  });

  test('a full disk is reported, and the space is freed', async () => {
    const folder = await newFolder('full');
    const path = join(folder, 'out.mp4');
    const { openFile } = await import('../../../integrations/typescript/src/node/files.ts');
    const full = async (name: string) => async (version: string | undefined) => {
      const sink: Sink = await (await openFile(name))(version);
      const write = async () => {
        // A real ENOSPC from a device that is always full.
        const device = await open('/dev/full', 'w');
        await device.write(Buffer.alloc(1)).finally(() => device.close());
      };
      return { ...sink, write };
    };
    const error = await failureOf((await video({ openFile: full })).download(path));
    expect(error.code).toBe('disk_full');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a lasting outage is reported after a while; the partial file stays', async () => {
    const folder = await newFolder('away');
    let received = 0;
    const heldUntil = () => until(() => received > 0);
    world.line.disturb({ ...media, cutAfter: 100, heldUntil });
    world.line.disturb({ ...media, times: 1000, cut: true });
    const onProgress = (receivedBytes: number) => (received = receivedBytes);
    const error = await failureOf(
      (await video()).download(join(folder, 'out.mp4'), { onProgress }),
    );
    expect(error.code).toBe('download_broken');
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('deleted and missing files are reported', async () => {
    const done = await video();
    const call = done.download(join(world.folder, 'none.mp4'), { index: 1 });
    await expect(call).rejects.toThrow(UsageError);
    done.output.urls = [];
    done.output.deleted_at = '2026-01-01T00:00:00.000Z';
    const error = await failureOf(done.download(join(world.folder, 'none.mp4')));
    expect(error.code).toBe('file_gone');
  });
});
