import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import { createSlots } from '@framegate/limits';
import type { MediaStore } from '@framegate/media';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import {
  mediaKey,
  signInputUrl,
  signOutputUrl,
} from '../../gateway/src/domain/generations/mediaUrl.ts';
import type { RequestState } from '../../gateway/src/http/context.ts';
import { mediaMiddleware } from '../../gateway/src/http/media/mediaMiddleware.ts';
import { createPieces } from '../../gateway/src/http/media/sendLocalFile.ts';
import type { MediaDelivery } from '../../gateway/src/http/media/serveFile.ts';
import { collectLog } from '../support/mongod.ts';
import { projectRoot } from '../support/runNode.ts';
import { bytes, generationId, get, guards, signingKeys, start } from './mediaServer.ts';

let root = '';
let store: MediaStore;
let server: Server | undefined;
let mediaUrl = '';
let nowMs = start;
let takenDown: string[] = [];
/** Calls to the store and the database. */
let asked: string[] = [];

const file = { generationId, index: 0, extension: 'mp4' };

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-delivered-'));
  store = createDiskStore(root);
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  [nowMs, takenDown, asked] = [start, [], []];
  await put(bytes);
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

const put = (data: Buffer) =>
  store.put(mediaKey('outputs', file), data, { contentType: 'video/mp4', maxBytes: 1e6 });

