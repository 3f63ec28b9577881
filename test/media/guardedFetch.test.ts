import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { fileRequestHeaders } from '@framegate/limits';
import { failureOf, host, useMediaHost } from './mediaHost.ts';

const media = useMediaHost();

describe('the guarded client fetches', () => {
  test('a file over verified TLS, with a plain request', async () => {
    expect(
      (await media.fetchFrom({}, { url: `https://${host}:443/a/b.png?c=d'` })).toString(),
    ).toBe('hello');
    expect(media.requests).toHaveLength(1);
    const { method, url, headers } = media.requests[0] as IncomingMessage;
    expect([method, url]).toEqual(['GET', '/a/b.png?c=d%27']);
    expect(headers).toEqual({
      ...fileRequestHeaders,
      connection: 'close',
      host,
    });
  });

  test('a host in capitals by the same override, on a connection of its own each time', async () => {
    await media.fetchFrom({}, { url: `HTTPS://MEDIA.Example/x` });
    await media.fetchFrom();
    expect(media.requests).toHaveLength(2);
    expect(media.requests[0]?.socket).not.toBe(media.requests[1]?.socket);
  });

  test('a file whose host hangs up before it is read', async () => {
    const ended = Promise.withResolvers<unknown>();
    const file = Buffer.alloc(98_304);
    media.respond = (request, response) => {
      request.socket.once('close', ended.resolve);
      response.end(file);
    };
    const { signal } = new AbortController();
    const body = await media.clientWith()(`https://${host}/x`, { maxBytes: 100_000, signal });
    await ended.promise;
    // The end of the connection arrives here as well.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(await buffer(body)).toEqual(file);
  });

  test('exactly the maximum bytes, even in pieces', async () => {
    media.respond = (_, response) => {
      response.write(Buffer.alloc(60_000));
      response.end(Buffer.alloc(40_000));
    };
    expect(await media.fetchFrom()).toHaveLength(100_000);
  });
});

describe('the guarded client takes a file', () => {
  const text = Buffer.from('a file, packed or not');
  const film = Buffer.from('\0\0\0\x20ftypisom, and so on', 'latin1');
  const wholeRange = { 'content-range': `bytes 0-${text.length - 1}/${text.length}` };
  test.each<[string, Buffer, number, Record<string, string>, Buffer]>([
    ['gzip', gzipSync(text), 200, { 'content-encoding': 'gzip' }, text],
    ['gzip without a label', gzipSync(text), 200, {}, text],
    ['brotli', brotliCompressSync(text), 200, { 'content-encoding': 'br' }, text],
    ['zstandard', zstdCompressSync(text), 200, { 'content-encoding': 'zstd' }, text],
    ['raw deflate', deflateRawSync(text), 200, { 'content-encoding': 'deflate' }, text],
    ['two codings', gzipSync(gzipSync(text)), 200, { 'content-encoding': 'gzip, gzip' }, text],
    ['a label without its coding', text, 200, { 'content-encoding': 'gzip' }, text],
    ['the same for a film', film, 200, { 'content-encoding': 'br' }, film],
    ['an unknown coding', text, 200, { 'content-encoding': 'aws-chunked' }, text],
    ['a whole file as a part', text, 206, wholeRange, text],
    ['text/plain and status 203', film, 203, { 'content-type': 'text/plain' }, film],
  ])('by its bytes: %s', async (_, body, status, headers, expected) => {
    media.respond = (_request, response) => response.writeHead(status, headers).end(body);
    expect(await media.fetchFrom()).toEqual(expected);
  });

  test('but refuses a partial file', async () => {
    media.respond = (_, response) =>
      response.writeHead(206, { 'content-range': 'bytes 0-3/9' }).end('half');
    expect(await failureOf(media.fetchFrom())).toMatchObject({
      kind: 'unreachable',
      message: '4 of 9 bytes',
    });
  });

  test('but refuses one that unpacks beyond the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    media.respond = (_, response) => response.end(bomb);
    expect(await failureOf(media.fetchFrom())).toMatchObject({ kind: 'too_large' });
  });

  test('but refuses one that breaks while it is unpacked', async () => {
    media.respond = (_, response) => response.end(gzipSync(text).subarray(0, 20));
    expect(await failureOf(media.fetchFrom())).toMatchObject({ kind: 'unreachable' });
  });
});

