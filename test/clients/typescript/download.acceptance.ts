import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Framegate as EdgeFramegate } from '../../../integrations/typescript/src/index.ts';
import {
  AbortError,
  DownloadError,
  Framegate,
  UsageError,
  type CompletedVideo,
  type Sink,
} from '../../../integrations/typescript/src/node/index.ts';
import type { Platform } from '../../../integrations/typescript/src/platform.ts';
import type { TestAccount } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { startClientWorld, type ClientWorld } from '../support/clientWorld.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';

let world: ClientWorld;
let account: TestAccount;
let id: string;
/** The bytes of the video, as the gateway has them. */
let bytes: Buffer;

beforeAll(async () => {
  world = await startClientWorld();
  account = await world.addAccount();
  const made = await connect().videos.createAndWait({
    model: 'alpha-2.0-fast',
    mode: 'text-to-video',
    prompt: 'A paper boat',
  });
  id = made.id;
  const answer = await fetch(made.output.urls[0] ?? '');
  bytes = Buffer.from(await answer.arrayBuffer());
});
beforeEach(() => {
  world.line.reset();
});
afterAll(async () => {
  await world.stop();
});

function connect(platform: Partial<Platform> = {}): Framegate {
  const all = { ...hurriedPlatform(), ...platform };
  return new Framegate({ baseUrl: world.baseUrl, apiKey: account.apiKey, platform: all });
}

const video = async (platform?: Partial<Platform>) =>
  (await connect(platform).generations.wait(id)) as CompletedVideo;

/** A folder for one test. */
async function newFolder(name: string): Promise<string> {
  const folder = join(world.folder, name);
  await mkdir(folder);
  return folder;
}

const downloads = () => world.line.seen.filter(({ path }) => path.startsWith('/media/'));
const media = { method: 'GET', path: '/media/' };

