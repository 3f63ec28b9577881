import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Framegate as EdgeFramegate } from '../../../integrations/typescript/src/index.ts';
import { until } from '../../support/until.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';
import { type Downloads, media, useDownloads } from './useDownloads.ts';

const downloaded = useDownloads();
let { world, account, id, bytes, video, failureOf } = {} as Downloads;
beforeAll(() => {
  ({ world, account, id, bytes, video, failureOf } = downloaded());
});

test('a server that closes while the disk is slow ends neither the process nor the download', async () => {
  // More than the client reads at once, but small enough that the end of the connection arrives with it.
  const whole = Buffer.alloc(200_000, 'Framegate');
  let isEnded = false;
  const server = createServer((socket) => {
    socket.once('data', () => {
      const head = ['Content-Type: video/mp4', `Content-Length: ${whole.length}`];
      socket.write(`HTTP/1.1 200 OK\r\n${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
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
  /** A web stream that keeps its chunks. */
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

  test('a service without ranges sends everything again, and no byte arrives twice', async () => {
    const responses = [bytes.subarray(0, 400), bytes];
    const headers = { 'content-length': String(bytes.length), 'content-type': 'video/mp4' };
    const fetchFile = async () => new Response(responses.shift(), { headers });
    const kept = keeping();
    await (await video({ fetchFile })).download(kept.stream);
    expect(kept.bytes()).toEqual(bytes);
  });

  test('bytes of another file are never joined to the first ones', async () => {
    const versions = ['"a"', '"b"'];
    const fetchFile = async () => {
      const etag = versions.shift() ?? '"b"';
      const headers = { 'content-length': '900', 'content-type': 'video/mp4', etag };
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
