import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import Koa from 'koa';
import { createDiskStore } from '../../gateway/src/adapters/media/diskStore.ts';
import type { MediaStore } from '../../gateway/src/application/ports/media.ts';
import { mediaKey, signInputUrl, signOutputUrl } from '../../gateway/src/domain/mediaUrl.ts';
import type { RequestState } from '../../gateway/src/http/context.ts';
import { mediaMiddleware } from '../../gateway/src/http/media/mediaMiddleware.ts';
import { collectLog } from '../support/mongod.ts';

const generationId = 'gen_01jd00000000000000000000ab';
const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 21, 6, 0, 0);
const signingKeys = [
  { version: 'b', secret: 'new' },
  { version: 'a', secret: 'old' },
];
const bytes = Buffer.from('0123456789'.repeat(1000));
let now = start;
let takenDown: string[] = [];
let root = '';
let store: MediaStore;
let server: Server;
let mediaUrl = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-served-'));
  store = createDiskStore(root);
  const app = new Koa<RequestState>();
  app.silent = true;
  const isTakenDown = async (id: string) => takenDown.includes(id);
  const { log } = collectLog();
  app.use(
    mediaMiddleware({ path: '/media', store, signingKeys, now: () => now, isTakenDown, log }),
  );
  app.use((ctx) => {
    ctx.body = 'another part of the gateway';
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  mediaUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/media`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(root, { recursive: true });
});
beforeEach(() => {
  now = start;
  takenDown = [];
});

const put = async (index: number, extension: string, contentType: string, data = bytes) => {
  const key = mediaKey('outputs', { generationId, index, extension });
  await store.put(key, data, { contentType, maxBytes: 1e6 });
  return urlOf(index, extension);
};
const urlOf = (index: number, extension: string) =>
  signOutputUrl({
    ...{ mediaUrl, signingKeys, generationId, index, extension },
    ...{ nowMs: start, deletedAtMs: start + 100 * hourMs },
  }).url;

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}
const get = async (
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> => {
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    httpRequest(url, { method, headers, agent: false }, answered).on('error', failed).end();
  });
  const body = await buffer(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
};

const guards = {
  'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe('an output', () => {
  test('is served whole, with all that a browser should know', async () => {
    const { status, headers, body } = await get(await put(0, 'mp4', 'video/mp4'));
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      ...guards,
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
      'content-disposition': `inline; filename="framegate-${generationId}-1.mp4"`,
      'content-length': '10000',
      'content-type': 'video/mp4',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    expect(Object.keys(headers).filter((name) => /^access-control|cookie/.test(name))).toEqual([]);
  });

  test('HEAD tells the same without the file', async () => {
    const url = await put(0, 'mp4', 'video/mp4');
    const whole = await get(url);
    const { status, headers, body } = await get(url, { range: 'bytes=0-1' }, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    expect({ ...headers, date: '' }).toEqual({ ...whole.headers, date: '' });
  });

  test('an empty file, and one of a type that browsers must not show', async () => {
    const empty = await get(await put(1, 'png', 'image/png', Buffer.alloc(0)));
    expect([empty.status, empty.headers['content-length']]).toEqual([200, '0']);
    const { headers } = await get(await put(2, 'html', 'text/html'));
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="framegate-${generationId}-3.html"`,
    });
  });

  test('the other key that is listed still opens it', async () => {
    await put(0, 'mp4', 'video/mp4');
    const { url } = signOutputUrl({
      ...{ mediaUrl, signingKeys: signingKeys.slice(1), generationId, index: 0, extension: 'mp4' },
      ...{ nowMs: start, deletedAtMs: start + hourMs },
    });
    expect((await get(url)).status).toBe(200);
  });

  test('is kept by browsers no longer than its URL holds', async () => {
    const url = await put(0, 'mp4', 'video/mp4');
    now = start + 24 * hourMs - 90_500;
    expect((await get(url)).headers['cache-control']).toBe('private, max-age=90');
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-0', 'bytes 0-0/10000', '0'],
    ['bytes=10-14', 'bytes 10-14/10000', '01234'],
    ['bytes=9995-', 'bytes 9995-9999/10000', '56789'],
    ['bytes=9995-20000', 'bytes 9995-9999/10000', '56789'],
    ['bytes=-3', 'bytes 9997-9999/10000', '789'],
  ])('%s', async (range, contentRange, part) => {
    const { status, headers, body } = await get(await put(0, 'mp4', 'video/mp4'), { range });
    expect([status, headers['content-range'], body.toString()]).toEqual([206, contentRange, part]);
    expect(headers).toMatchObject({
      ...guards,
      'content-length': String(part.length),
      'content-type': 'video/mp4',
    });
  });

  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'lines=0-1', 'bytes=x'])(
    '%s is answered by the whole file',
    async (range) => {
      const { status, headers, body } = await get(await put(0, 'mp4', 'video/mp4'), { range });
      expect([status, headers['content-range'], body.length]).toEqual([200, undefined, 10_000]);
    },
  );

  test.each(['bytes=10000-', 'bytes=20000-30000', 'bytes=-0'])('%s is 416', async (range) => {
    const { status, headers } = await get(await put(0, 'mp4', 'video/mp4'), { range });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */10000']);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('If-Range: the part of the same file, the whole of another', async () => {
    const url = await put(0, 'mp4', 'video/mp4');
    const { etag = '' } = (await get(url)).headers;
    const ask = async (ifRange: string) =>
      (await get(url, { range: 'bytes=0-1', 'if-range': ifRange })).status;
    expect(await ask(etag)).toBe(206);
    expect(await ask('"another"')).toBe(200);
    expect(await ask(`W/${etag}`)).toBe(200);
    expect(await ask('Sat, 21 Nov 2026 06:00:00 GMT')).toBe(200);
  });

  test('If-None-Match: not sent again', async () => {
    const url = await put(0, 'mp4', 'video/mp4');
    const { etag = '' } = (await get(url)).headers;
    const ask = (tags: string) => get(url, { 'if-none-match': tags, range: 'bytes=0-1' });
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, headers, body } = await ask(tags);
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ etag, 'cache-control': 'private, max-age=3600' });
    }
    expect((await ask('"x"')).status).toBe(206);
  });
});

