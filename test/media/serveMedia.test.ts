import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import { createSlots } from '@framegate/limits';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import {
  mediaKey,
  signInputUrl,
  signOutputUrl,
} from '../../gateway/src/domain/generations/mediaUrl.ts';
import type { RequestState } from '../../gateway/src/http/context.ts';
import { mediaMiddleware } from '../../gateway/src/http/media/mediaMiddleware.ts';
import { createPieces } from '../../gateway/src/http/media/sendLocalFile.ts';
import { collectLog } from '../support/mongod.ts';
import {
  bytes,
  generationId,
  get,
  guards,
  signingKeys,
  start,
  useMediaServer,
} from './mediaServer.ts';

const media = useMediaServer();

describe('an output', () => {
  test('is served whole, with all headers that a browser needs', async () => {
    const { status, headers, body } = await get(await media.put(0, 'mp4', 'video/mp4'));
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

  test('HEAD has the same headers without the file', async () => {
    const url = await media.put(0, 'mp4', 'video/mp4');
    const whole = await get(url);
    const { status, headers, body } = await get(url, { range: 'bytes=0-1' }, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    expect({ ...headers, date: '' }).toEqual({ ...whole.headers, date: '' });
  });

  test('an empty file, and one of a type that browsers must not show', async () => {
    const empty = await get(await media.put(1, 'png', 'image/png', Buffer.alloc(0)));
    expect([empty.status, empty.headers['content-length']]).toEqual([200, '0']);
    const { headers } = await get(await media.put(2, 'html', 'text/html'));
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="framegate-${generationId}-3.html"`,
    });
  });

  test('the second listed key still opens it', async () => {
    await media.put(0, 'mp4', 'video/mp4');
    const { url } = signOutputUrl({
      mediaUrl: media.mediaUrl,
      signingKeys: signingKeys.slice(1),
      generationId,
      index: 0,
      extension: 'mp4',
      nowMs: start,
      removedAt: start + hourMs,
    });
    expect((await get(url)).status).toBe(200);
  });

  test('is cached by browsers no longer than its URL is valid', async () => {
    const url = await media.put(0, 'mp4', 'video/mp4');
    media.nowMs = start + dayMs - 90_500;
    expect((await get(url)).headers['cache-control']).toBe('private, max-age=90');
  });
});

describe('no file for', () => {
  const refused = async (url: string, status: number, text: RegExp, method = 'GET') => {
    const response = await get(url, {}, method);
    expect([response.status, response.body.toString()]).toEqual([
      status,
      expect.stringMatching(text),
    ]);
    expect(response.headers).toMatchObject({
      ...guards,
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(response.headers.etag).toBeUndefined();
    return response;
  };

  test('a URL that is not signed, or signed for another file', async () => {
    const url = await media.put(0, 'mp4', 'video/mp4');
    await media.put(1, 'mp4', 'video/mp4');
    await refused(url.replace('/0.mp4', '/1.mp4'), 403, /invalid/);
    await refused(url.replace(/\?.*/, ''), 403, /invalid/);
    await refused(url.replace(/expires=\d/, 'expires=9'), 403, /invalid/);
    await refused(`${media.mediaUrl}/outputs/..%2f..%2fetc/passwd`, 403, /invalid/);
    await refused(`${media.mediaUrl}/outputs/`, 403, /invalid/);
  });

  test('an expired URL', async () => {
    const url = await media.put(0, 'mp4', 'video/mp4');
    media.nowMs = start + dayMs;
    await refused(url, 410, /expired/);
  });

  test('a generation that was taken down, and a file that is deleted', async () => {
    const url = await media.put(0, 'mp4', 'video/mp4');
    media.takenDown = [generationId];
    await refused(url, 410, /deleted/);
    media.takenDown = [];
    await media.store.delete(mediaKey('outputs', { generationId, index: 0, extension: 'mp4' }));
    await refused(url, 410, /deleted/);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s', async (method) => {
    const { headers } = await refused(await media.put(0, 'mp4', 'video/mp4'), 405, /GET/, method);
    expect(headers.allow).toBe('GET, HEAD');
  });
});

describe('inputs', () => {
  const input = { mediaUrl: '', signingKeys, generationId, index: 2, extension: 'jpg' };

  test('are served to providers while their URL is valid, under a name that reveals nothing', async () => {
    await media.store.put(mediaKey('inputs', input), bytes, {
      contentType: 'image/jpeg',
      maxBytes: 1e6,
    });
    const { url } = signInputUrl({
      ...input,
      mediaUrl: media.mediaUrl,
      nowMs: start,
      validMs: minuteMs,
    });
    media.takenDown = [generationId];
    const { status, headers, body } = await get(url);
    expect([status, body.length]).toEqual([200, 10_000]);
    expect(headers).toMatchObject({
      'content-disposition': 'inline; filename="input-3.jpg"',
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=60',
    });
    expect((await get(url.replace('/inputs/', '/outputs/'))).status).toBe(403);
    media.nowMs = start + minuteMs;
    expect((await get(url)).status).toBe(410);
  });
});

test('other paths are passed on to the rest of the gateway', async () => {
  for (const path of ['/', '/media', '/media/', '/media/other', '/mediaoutputs/x', '/outputs/x']) {
    const { body, headers } = await get(media.mediaUrl.replace('/media', path));
    expect(body.toString()).toBe('another part of the gateway');
    expect(headers['content-security-policy']).toBeUndefined();
  }
});

test('a file that breaks off while it is sent ends the connection, not the response', async () => {
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
      slots: createSlots(workKinds),
      fileStem: 'framegate',
      path: '/media',
      delivery: { by: 'proxy' },
      pieces: createPieces(),
      signingKeys,
      now: () => start,
      isTakenDown: async () => false,
      log: collectLog().log,
      store: {
        stat: async () => file,
        open: async () => ({ ...file, stream: Readable.from(breaking()) }),
      },
    }),
  );
  const own = app.listen(0, '127.0.0.1');
  await once(own, 'listening');
  const url = new URL(media.urlOf(0, 'mp4'));
  url.port = String((own.address() as AddressInfo).port);
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    httpRequest(url, { agent: false }, answered).on('error', failed).end();
  });
  expect(response.statusCode).toBe(200);
  go(undefined);
  await expect(buffer(response)).rejects.toThrow('aborted');
  own.closeAllConnections();
  await new Promise((done) => own.close(done));
});
