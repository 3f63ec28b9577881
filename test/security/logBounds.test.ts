import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createMetrics } from '../../gateway/src/adapters/metrics/metrics.ts';
import { createLog } from '../../gateway/src/adapters/system/log.ts';
import { rawRequest } from '../http/rawRequest.ts';
import { goodKey, startTestServer, type TestServer } from '../http/startTestServer.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/*
 * The attack: a request, a provider's response or an error whose records cost more than itself: long log lines, or ever
 * new metric series.
 */

/** The longest line of the log, in bytes. */
const maxLineBytes = 64 * 1024;

describe('a line of the log', () => {
  const folder = temporaryFolder();
  let files = 0;
  /** The log after one line. */
  function written(fields: object, message = 'something happened'): string {
    const file = join(folder(), `log-${(files += 1)}`);
    createLog('info', openSync(file, 'a')).error(fields, message);
    return readFileSync(file, 'utf8');
  }
  const long = 'a word '.repeat(1_000_000);
  const nested = (depth: number): object => (depth === 0 ? {} : { more: nested(depth - 1) });
  const manyNames = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`name${index}`, index]),
  );

  test.each<[string, object]>([
    ['an error with a long message', { error: new Error(long) }],
    ['a chain of them', { error: new Error(long, { cause: new Error(long, { cause: long }) }) }],
    ['an error that is a text', { error: long }],
    ['a long code', { error: Object.assign(new Error('x'), { code: long, name: long }) }],
    ['a long field', { operation: long }],
    ['a long text within a field', { operation: { taskId: { id: long } } }],
    ['a long list', { problems: Array.from({ length: 100_000 }, () => 'a problem') }],
    ['many names', { operation: manyNames }],
    ['many levels', { operation: nested(5_000) }],
    ['lists of lists', { data: Array.from({ length: 90 }, () => Array(90).fill(long)) }],
  ])('is bounded, and one line of JSON: %s', (_, fields) => {
    const line = written(fields);
    expect(Buffer.byteLength(line)).toBeLessThan(maxLineBytes);
    expect(line.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({ msg: 'something happened' });
  });

  test('is bounded if its sentence is long', () => {
    const line = written({}, long);
    expect(Buffer.byteLength(line)).toBeLessThan(maxLineBytes);
    expect(JSON.parse(line)).toMatchObject({ msg: expect.stringMatching(/^a word a word/) });
  });

  test('stays unchanged if it is short', () => {
    const operation = { taskId: 'cgt-1', parts: [1, 'two', null, true, { three: 3.5 }] };
    const at = new Date(0);
    expect(JSON.parse(written({ operation, at, count: 1 }))).toMatchObject({
      operation,
      at: at.toISOString(),
      count: 1,
    });
  });
});

describe('a request', () => {
  let server: TestServer;
  afterEach(() => server.stop());

  test('adds one short line to the log, and no series to the metrics, whatever it contains', async () => {
    const metrics = createMetrics();
    const recordRequest = ({
      method,
      route,
      status,
    }: Record<'method' | 'route', string> & { status: number }) => {
      metrics.httpRequests.inc({ method, route, status: String(status) });
    };
    server = await startTestServer({ app: { recordRequest } });
    const noise = (length: number, seed: number) => String(seed).padEnd(length, 'x');
    const ask = (seed: number) =>
      rawRequest(
        server.port,
        [
          `GET /v1/generations/${noise(3_000, seed)}?q=${noise(3_000, seed)} HTTP/1.1`,
          `Host: ${noise(200, seed)}`,
          `Authorization: ${goodKey}`,
          `User-Agent: ${noise(3_000, seed)}`,
          `Traceparent: 00-${noise(3_000, seed)}`,
          `X-Request-Id: ${noise(1_000, seed)}`,
          `Referer: https://${noise(1_000, seed)}`,
          'Connection: close',
          '\r\n',
        ].join('\r\n'),
      );
    const elsewhere = (seed: number) => fetch(`${server.url}/${noise(3_000, seed)}`);
    const series = async () => (await metrics.httpRequests.get()).values.length;
    await ask(0);
    await elsewhere(0);
    const before = await series();
    for (let seed = 1; seed <= 20; seed += 1) {
      await ask(seed);
      await elsewhere(seed);
    }
    expect(await series()).toBe(before);
    await server.stop();
    const lines = server.log.filter(({ message }) => message === 'request');
    expect(lines).toHaveLength(42);
    for (const { fields } of lines) expect(JSON.stringify(fields).length).toBeLessThan(600);
  });
});