async function failureOf(call: Promise<unknown>): Promise<DownloadError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DownloadError)) {
    throw error instanceof Error ? error : new Error('it has not failed');
  }
  expect(error.generationId).toBe(id);
  expect(error.message).toContain(id);
  return error;
}

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

  test('a file that is there is replaced when all has arrived', async () => {
    const path = join(await newFolder('replaced'), 'out.mp4');
    await writeFile(path, Buffer.alloc(bytes.length + 100));
    await (await video()).download(path);
    expect(await readFile(path)).toEqual(bytes);
  });

  test('a line that is cut, again and again, is gone on with where it broke', async () => {
    const path = join(await newFolder('cut'), 'out.mp4');
    let received = 0;
    let parts = 0;
    const heldUntil = () => until(() => received === 300 * parts);
    const meanwhile = async () => void (parts += 1);
    world.line.disturb({ ...media, times: 3, cutAfter: 300, heldUntil, meanwhile });
    await (await video()).download(path, { onProgress: (now) => (received = now) });
    expect(await readFile(path)).toEqual(bytes);
    expect(downloads().map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=300-',
      'bytes=600-',
      'bytes=900-',
    ]);
  });

  test('a later call goes on with what an earlier one left', async () => {
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

  test('trouble of the service is waited out, and a URL that is not taken is read anew', async () => {
    const path = join(await newFolder('trouble'), 'out.mp4');
    const done = await video();
    world.line.reset();
    world.line.disturb({ ...media, answer: { status: 503, headers: { 'retry-after': '5' } } });
    world.line.disturb({ ...media, answer: { status: 410, body: 'expired' } });
    await done.download(path);
    expect(await readFile(path)).toEqual(bytes);
    const reads = world.line.seen.map(({ path: each }) => each.split('/')[1]);
    expect(reads).toEqual(['media', 'media', 'v1', 'media']);
  });

  test('a full disk is told, and is not kept full', async () => {
    const folder = await newFolder('full');
    const path = join(folder, 'out.mp4');
    const { openFile } = await import('../../../integrations/typescript/src/node/files.ts');
    const full = async (name: string, version: string | undefined): Promise<Sink> => {
      const sink = await openFile(name, version);
      const write = async () => {
        // A real ENOSPC of a device that is always full.
        const device = await open('/dev/full', 'w');
        await device.write(Buffer.alloc(1)).finally(() => device.close());
      };
      return { ...sink, write };
    };
    const error = await failureOf((await video({ openFile: full })).download(path));
    expect(error.code).toBe('disk_full');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a device is written to and not replaced', async () => {
    const error = await failureOf((await video()).download('/dev/full'));
    expect(error.code).toBe('disk_full');
    expect((await (await video()).download('/dev/null')).bytes).toBe(bytes.length);
  });

  test.each([
    ['a folder that is not there', 'nowhere/out.mp4'],
    ['a folder in place of a file', '.'],
  ])('%s is told', async (_, name) => {
    const error = await failureOf((await video()).download(join(world.folder, name)));
    expect(error.code).toBe('not_written');
  });

  test('a service that stays away is told after a while; the part stays', async () => {
    const folder = await newFolder('away');
    world.line.disturb({ ...media, cutAfter: 100 });
    world.line.disturb({ ...media, times: 1000, cut: true });
    const error = await failureOf((await video()).download(join(folder, 'out.mp4')));
    expect(error.code).toBe('download_broken');
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('files that were deleted, and files that were never there', async () => {
    const done = await video();
    const call = done.download(join(world.folder, 'none.mp4'), { index: 1 });
    await expect(call).rejects.toThrow(UsageError);
    done.output.urls = [];
    done.output.deleted_at = '2026-01-01T00:00:00.000Z';
    const error = await failureOf(done.download(join(world.folder, 'none.mp4')));
    expect(error.code).toBe('file_gone');
  });
});

test('a server that closes while the disk is slow ends neither the process nor the download', async () => {
  // More than the client reads at once, and little enough that the end of the connection comes with it.
  const whole = Buffer.alloc(200_000, 'Framegate');
  let isEnded = false;
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Length: ${whole.length}\r\nConnection: close\r\n\r\n`,
      );
      socket.end(whole, () => (isEnded = true));
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const done = await video();
  done.output.urls = [`http://127.0.0.1:${port}/file`];
  let received = 0;
  const slow = new WritableStream<Uint8Array>({
    async write(chunk) {
      received += chunk.length;
      await until(() => isEnded);
      // The end arrives in one of the next turns.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    },
  });
  await done.download(slow);
  expect(received).toBe(whole.length);
  await new Promise((resolve) => server.close(resolve));
});

describe('to a stream', () => {
  /** A web stream that keeps what it gets. */
  function keeping() {
    const kept: Uint8Array[] = [];
    const ends: string[] = [];
    const stream = new WritableStream<Uint8Array>({
      write: (chunk) => void kept.push(chunk.slice()),
      close: () => void ends.push('closed'),
      abort: () => void ends.push('aborted'),
    });
    return { stream, ends, bytes: () => Buffer.concat(kept) };
  }

  test('of the web, on the client for runtimes without files', async () => {
    const { baseUrl } = world;
    const platform = hurriedPlatform();
    const framegate = new EdgeFramegate({ baseUrl, apiKey: account.apiKey, platform });
    const done = await framegate.generations.wait(id);
    world.line.disturb({ ...media, times: 2, cutAfter: 200 });
    const kept = keeping();
    await done.download(kept.stream);
    expect(kept.bytes()).toEqual(bytes);
    expect(kept.ends).toEqual(['closed']);
    await expect(done.download('out.mp4')).rejects.toThrow('download to a WritableStream');
  });

  test('of Node, which is ended', async () => {
    const path = join(world.folder, 'stream.mp4');
    world.line.disturb({ ...media, cutAfter: 200 });
    await (await video()).download(createWriteStream(path));
    expect(await readFile(path)).toEqual(bytes);
  });

  test('of Node that fails', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    });
    expect((await failureOf((await video()).download(stream))).code).toBe('disk_full');
    expect(stream.destroyed).toBe(true);
  });

  test('a service that knows no ranges sends all again, and no byte comes twice', async () => {
    const answers = [bytes.subarray(0, 400), bytes];
    const headers = { 'content-length': String(bytes.length), 'content-type': 'video/mp4' };
    const fetchFile = async () => new Response(answers.shift(), { headers });
    const kept = keeping();
    await (await video({ fetchFile })).download(kept.stream);
    expect(kept.bytes()).toEqual(bytes);
  });

  test('bytes of another file are never joined to the first ones', async () => {
    const versions = ['"a"', '"b"'];
    const fetchFile = async () => {
      const headers = { 'content-length': '900', etag: versions.shift() ?? '"b"' };
      const isFirst = headers.etag === '"a"';
      return new Response(isFirst ? bytes.subarray(0, 400) : Buffer.alloc(900), { headers });
    };
    const kept = keeping();
    const error = await failureOf((await video({ fetchFile })).download(kept.stream));
    expect(error.code).toBe('download_broken');
    expect(kept.bytes()).toHaveLength(400);
    expect(kept.ends).toEqual(['aborted']);
  });
});
