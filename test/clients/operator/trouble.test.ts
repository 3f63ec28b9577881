import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import {
  FramegateOperator,
  NotFoundError,
  OperatorError,
  type OperatorOptions,
  RateLimitError,
  responseOf,
  UsageError,
} from '../../../integrations/operator/src/index.ts';
import { hurriedPlatform } from '../typescript/hurriedPlatform.ts';

/* The client's reactions to responses that are lost, late, refused or not from the API. */

const baseUrl = 'http://127.0.0.1:8081/operator/v1';
const operatorKey = `fg_operator_${'a'.repeat(38)}`;
const account = { object: 'account', id: 'acct_1' };

type Reply = Response | Error;
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const refusal = (code: string, type: string, status: number, isRetryable = false) =>
  json(
    {
      error: {
        code,
        type,
        message: 'No.',
        param: null,
        request_id: 'req_1',
        retryable: isRetryable,
        details: [],
      },
    },
    status,
  );

/** A client whose requests get these replies one after the other. */
function scripted(replies: Reply[], options: OperatorOptions = {}) {
  const keys: (string | null)[] = [];
  const bodies: unknown[] = [];
  const platform = hurriedPlatform();
  const operator = new FramegateOperator({
    baseUrl,
    operatorKey,
    platform,
    async fetch(_url, init) {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      bodies.push(init?.body);
      const reply = replies.shift() ?? new Error('there are no more replies');
      if (reply instanceof Error) throw reply;
      return reply;
    },
    ...options,
  });
  return { operator, keys, bodies, waits: platform.waits };
}

async function failureOf(call: Promise<unknown>): Promise<OperatorError> {
  const error: unknown = await call.then(
    () => 'it has not failed',
    (thrown: unknown) => thrown,
  );
  if (error instanceof OperatorError) return error;
  throw error;
}

describe('a write', () => {
  test('is the same request until it is answered', async () => {
    const body = { email: 'ada@example.com' };
    const { operator, keys, bodies, waits } = scripted([
      new TypeError('reset'),
      refusal('service_unavailable', 'api_error', 503, true),
      new Response('<html>', { status: 502 }),
      json(account, 201),
    ]);
    expect(await operator.createAccount(body)).toEqual(account);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(bodies)).toEqual(new Set([JSON.stringify(body)]));
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  test('that may have succeeded is reported as such, with its key', async () => {
    const { operator } = scripted([new TypeError('reset')], { retryBudgetMs: 0 });
    const error = await failureOf(
      operator.grantCredits('acct_1', { amount: 1, kind: 'purchased' }, { idempotencyKey: 'mine' }),
    );
    expect(error).toMatchObject({ code: 'no_response', mayBeDone: true, idempotencyKey: 'mine' });
    expect(error.message).toContain("idempotencyKey 'mine'");
  });

  test('that is refused has no effect, even after an unanswered try', async () => {
    const { operator } = scripted([
      new TypeError('reset'),
      refusal('account_not_found', 'not_found_error', 404),
    ]);
    const error = await failureOf(operator.suspendAccount('acct_2'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'account_not_found', mayBeDone: false });
  });

  test('that is refused before its key is looked up leaves the outcome of an earlier attempt open', async () => {
    const { operator } = scripted([
      new TypeError('reset'),
      refusal('invalid_api_key', 'authentication_error', 401),
    ]);
    const error = await failureOf(operator.suspendAccount('acct_2'));
    expect(error).toMatchObject({ code: 'invalid_api_key', mayBeDone: true });
  });

  test('is not sent under a key that no header can hold', async () => {
    const { operator, keys } = scripted([]);
    const error = await failureOf(operator.suspendAccount('a', {}, { idempotencyKey: 'a b' }));
    expect(error).toBeInstanceOf(UsageError);
    expect(keys).toEqual([]);
  });
});

test('all calls together wait out a limit as the gateway asks', async () => {
  const limited = () => {
    const response = refusal('rate_limited', 'rate_limit_error', 429, true);
    response.headers.set('retry-after', '7');
    return response;
  };
  const { operator, waits } = scripted([limited(), json(account), json(account)]);
  await operator.getAccount('acct_1');
  await operator.getAccount('acct_1');
  expect(waits[0]).toBe(7_000);
  const { operator: hurried } = scripted([limited()], { retryBudgetMs: 1_000 });
  expect(await failureOf(hurried.getAccount('acct_1'))).toBeInstanceOf(RateLimitError);
});

test.each([
  ['a page', new Response('<html>', { status: 200 })],
  ['another object', json({ object: 'generation' })],
  ['a redirect', new Response(null, { status: 302, headers: { location: 'https://x.example' } })],
])('%s in place of the response is not accepted', async (_name, reply) => {
  const { operator } = scripted([reply]);
  expect(await failureOf(operator.getAccount('acct_1'))).toMatchObject({
    code: 'unexpected_response',
    retryable: false,
  });
});

test('a result has its response, and a logger never sees the key', async () => {
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  const { operator } = scripted(
    [
      new TypeError('reset'),
      json(account, 200, { 'x-request-id': 'req_7', 'idempotent-replayed': 'true' }),
    ],
    { logger: { debug: note, info: note, warn: note, error: note }, logLevel: 'debug' },
  );
  const result = await operator.resumeAccount('acct_1');
  expect(responseOf(result)).toMatchObject({ requestId: 'req_7', status: 200 });
  expect(responseOf(result)?.headers.get('idempotent-replayed')).toBe('true');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join('\n')).not.toContain(operatorKey);
});

