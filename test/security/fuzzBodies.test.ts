import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { image, imageInput, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: a body that no client would send overloads the parser, the rules or the database, or smuggles a field
 * past one of them. Every response names the problem of its body.
 */

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  account = await gateway.addAccount({ credits: 1_000_000_000, limits: { waiting: 1_000_000 } });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const send = async (path: string, body: string | Uint8Array) => {
  const headers = {
    authorization: `Bearer ${account.apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  const response = await fetch(gateway.origin + path, { method: 'POST', headers, body: sent });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code };
};

const lawful = JSON.stringify(video());
/** A valid body with one additional field, written unchanged. */
const withField = (field: string) => `${lawful.slice(0, -1)},${field}}`;
const nested = (open: string, close: string, depth: number) =>
  `{"prompt":${open.repeat(depth)}1${close.repeat(depth)}}`;

describe('a body is 400', () => {
  const bodies: [string, string | Uint8Array, string][] = [
    ['nested 100,000 deep in arrays', nested('[', ']', 100_000), 'invalid_json'],
    ['nested 20,000 deep in objects', nested('{"a":', '}', 20_000), 'invalid_json'],
    ['nested 33 deep', nested('[', ']', 33), 'invalid_json'],
    ['with a key twice', withField('"prompt":"other"'), 'invalid_json'],
    ['with a key twice, once escaped', withField('"pr\\u006fmpt":"other"'), 'invalid_json'],
    ['with __proto__', withField('"__proto__":{"model":"alpha-2.5"}'), 'invalid_json'],
    ['with __proto__ further in', withField('"parameters":{"__proto__":null}'), 'invalid_json'],
    ['with constructor', withField('"constructor":{"prototype":{}}'), 'invalid_request'],
    ['with toString', withField('"toString":1'), 'invalid_request'],
    ['with a number beyond doubles', withField('"parameters":{"seed":1e400}'), 'invalid_request'],
    ['with 2^53 + 1', withField('"parameters":{"seed":9007199254740993}'), 'invalid_request'],
    ['with a number of 5,000 digits', withField(`"x":${'9'.repeat(5000)}`), 'invalid_request'],
    ['with a fraction', withField('"parameters":{"duration_seconds":5.5}'), 'invalid_request'],
    ['with minus zero', withField('"parameters":{"duration_seconds":-0}'), 'invalid_request'],
    ['with a number as text', withField('"parameters":{"seed":"7"}'), 'invalid_request'],
    ['with an operator of the database', withField('"$where":"sleep(1)"'), 'invalid_request'],
    [
      'with an operator for a value',
      lawful.replace('"alpha-2.0-mini"', '{"$ne":""}'),
      'invalid_request',
    ],
    ['with a dotted name', withField('"a.b":1'), 'invalid_request'],
    [
      'with 20,000 fields',
      `{${Array.from({ length: 20_000 }, (_, n) => `"${n}":1`).join()}}`,
      'invalid_request',
    ],
    ['in invalid UTF-8', new Uint8Array([123, 34, 0xc3, 0x28, 34, 58, 49, 125]), 'invalid_json'],
    ['in overlong UTF-8', new Uint8Array([123, 34, 0xc0, 0xaf, 34, 58, 49, 125]), 'invalid_json'],
    [
      'with a surrogate in UTF-8',
      new Uint8Array([123, 34, 0xed, 0xa0, 0x80, 34, 58, 49, 125]),
      'invalid_json',
    ],
    ['with a bare control character', '{"prompt":"a\nb"}', 'invalid_json'],
    ['with a trailing comma', '{"prompt":"a",}', 'invalid_json'],
    ['in single quotes', "{'prompt':'a'}", 'invalid_json'],
    ['with Infinity', '{"prompt":Infinity}', 'invalid_json'],
    ['that is an array of bodies', `[${lawful}]`, 'invalid_json'],
  ];
  test.each(bodies)('%s', async (_name, body, code) => {
    expect(await send('/v1/videos', body)).toEqual({ status: 400, code });
  });
});

const known = [200, 202, 400, 402, 403, 404, 413, 422];

describe('never a 5xx', () => {
  test('for bytes of any kind', async () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        expect((await send('/v1/images', body)).status).toBe(400);
      }),
      { numRuns: 100 },
    );
  });

  test('for a valid body with any part replaced by any JSON', async () => {
    const strange = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom('', '\u0000', '\ud800', '＄', '__proto__', 'a'.repeat(6000), 1e308, -1, [[]]),
    );
    const parts = ['model', 'mode', 'prompt', 'inputs', 'parameters', 'compliance', 'seed'];
    const inner = ['type', 'url', 'role', 'duration_seconds', 'aspect_ratio', 'n', 'seed'];
    const place = fc.tuple(fc.constantFrom(...parts), fc.option(fc.constantFrom(...inner)));
    await fc.assert(
      fc.asyncProperty(fc.boolean(), place, strange, async (isVideo, [part, within], value) => {
        const base = isVideo ? video({ inputs: [imageInput()] }) : image();
        const held = within === null ? value : { [within]: value };
        const body = { ...base, [part]: part === 'inputs' && within !== null ? [held] : held };
        const path = isVideo ? '/v1/videos' : '/v1/images';
        const { status } = await send(path, JSON.stringify(body));
        expect(known).toContain(status);
      }),
      { numRuns: 200 },
    );
  });

  test('for ids and keys of any kind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        const id = encodeURIComponent(text.toWellFormed()) || '%00';
        const read = await account.get(`/v1/generations/${id}`);
        expect([404, 400]).toContain(read.status);
        const key = text.replace(/[^\x20-\x7e]/g, '');
        const made = await account.post('/v1/videos', video(), { 'idempotency-key': key });
        expect([202, 400, 422]).toContain(made.status);
      }),
      { numRuns: 60 },
    );
  });
});