describe('no file for', () => {
  const refused = async (url: string, status: number, text: RegExp, method = 'GET') => {
    const answer = await get(url, {}, method);
    expect([answer.status, answer.body.toString()]).toEqual([status, expect.stringMatching(text)]);
    expect(answer.headers).toMatchObject({
      ...guards,
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(answer.headers.etag).toBeUndefined();
    return answer;
  };

  test('a URL that is not signed, or signed for another file', async () => {
    const url = await put(0, 'mp4', 'video/mp4');
    await put(1, 'mp4', 'video/mp4');
    await refused(url.replace('/0.mp4', '/1.mp4'), 403, /not valid/);
    await refused(url.replace(/\?.*/, ''), 403, /not valid/);
    await refused(url.replace(/expires=\d/, 'expires=9'), 403, /not valid/);
    await refused(`${mediaUrl}/outputs/..%2f..%2fetc/passwd`, 403, /not valid/);
    await refused(`${mediaUrl}/outputs/`, 403, /not valid/);
  });

  test('a URL whose time is over', async () => {
    const url = await put(0, 'mp4', 'video/mp4');
    now = start + 24 * hourMs;
    await refused(url, 410, /expired/);
  });

  test('a generation that was taken down, and a file that is deleted', async () => {
    const url = await put(0, 'mp4', 'video/mp4');
    takenDown = [generationId];
    await refused(url, 410, /deleted/);
    takenDown = [];
    await store.delete(mediaKey('outputs', { generationId, index: 0, extension: 'mp4' }));
    await refused(url, 410, /deleted/);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s', async (method) => {
    const { headers } = await refused(await put(0, 'mp4', 'video/mp4'), 405, /GET/, method);
    expect(headers.allow).toBe('GET, HEAD');
  });
});

describe('inputs', () => {
  const input = { mediaUrl: '', signingKeys, generationId, index: 2, extension: 'jpg' };

  test('are served to providers while their URL holds, under a name that tells nothing', async () => {
    await store.put(mediaKey('inputs', input), bytes, { contentType: 'image/jpeg', maxBytes: 1e6 });
    const { url } = signInputUrl({ ...input, mediaUrl, nowMs: start, validMs: 60_000 });
    takenDown = [generationId];
    const { status, headers, body } = await get(url);
    expect([status, body.length]).toEqual([200, 10_000]);
    expect(headers).toMatchObject({
      'content-disposition': 'inline; filename="input-3.jpg"',
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=60',
    });
    expect((await get(url.replace('/inputs/', '/outputs/'))).status).toBe(403);
    now = start + 60_000;
    expect((await get(url)).status).toBe(410);
  });
});

test('what is not media goes on to the rest of the gateway', async () => {
  for (const path of ['/', '/media', '/media/', '/media/other', '/mediaoutputs/x', '/outputs/x']) {
    const { body, headers } = await get(mediaUrl.replace('/media', path));
    expect(body.toString()).toBe('another part of the gateway');
    expect(headers['content-security-policy']).toBeUndefined();
  }
});

test('a file that breaks off while it is sent ends the connection, not the answer', async () => {
  const file = { bytes: 1000, contentType: 'video/mp4', etag: 'x' };
  async function* breaking() {
    yield Buffer.alloc(500, 'x');
    await clientHasHeaders;
    throw new Error('the disk is gone');
  }
  const { promise: clientHasHeaders, resolve: go } = Promise.withResolvers<undefined>();
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(
    mediaMiddleware({
      ...{ path: '/media', signingKeys, now: () => now, isTakenDown: async () => false },
      log: collectLog().log,
      store: {
        stat: async () => file,
        open: async () => ({ ...file, stream: Readable.from(breaking()) }),
      },
    }),
  );
  const own = app.listen(0, '127.0.0.1');
  await new Promise((done) => own.once('listening', done));
  const url = new URL(urlOf(0, 'mp4'));
  url.port = String((own.address() as AddressInfo).port);
  const answer = await new Promise<IncomingMessage>((answered, failed) => {
    httpRequest(url, { agent: false }, answered).on('error', failed).end();
  });
  expect(answer.statusCode).toBe(200);
  go(undefined);
  await expect(buffer(answer)).rejects.toThrow('aborted');
  own.closeAllConnections();
  await new Promise((done) => own.close(done));
});
