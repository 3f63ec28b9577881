import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ErrorBody } from '@framegate/contract';
import { askTwice } from './askTwice.ts';
import { jsonBodies, manyNames, postOf } from './bodies.ts';
import { caller, goodKey, startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
beforeAll(async () => {
  const limits = { ...caller.limits, createsPerMinute: 1_000_000 };
  server = await startTestServer({
    useCases: { authenticate: async () => ({ ...caller, limits }) },
  });
});
afterAll(() => server.stop());

const head = `Authorization: ${goodKey}\r\n`;

/** Responses, each with the bodies that get it. Every body of the table appears here once. */
const jsonResponses: Readonly<Record<string, readonly string[]>> = {
  '202': [
    'plain',
    'UTF-8 by name',
    'quoted utf8',
    'constructor',
    'a replacement character',
    'a BOM',
    '32 levels',
    'the largest',
    'the largest, chunked',
    'chunked',
    'Expect',
    'identity',
    'Identity',
    'gzip',
    'GZip',
    'gzip, chunked',
    'deflate',
    'brotli',
  ],
  '400 invalid_json: The body is not valid JSON. Send one JSON object in UTF-8.': [
    'empty',
    'empty chunks',
    'white space',
    'an array',
    'a number',
    'a text',
    'null',
    'half an object',
    'two objects',
    'invalid UTF-8',
    'half a letter',
    'a surrogate in UTF-8',
    'invalid UTF-8 in gzip',
    'two BOMs',
    'UTF-16',
    'a NUL',
  ],
  '400 invalid_json: A name appears twice in one JSON object.': [
    'a name twice',
    'a name twice, escaped',
    'a name twice below',
  ],
  '400 invalid_json: The body must not contain the name __proto__.': [
    '__proto__',
    '__proto__ below, escaped',
  ],
  '400 invalid_json: The body is nested deeper than 32 levels.': ['33 levels', '100,000 levels'],
  '400 invalid_json: The body could not be read completely. Check its Content-Encoding and Content-Length.':
    [
      'deflate without a head',
      'no gzip',
      'broken gzip',
      'half of a gzip',
      'more behind a gzip',
      'an empty gzip',
      'no brotli',
      'half of a brotli',
    ],
  '400 invalid_request: The body has more than 2,000 names and values.': [
    '26,000 names',
    '26,000 names in gzip',
  ],
  '413 body_too_large: The body is larger than 256 KiB. Pass media as URLs in inputs, not in the body.':
    ['over the limit', 'over, chunked', 'far over', 'Expect, too large', 'a gzip bomb'],
  '415 unsupported_media_type: Send the body as JSON with the header "Content-Type: application/json".':
    [
      'no type',
      'text/plain',
      'vendor JSON',
      'JSON patch',
      'a form as JSON',
      'half a quote',
      'a semicolon',
      'latin1',
      'unknown charset',
      'a profile',
    ],
  '415 unsupported_media_type: Content-Encoding must be gzip, deflate, br or absent.': [
    'zstd',
    'x-gzip',
    'gzip twice',
    'a coding without a name',
  ],
};

const refusalHeaders =
  'cache-control connection content-length content-security-policy content-type date keep-alive x-content-type-options x-request-id';
const acceptedHeaders = `${refusalHeaders} location retry-after`;

describe('a JSON body', () => {
  test.each(jsonBodies.map((body) => [body.what, body] as const))('%s', async (what, body) => {
    const handedOn = server.commands.length;
    const response = await askTwice(server.port, postOf('/v1/videos', head, body));
    const isAccepted = response.status === 202;
    const expected = isAccepted ? acceptedHeaders : refusalHeaders;
    expect(Object.keys(response.headers).sort()).toEqual(expected.split(' ').sort());
    expect(server.commands.length - handedOn).toBe(isAccepted ? 1 : 0);
    let said = String(response.status);
    if (!isAccepted) {
      const { error } = JSON.parse(response.body) as ErrorBody;
      expect(error.param).toBeNull();
      said += ` ${error.code}: ${error.message}`;
    }
    expect(jsonResponses[said]).toContain(what);
    expect(response.isKept).toBe(true);
  });

  test('is passed on unchanged', async () => {
    const bytes = Buffer.from(
      `\ufeff{"a":"é\ufffd${'🎬'.repeat(20_000)}","constructor":{"b":[1.5]}}`,
    );
    const body = { what: '', type: 'application/json', isChunked: true, bytes } as const;
    await askTwice(server.port, postOf('/v1/videos', head, body));
    const expected: unknown = JSON.parse(bytes.toString().slice(1));
    expect(server.commands.at(-1)?.body).toEqual(expected);
  });

  test('with too many names is never parsed', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      const body = { what: '', type: 'application/json', bytes: Buffer.from(manyNames) };
      expect((await askTwice(server.port, postOf('/v1/videos', head, body))).status).toBe(400);
      expect(parse.mock.calls.filter(([text]) => text.length > 1_000)).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });

  const whole = Buffer.from('{"model":"alpha-2.0-fast"}');
  test.each([
    ['identity', whole],
    ['gzip', gzipSync(whole)],
    ['br', brotliCompressSync(whole)],
  ])('whose client leaves halfway is dropped: %s', async (coding, bytes) => {
    const { promise: logged, resolve } = Promise.withResolvers<string>();
    const { log } = server;
    log.push = (...lines) => {
      const gone = lines.find(({ message }) => message === 'client disconnected');
      if (gone) resolve(gone.level);
      return Array.prototype.push.apply(log, lines);
    };
    const handedOn = server.commands.length;
    const post = `POST /v1/videos HTTP/1.1\r\nHost: x\r\n${head}Content-Type: application/json\r\n`;
    const length = `Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const socket = connect(server.port, '127.0.0.1');
    socket.end(Buffer.concat([Buffer.from(post + length), bytes.subarray(0, bytes.length / 2)]));
    expect(await logged).toBe('debug');
    expect(server.commands.length).toBe(handedOn);
  });

  test('leaves nothing in the prototypes, and no error in the log', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    expect(server.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });
});

test('the table names every body once', () => {
  expect(Object.values(jsonResponses).flat().sort()).toEqual(
    jsonBodies.map(({ what }) => what).sort(),
  );
});
