import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { ErrorBody } from '@framegate/contract';
import type { RequestState } from '../../gateway/src/http/context.ts';
import { parseForm } from '../../gateway/src/http/pages/form.ts';
import { respondToErrors } from '../../gateway/src/http/respondToErrors.ts';
import { type RunningServer, startServer } from '../../gateway/src/http/server.ts';
import { askTwice } from './askTwice.ts';
import { formBodies, postOf } from './bodies.ts';

const unreadableForm = "400 We couldn't read this form. Reload the page and try again.";
const otherType = '415 Send the body as JSON with the header "Content-Type: application/json".';
const tooLong = '413 You entered too much text. Shorten it and try again.';
const one = '[["a","1"]]';
const first200 = JSON.stringify(
  Array.from({ length: 200 }, (_, index) => [index.toString(36), '']),
);

/** Outcome of each form: its fields, or its refusal. */
const formResponses: Readonly<Record<string, string>> = {
  plain: one,
  'no type': otherType,
  'text/plain': otherType,
  'JSON as a form': otherType,
  files: otherType,
  latin1: '[["a","\ufffd"]]',
  'unknown charset': one,
  'half a parameter': one,
  empty: '[]',
  'empty chunks': '[]',
  'a name twice': '[["a","1"],["a","2"]]',
  'nested names': '[["a[b]","1"],["a[c]","2"],["a.d","3"],["a[]","4"]]',
  'names of prototypes':
    '[["__proto__","1"],["__proto__[a]","1"],["constructor[prototype][a]","1"]]',
  'numbers as names': '[["b","1"],["2","1"],["1","1"]]',
  'broken escapes': '[["a","%"],["b","%zz"],["c","\ufffd"],["d","é"],["e","1 1"]]',
  'invalid UTF-8': '[["a","\ufffd\ufffd"],["\ufffd","1"]]',
  'a BOM': '[["\ufeffa","1"]]',
  'no names': '[["",""],["","1"],["a",""]]',
  lines: '[["a","1\\n2\\n3"]]',
  '201 names': first200,
  '26,000 names': first200,
  'the largest': `[["a","${'a'.repeat(128 * 1024 - 2)}"]]`,
  'over the limit': tooLong,
  'over, chunked': tooLong,
  chunked: one,
  Expect: one,
  identity: one,
  Identity: one,
  gzip: one,
  GZip: one,
  'gzip, chunked': one,
  deflate: one,
  'deflate without a head': unreadableForm,
  brotli: one,
  zstd: unreadableForm,
  'x-gzip': unreadableForm,
  'gzip twice': unreadableForm,
  'a coding without a name': unreadableForm,
  'no gzip': unreadableForm,
  'broken gzip': unreadableForm,
  'half of a gzip': unreadableForm,
  'more behind a gzip': unreadableForm,
  'an empty gzip': unreadableForm,
  'no brotli': unreadableForm,
  'half of a brotli': unreadableForm,
  'a gzip bomb': tooLong,
};

describe('a form', () => {
  let forms: RunningServer;
  beforeAll(async () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const app = new Koa<RequestState>();
    app.use(async (ctx, next) => {
      ctx.state.requestId = 'req_1';
      await next();
    });
    app.use(respondToErrors({ log, isDatabaseTrouble: () => false }));
    app.use(async (ctx) => {
      ctx.body = ctx.path === '/healthz' ? '' : JSON.stringify((await parseForm(ctx)).entries());
      ctx.status = 200;
    });
    const random = { newId: () => 'req_1' };
    const times = { lingerMs: 0 };
    forms = await startServer({ app, host: '127.0.0.1', port: 0, log, random, times });
  });
  afterAll(() => forms.stop({ pauseMs: 0, graceMs: 1_000 }));

  test.each(formBodies.map((body) => [body.what, body] as const))('%s', async (what, body) => {
    const response = await askTwice(Number(new URL(forms.url).port), postOf('/form', '', body));
    const said =
      response.status === 200
        ? response.body
        : `${response.status} ${(JSON.parse(response.body) as ErrorBody).error.message}`;
    expect(said).toBe(formResponses[what]);
    expect(response.isKept).toBe(true);
  });
});

test('the table names every body once', () => {
  expect(Object.keys(formResponses).sort()).toEqual(formBodies.map(({ what }) => what).sort());
});