test.each<[OperatorOptions, string]>([
  [{ baseUrl: 'http://shop.example/operator/v1' }, 'https://'],
  [{ baseUrl: 'https://shop.example/v1' }, '/operator/v1'],
  [{ baseUrl: '' }, 'FRAMEGATE_OPERATOR_URL'],
  [{ operatorKey: 'fg_live_x' }, 'operator-key create'],
  [{ operatorKey: '' }, 'FRAMEGATE_OPERATOR_KEY'],
  [{ retryBudgetMs: NaN }, 'retryBudgetMs'],
  [{ headers: { 'a b': 'c' } }, 'headers'],
])('unusable options are refused: %j', (options, part) => {
  const make = () => new FramegateOperator({ baseUrl, operatorKey, ...options });
  expect(make).toThrow(UsageError);
  expect(make).toThrow(part);
});

describe('a follower', () => {
  const page = (ids: string[], next: string, hasMore = false) =>
    json({ object: 'list', data: ids.map((id) => ({ id })), has_more: hasMore, next });

  test('yields non-empty pages with their cursors, and ends where its caller asked', async () => {
    const { operator } = scripted([page(['a', 'b'], '2', true), page(['c'], '3'), page([], '3')]);
    const seen: [string[], string][] = [];
    for await (const { data, next } of operator.followEvents({ after: '0' }, { stopAtEnd: true })) {
      seen.push([data.map(({ id }) => id), next]);
    }
    expect(seen).toEqual([
      [['a', 'b'], '2'],
      [['c'], '3'],
    ]);
  });

  test('waits for more until its signal is aborted, and pauses after an empty page', async () => {
    const stop = new AbortController();
    const { operator, waits } = scripted([page([], '1'), page(['a'], '2'), page([], '2')]);
    const seen: string[] = [];
    for await (const { data } of operator.followLedger({}, { signal: stop.signal })) {
      seen.push(...data.map(({ id }) => id));
      stop.abort();
    }
    expect(seen).toEqual(['a']);
    expect(waits).toEqual([10_000]);
  });
});

test('requests name client and version', async () => {
  const manifest = new URL('../../../integrations/operator/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  let agent = '';
  const operator = new FramegateOperator({
    baseUrl,
    operatorKey,
    async fetch(_url, init) {
      agent = new Headers(init?.headers).get('user-agent') ?? '';
      return json(account);
    },
  });
  await operator.getAccount('acct_1');
  expect(agent).toContain(`framegate-operator/${version} `);
});