describe('the guarded client takes no other response than a success', () => {
  test.each([204, 205, 301, 302, 303, 307, 308, 304, 400, 401, 404, 410, 429, 500, 503])(
    'status %i is unreachable, and is not followed',
    async (status) => {
      media.respond = (_, response) =>
        response.writeHead(status, { location: `https://${host}/other` }).end();
      const failure = await failureOf(media.fetchFrom());
      expect(failure).toMatchObject({ kind: 'unreachable', message: `status ${status}` });
      expect(media.requests).toHaveLength(1);
    },
  );

  test.each([
    ['no HTTP', 'SSH-2.0-x\r\n'],
    ['a closed connection', ''],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\na',
    ],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['too little for its length', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'],
    ['chunks cut short', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf'],
    [
      'chunks without their end',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ],
  ])('%s is unreachable', async (_, raw) => {
    media.respond = (request) => request.socket.end(raw);
    expect(await failureOf(media.fetchFrom())).toMatchObject({ kind: 'unreachable' });
  });
});

describe('the guarded client counts', () => {
  test('a declared length beyond the limit is refused before a byte of it is read', async () => {
    media.respond = (_, response) => {
      response.writeHead(200, { 'content-length': 100_001 });
      response.flushHeaders();
    };
    expect(await failureOf(media.fetchFrom())).toMatchObject({ kind: 'too_large' });
  });

  test('an endless body is cut at the limit, and its connection closed', async () => {
    const closed = new Promise<void>((done) => {
      media.respond = (_, response) => {
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384)));
        };
        response.on('drain', write).on('close', done);
        write();
      };
    });
    expect(await failureOf(media.fetchFrom())).toMatchObject({ kind: 'too_large' });
    await closed;
  });

  test('the time for missing headers', async () => {
    media.respond = () => undefined;
    const failure = await failureOf(media.fetchFrom({ patience: { headersMs: 50 } }));
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/HEADERS_TIMEOUT/);
  });

  test('the time for a stalled body', async () => {
    media.respond = (_, response) => response.write('a part');
    const failure = await failureOf(media.fetchFrom({ patience: { bodyMs: 50 } }));
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/BODY_TIMEOUT/);
  });

  test('the total time for an endlessly trickling body', async () => {
    media.respond = (_, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => {
        clearInterval(timer);
      });
    };
    const failure = await failureOf(media.fetchFrom({ patience: { totalMs: 200, bodyMs: 100 } }));
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/timeout/);
  });

  test('the time for an unanswered connection', async () => {
    const never = () => new Promise<string[]>(() => undefined);
    const failure = await failureOf(
      media.fetchFrom({
        hostOverrides: new Map(),
        resolveHost: never,
        patience: { connectMs: 50 },
      }),
    );
    expect(failure).toMatchObject({ kind: 'unreachable' });
  });

  test('an abort by its caller is not a failure of the host', async () => {
    const stop = new AbortController();
    media.respond = (_, response) => {
      response.write('a part');
      stop.abort(new Error('lease lost'));
    };
    await expect(media.fetchFrom({}, { signal: stop.signal })).rejects.toThrow('lease lost');
    await expect(media.fetchFrom({}, { signal: stop.signal })).rejects.toThrow('lease lost');
  });

  test('an unused stream closes its connection', async () => {
    const closed = new Promise<void>((done) => {
      media.respond = (_, response) => {
        response.on('close', done);
        response.write('a part');
      };
    });
    const { signal } = new AbortController();
    const stream = await media.clientWith()(`https://${host}/x`, { maxBytes: 10, signal });
    stream.destroy();
    await closed;
    expect(media.requests).toHaveLength(1);
  });
});
