import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { GenerationRecord } from '@framegate/contract';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { createWaits } from '../../gateway/src/http/mcp/waits.ts';
import { exampleRecords } from '../../shared/src/openapi/exampleRecords.ts';
import type { TestServer } from '../http/startTestServer.ts';
import { until } from '../support/until.ts';
import { call, origin, post, rpc, said, startMcpServer } from './support/startMcpServer.ts';

/* Waits: their progress, and the limit of open ones. */

const { completed_video: completed, queued: first } = exampleRecords(origin);
const queued: GenerationRecord = { ...first, retry_after_seconds: 0.1 };

describe('the progress of a wait', () => {
  const token = { progressToken: 'p' };
  const id = { id: queued.id };
  const asked = rpc('tools/call', { name: 'wait_for_generation', arguments: id, _meta: token });
  const modern = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'wait_for_generation',
  };

  /** A server on which the generation starts after one poll, and ends after another. */
  async function startMoving() {
    const states = [queued, { ...queued, status: 'processing' as const }, completed];
    const server = await startMcpServer({
      getGeneration: async () => {
        server.clock.nowMs = Date.parse(queued.created_at) + (3 - states.length) * 1500;
        return states.shift() ?? completed;
      },
    });
    return server;
  }

  test.each([
    ['before 2026', {}, {}],
    ['of 2026', modern, headers],
  ])('is reported in revisions %s to the caller that asks', async (_, meta, moreHeaders) => {
    const server = await startMoving();
    const message = { ...asked, params: { ...asked.params, _meta: { ...token, ...meta } } };
    const response = await post(server, message, { headers: moreHeaders });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const messages = (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as Record<string, object>);
    const progress = (seconds: number, phrase: string) => ({
      method: 'notifications/progress',
      params: { ...token, progress: seconds, message: phrase },
    });
    expect(messages).toMatchObject([
      progress(0, 'queued'),
      progress(1.5, 'processing'),
      { id: 1, result: { structuredContent: { status: 'completed' } } },
    ]);
    await server.stop();
  });

  test('is not reported to others, nor without a wait', async () => {
    const server = await startMoving();
    const plain = await post(server, call('wait_for_generation', id));
    expect(plain.headers.get('content-type')).toContain('application/json');
    const done = await (await post(server, asked)).text();
    expect(done.match(/data: /g)).toHaveLength(1);
    await server.stop();
  });

  test('comes every few seconds while nothing changes', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const wait = createWaits({ clock: Date, stopSignal: new AbortController().signal });
    const told: [string, number][] = [];
    const waiting = { ...queued, retry_after_seconds: 60, created_at: new Date().toISOString() };
    const over = wait(waiting, {
      beginWait: () => ({ isBehindOwn: false, leave: () => undefined }),
      timeoutMs: 12_000,
      disconnectSignal: new AbortController().signal,
      read: async () => waiting,
      report: ({ status }, seconds) => told.push([status, seconds]),
    });
    await jest.advanceTimersByTimeAsync(12_000);
    expect(await over).toBe(waiting);
    jest.useRealTimers();
    expect(told).toEqual([0, 5, 10, 12].map((seconds) => ['queued', seconds]));
  });
});

describe('waits that are held open', () => {
  let server: TestServer;
  let reads = 0;
  const stopping = new AbortController();
  beforeAll(async () => {
    const getGeneration = async () => {
      reads += 1;
      return queued;
    };
    server = await startMcpServer({ getGeneration }, {}, stopping.signal);
  });

  const held = new AbortController();
  const wait = () =>
    post(server, call('wait_for_generation', { id: queued.id }), { signal: held.signal });

  test('are limited to a few per account; further ones return immediately, and other accounts are served', async () => {
    const waits = Array.from({ length: 100 }, wait);
    let answered = 0;
    for (const each of waits) each.then(() => (answered += 1)).catch(() => undefined);
    await until(
      () => answered === 100 - workKinds.toolWait.maxPerCaller,
      'those beyond the number are answered',
    );
    expect((await post(server, call('get_balance'))).status).toBe(200);
    held.abort();
    const left = () => server.log.filter(({ fields }) => fields['cut'] === true).length;
    await until(() => left() === workKinds.toolWait.maxPerCaller, 'the server has seen them go');
  });

  test('end when their caller disconnects, which frees their slot', async () => {
    const one = new AbortController();
    const body = call('wait_for_generation', { id: queued.id });
    const before = reads;
    const response = post(server, body, { signal: one.signal });
    // A wait that is not held open reads only once.
    await until(() => reads >= before + 2, 'it is held');
    one.abort();
    await expect(response).rejects.toThrow();
  });

  test('answer when the process stops', async () => {
    const before = reads;
    const response = post(server, call('wait_for_generation', { id: queued.id }));
    await until(() => reads > before, 'it is waited for');
    stopping.abort();
    expect(JSON.parse(await said(await response))).toEqual(queued);
    await server.stop();
  });
});
