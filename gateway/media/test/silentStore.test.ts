import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { testTogether } from '../../../test/support/testTogether.ts';
import { until } from '../../../test/support/until.ts';
import { createDiskStore } from '../src/diskStore.ts';
import { createS3Store, type S3Store } from '../src/s3Store.ts';
import { StoreStalledError } from '../src/stallLimit.ts';

const key = 'outputs/gen_01jd00000000000000000000ab/0.mp4';
const options = { contentType: 'video/mp4', maxBytes: 100_000_000 };
/** Temporary files of the buckets; below, the folder of a disk store. */
let folder: string;
let diskFolder: string;
let silent: TcpServer;
const stores: S3Store[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-silent-'));
  diskFolder = await mkdtemp(join(tmpdir(), 'framegate-silent-disk-'));
  silent = createTcpServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const store of stores) store.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  silent.close();
  for (const each of [folder, diskFolder]) await rm(each, { recursive: true, force: true });
});

const storeAt = (port: number, limits: { stallMs: number; maxReaders?: number }): S3Store => {
  const store = createS3Store(
    {
      bucket: 'bucket',
      region: 'us-east-1',
      prefix: null,
      forcePathStyle: true,
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    },
    folder,
    { maxReaders: 10, maxWriters: 10, ...limits },
  );
  stores.push(store);
  return store;
};
const portOf = (server: Server | TcpServer) => (server.address() as AddressInfo).port;
async function serve(handler: Parameters<typeof createServer>[1] & object): Promise<number> {
  const server = createServer(handler as never);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server);
}
const head = {
  'content-type': 'video/mp4',
  'x-amz-meta-sha256': 'a'.repeat(64),
};

// All at once, because they wait for seconds of silence.
describe('a bucket whose server accepts everything and never responds', () => {
  const isGivenUp = (call: (store: S3Store) => Promise<unknown>) => async () => {
    const store = storeAt(portOf(silent), { stallMs: 500 });
    await expect(call(store)).rejects.toThrow(StoreStalledError);
    await until(async () => (await readdir(folder)).length === 0, 'no part of it is left');
  };
  testTogether({
    'put is given up': isGivenUp((store) => store.put(key, Buffer.alloc(50_000_000), options)),
    'open is given up': isGivenUp((store) => store.open(key)),
    'stat is given up': isGivenUp((store) => store.stat(key)),
    'delete is given up': isGivenUp((store) => store.delete(key)),
    'a put ends at once with the signal of its caller': async () => {
      const store = storeAt(portOf(silent), { stallMs: 600_000 });
      const caller = new AbortController();
      const put = store.put(key, Buffer.from('video'), { ...options, signal: caller.signal });
      caller.abort(new Error('the process is stopping'));
      await expect(put).rejects.toThrow('the process is stopping');
    },
  });
});

describe('a stored file on its way to a reader', () => {
  testTogether({
    'is given up when its server falls silent in the middle': async () => {
      const port = await serve((_, response) => {
        response.writeHead(200, { ...head, 'content-length': '10' }).write('half ');
      });
      const opened = await storeAt(port, { stallMs: 1_000 }).open(key);
      if (!opened) throw new Error('not there');
      await expect(buffer(opened.stream)).rejects.toThrow(StoreStalledError);
    },

    'takes as long as it needs while bytes come': async () => {
      const pieces = 15;
      const stallMs = 1_500;
      const port = await serve((_, response) => {
        response.writeHead(200, { ...head, 'content-length': String(pieces) });
        let sent = 0;
        const sending = setInterval(
          () => {
            response.write('x');
            sent += 1;
            if (sent < pieces) return;
            clearInterval(sending);
            response.end();
          },
          (2 * stallMs) / pieces,
        );
      });
      const opened = await storeAt(port, { stallMs }).open(key);
      if (!opened) throw new Error('not there');
      expect(await buffer(opened.stream)).toHaveLength(pieces);
    },

    'that is never read gives its connection back, and holds up no writing meanwhile': async () => {
      const body = Buffer.alloc(8_000_000, 'x');
      let reads = 0;
      const port = await serve((request, response) => {
        if (request.method === 'GET') {
          reads += 1;
          response.writeHead(200, { ...head, 'content-length': String(body.length) }).end(body);
        } else {
          request.on('end', () => response.writeHead(200).end()).resume();
        }
      });
      const store = storeAt(port, { stallMs: 3_000, maxReaders: 2 });
      const opened = [await store.open(key), await store.open(key)];
      let read: Awaited<ReturnType<typeof store.open>> = null;
      // A reader waits for a connection at most as long as a connection may stall, so it may need a second attempt.
      const third = until(async () => {
        read = await store.open(key).catch(() => null);
        return read !== null;
      }, 'a connection is free again');
      expect(await store.put(key, Buffer.from('video'), options)).toMatchObject({ bytes: 5 });
      expect(opened.map((each) => each?.stream.destroyed)).toEqual([false, false]);
      expect(reads).toBe(2);
      await third;
      expect(opened.map((each) => each?.stream.destroyed)).toContain(true);
      (read as { stream: Readable } | null)?.stream.destroy();
    },
  });
});

describe('a disk', () => {
  testTogether({
    'a file whose source falls silent is given up, and so is one that is not read': async () => {
      const store = createDiskStore(diskFolder, 1_000);
      async function* falling() {
        yield Buffer.from('half');
        await new Promise(() => undefined);
      }
      await expect(store.put(key, falling(), options)).rejects.toThrow(StoreStalledError);
      expect(await store.stat(key)).toBeNull();
      await store.put(key, Buffer.alloc(1_000_000), options);
      const opened = await store.open(key);
      await until(() => opened?.stream.destroyed === true);
    },
  });
});
