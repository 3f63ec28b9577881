import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, readRefusal } from './expectRefusal.ts';
import { caller, goodKey, startTestServer, type TestServer } from './startTestServer.ts';

type Body = string | Uint8Array<ArrayBuffer>;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
afterEach(() => {
  server.commands.length = 0;
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
});

function create(init: { headers?: Record<string, string>; body?: Body; path?: string }) {
  return fetch(`${server.url}${init.path ?? '/v1/videos'}`, {
    method: 'POST',
    headers: { authorization: goodKey, 'content-type': 'application/json', ...init.headers },
    ...(init.body !== undefined && { body: init.body }),
  });
}

async function refusalOf(init: Parameters<typeof create>[0]) {
  return readRefusal(await create(init));
}

describe('a create that is accepted', () => {
  test('202: the response is sent byte for byte, with its headers', async () => {
    const response = await create({ body: '{}' });
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('{"id":"gen_1"}');
    expect(response.headers.get('location')).toBe('https://api.test/v1/generations/gen_1');
    expect(response.headers.get('retry-after')).toBe('20');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.has('idempotent-replayed')).toBe(false);
  });

  test('the use case learns the caller, the request and the address', async () => {
    const response = await create({
      headers: { 'idempotency-key': '"order 1"', 'x-request-id': 'mine' },
      body: '{ "prompt": "a fox", "n": 1 }',
      path: '/v1/images',
    });
    expect(server.commands).toEqual([
      {
        caller,
        path: '/v1/images',
        idempotencyKey: '"order 1"',
        body: { prompt: 'a fox', n: 1 },
        requestId: response.headers.get('x-request-id'),
        callerAddress: '127.0.0.1',
      },
    ]);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('a missing Idempotency-Key is left to the use case', async () => {
    await create({ body: '{}' });
    expect(server.commands[0]).toHaveProperty('idempotencyKey', undefined);
  });

  test.each([
    ['gzip', gzipSync('{"a":1}')],
    ['GZIP', gzipSync('{"a":1}')],
    ['deflate', deflateSync('{"a":1}')],
    ['br', brotliCompressSync('{"a":1}')],
  ])('a body in %s is read', async (coding, body) => {
    const response = await create({ headers: { 'content-encoding': coding }, body });
    expect(response.status).toBe(202);
    expect(server.commands[0]?.body).toEqual({ a: 1 });
  });

  test.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
  ])('%s is JSON in UTF-8', async (type) => {
    const body = JSON.stringify({ prompt: 'Füchsin 狐 🦊' });
    const response = await create({ headers: { 'content-type': type }, body });
    expect(response.status).toBe(202);
    expect(server.commands[0]?.body).toEqual({ prompt: 'Füchsin 狐 🦊' });
  });

  test('the same name in several objects, or text that looks like a name, is no duplicate', async () => {
    const body = { a: { b: '"a": 1, "a" :' }, b: [{ a: '\\": ' }, { a: '{"a":1}' }] };
    await create({ body: JSON.stringify(body, null, 2) });
    expect(server.commands[0]?.body).toEqual(body);
  });

  test('a body of exactly 256 KiB is accepted', async () => {
    const body = JSON.stringify({ a: 'a'.repeat(256 * 1024 - 8) });
    expect(body).toHaveLength(256 * 1024);
    expect((await create({ body })).status).toBe(202);
  });
});

describe('a replay', () => {
  test('is marked', async () => {
    const replaying = await startTestServer({
      useCases: { createGeneration: async () => ({ body: '{}', headers: {}, wasReplayed: true }) },
    });
    const response = await fetch(`${replaying.url}/v1/videos`, {
      method: 'POST',
      headers: { authorization: goodKey, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    await replaying.stop();
  });
});

describe('a body that cannot be read', () => {
  const invalid: [string, Body][] = [
    ['nothing', ''],
    ['spaces', '  '],
    ['half an object', '{"a":'],
    ['two objects', '{}{}'],
    ['an array', '[]'],
    ['a string', '"a"'],
    ['a number', '7'],
    ['null', 'null'],
    ['a comment', '{} // none'],
    ['NaN', '{"a":NaN}'],
    ['__proto__', '{"__proto__":{"a":1}}'],
    ['__proto__, escaped and within', '{"a":[{"\\u005f_proto__":{}}]}'],
    ['a name given twice', '{"model":"a","model":"b"}'],
    ['a name given twice, once escaped and within', '{"a":[{"b":1, "\\u0062" :1}]}'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-8 cut short', new Uint8Array([0x7b, 0x22, 0xc3])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['lists within lists', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['objects within objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ];
  test.each(invalid)('400 invalid_json: %s', async (_name, body) => {
    expectRefusal(await refusalOf({ body }), 'invalid_json');
    expect(server.commands).toEqual([]);
  });

  test.each([
    ['gzip', Buffer.from('not gzip')],
    ['gzip', gzipSync('{"a":1}').subarray(0, 15)],
    ['deflate', Buffer.from('not deflate')],
    ['br', Buffer.from('not brotli')],
  ])('400 invalid_json: corrupt %s', async (coding, body) => {
    expectRefusal(
      await refusalOf({ headers: { 'content-encoding': coding }, body }),
      'invalid_json',
    );
  });

  test.each([
    ['declared', 'a'.repeat(300_000), undefined],
    ['compressed', gzipSync(`{"a":"${'a'.repeat(5_000_000)}"}`), 'gzip'],
  ])('413 body_too_large: %s', async (_name, body, coding) => {
    const headers = coding === undefined ? {} : { 'content-encoding': coding };
    expectRefusal(await refusalOf({ headers, body }), 'body_too_large');
  });

  test.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json;;',
    'application/json; charset=utf-16',
    'application/vnd.api+json',
    'application/jsonp',
  ])('415 unsupported_media_type: Content-Type "%s"', async (type) => {
    // Bytes, so that fetch adds no type of its own.
    const body = Buffer.from('{}');
    const headers = { 'content-type': type };
    expectRefusal(await refusalOf({ headers, body }), 'unsupported_media_type');
  });

  test('415 unsupported_media_type: an unknown coding', async () => {
    const headers = { 'content-encoding': 'zstd' };
    expectRefusal(await refusalOf({ headers, body: '{}' }), 'unsupported_media_type');
  });

  test('401 comes before all of these', async () => {
    const headers = { authorization: 'Bearer other', 'content-type': 'text/plain' };
    expectRefusal(await refusalOf({ headers, body: '{' }), 'invalid_api_key');
  });
});