/** Starts the part of a gateway that serves media. @returns The URL of the file. */
async function serve(delivery: MediaDelivery): Promise<string> {
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(
    mediaMiddleware({
      slots: createSlots(workKinds),
      fileStem: 'framegate',
      path: '/media',
      delivery,
      pieces: createPieces(),
      store: {
        stat: (key) => {
          asked.push('stat');
          return store.stat(key);
        },
        open: () => Promise.reject(new Error('a local file needs no stream')),
        openLocal: async (known) => {
          asked.push('open');
          return (await store.openLocal?.(known)) ?? null;
        },
      },
      signingKeys,
      now: () => nowMs,
      isTakenDown: async (id) => {
        asked.push('state');
        return takenDown.includes(id);
      },
      log: collectLog().log,
    }),
  );
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  mediaUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/media`;
  const removedAt = start + 100 * hourMs;
  return signOutputUrl({ ...file, mediaUrl, signingKeys, nowMs: start, removedAt }).url;
}

describe('proxy', () => {
  test('reads state and label of a file once for a player that reads it in parts', async () => {
    const url = await serve({ by: 'proxy' });
    for (const range of ['bytes=0-99', 'bytes=100-199', 'bytes=9900-']) {
      expect((await get(url, { range })).body.length).toBe(100);
    }
    expect(asked).toEqual(['state', 'stat', 'open', 'open', 'open']);
    nowMs += 5_000;
    takenDown = [generationId];
    expect((await get(url)).status).toBe(410);
  });

  test('cached facts about a replaced or deleted file are read again', async () => {
    const url = await serve({ by: 'proxy' });
    await get(url);
    await put(Buffer.from('another file'));
    const replaced = await get(url, { range: 'bytes=8-' });
    expect([replaced.status, replaced.body.toString()]).toEqual([206, 'file']);
    expect(replaced.headers['content-range']).toBe('bytes 8-11/12');
    await store.delete(mediaKey('outputs', file));
    const gone = await get(url);
    expect([gone.status, gone.headers.etag]).toEqual([410, undefined]);
    // It exists as soon as it is stored again.
    await put(bytes);
    expect((await get(url)).body.equals(bytes)).toBe(true);
  });
});

describe('accel', () => {
  test.each([
    ['/stored', 'x-accel-redirect', () => '/stored'],
    [null, 'x-sendfile', () => root],
  ])('with the path %s: %s names the file, and nothing is opened', async (path, header, base) => {
    const url = await serve({ by: 'accel', path, folder: root });
    const { status, headers, body } = await get(url, { range: 'bytes=0-9' });
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers).toMatchObject({ ...guards, 'content-type': 'video/mp4' });
    const named = String(headers[header]);
    expect(named.startsWith(`${base()}/outputs/${generationId}/0.mp4.`)).toBe(true);
    const bytesAt = await readFile(join(root, named.slice(base().length)));
    expect(bytesAt.equals(bytes)).toBe(true);
    expect(asked).toEqual(['state', 'stat']);
    const others = ['x-accel-redirect', 'x-sendfile'].filter((each) => each !== header);
    expect(headers).not.toHaveProperty(others);
  });

  test('names no file that was taken down', async () => {
    takenDown = [generationId];
    const { status, headers } = await get(await serve({ by: 'accel', path: '/p', folder: root }));
    expect([status, headers['x-accel-redirect']]).toEqual([410, undefined]);
  });
});

describe('redirect', () => {
  const to = { url: 'https://cdn.example.com/files', secret: 'known to the edge as well' };

  test('leads to an address that is stable for some minutes and names only the file', async () => {
    const url = await serve({ by: 'redirect', to });
    const first = await get(url);
    expect(first).toMatchObject({ status: 302, headers: { ...guards } });
    const { location = '' } = first.headers;
    expect(location).toMatch(
      /^https:\/\/cdn\.example\.com\/files\/outputs\/gen_\w+\/0\.mp4\?expires=\d+&token=[\w-]{43}$/,
    );
    const holdsMs = Number(new URL(location).searchParams.get('expires')) * 1000 - nowMs;
    expect([holdsMs > 300_000, holdsMs <= 600_000]).toEqual([true, true]);
    const [, age] = /^private, max-age=(\d+)$/.exec(first.headers['cache-control'] ?? '') ?? [];
    expect(Number(age) * 1000).toBeLessThan(holdsMs);
    nowMs += 299_000;
    expect((await get(url)).headers.location).toBe(location);
    nowMs += 1_000;
    expect((await get(url)).headers.location).not.toBe(location);
  });

  test('is valid no longer than the address that led to it', async () => {
    const url = await serve({ by: 'redirect', to });
    nowMs = start + dayMs - 90_000;
    const { location = '' } = (await get(url)).headers;
    const expires = Number(new URL(location).searchParams.get('expires'));
    expect(expires * 1000).toBe(start + dayMs);
  });

  test('never leads to files taken down, nor to inputs, because providers follow no redirects', async () => {
    takenDown = [generationId];
    expect((await get(await serve({ by: 'redirect', to }))).status).toBe(410);
    const options = { contentType: 'image/png', maxBytes: 1e6 };
    const input = { ...file, extension: 'png' };
    await store.put(mediaKey('inputs', input), bytes, options);
    const signed = signInputUrl({ ...input, mediaUrl, signingKeys, nowMs, validMs: minuteMs });
    expect((await get(signed.url)).status).toBe(200);
  });

  test('is accepted by the function of docs/deploy/media.md, and nothing else is', async () => {
    const page = await readFile(join(projectRoot, 'docs/deploy/media.md'), 'utf8');
    const [, code = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
    type Handler = (event: object) => { statusCode?: number };
    const handler = runInNewContext(
      `${code.replace('the value of MEDIA_REDIRECT_KEY', to.secret)}; handler`,
      { require: createRequire(import.meta.url), Date: { now: () => nowMs } },
    ) as Handler;
    const isAccepted = (address: string) => {
      const { pathname, searchParams } = new URL(address);
      const values = [...searchParams].map(([name, value]) => [name, { value }]);
      const request = { uri: pathname, querystring: Object.fromEntries(values) as object };
      return handler({ request }).statusCode !== 403;
    };
    const { location = '' } = (await get(await serve({ by: 'redirect', to }))).headers;
    expect(isAccepted(location)).toBe(true);
    expect(isAccepted(location.replace('/0.mp4', '/1.mp4'))).toBe(false);
    expect(isAccepted(location.replace(/expires=\d/, 'expires=9'))).toBe(false);
    expect(isAccepted(location.replace(/\?.*/, ''))).toBe(false);
    nowMs += 600_000;
    expect(isAccepted(location)).toBe(false);
  });
});
