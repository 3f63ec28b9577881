import { channel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Log } from '@framegate/contract';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { sampleHost } from '../../gateway/src/adapters/net/sampleHost.ts';
import { tracePackages } from '../../gateway/src/compose/telemetry.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway } from '../support/gateway.ts';
import { projectRoot } from '../support/runNode.ts';

/** A span in OTLP's JSON form. */
interface Exported {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

let folder: string;
let ark: FakeArk;
let collector: TinyServer;
let isSilent = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-traces-'));
  ark = await startFakeArk();
  collector = await startTinyServer((_, response) => {
    if (!isSilent) json(response, 200, {});
  });
});

afterAll(async () => {
  await collector.close();
  await ark.close();
  await rm(folder, { recursive: true });
});

/** Everything sent to the collector. */
function exported(): Exported[] {
  return collector.got.flatMap(({ body }) => {
    const { resourceSpans } = body as {
      resourceSpans: { scopeSpans: { spans: Exported[] }[] }[];
    };
    return resourceSpans.flatMap((each) => each.scopeSpans.flatMap(({ spans }) => spans));
  });
}

/** Keeps the lines that name a trace. */
function keepLines() {
  const lines: Record<string, unknown>[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
  return { lines, log };
}

const order = {
  model: 'alpha-2.0-pro',
  mode: 'image-to-video',
  prompt: 'a lake that no trace tells of',
  inputs: [{ type: 'image', role: 'first_frame', url: `https://${sampleHost}/mountain-lake.jpg` }],
};

test('a request, its job, its provider and its files are one trace over two processes', async () => {
  const sentOut: string[] = [];
  const hear = (message: unknown) => sentOut.push((message as { headers: string }).headers);
  const requests = channel('undici:client:sendHeaders');
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const shared = {
    ...(await arkRoutes(folder, ark)),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=its%20key',
  };
  const [ofApi, ofWorker] = [keepLines(), keepLines()];
  const api = await startTestGateway({ ...shared, ROLE: 'api' }, undefined, ofApi.log);
  const { MONGODB_URI = '', PORT = '' } = api.env;
  const worker = await startTestGateway(
    { ...shared, ROLE: 'worker', MONGODB_URI, PORT, DATA_DIR: api.dataDir },
    undefined,
    ofWorker.log,
  );
  const account = await api.addAccount({ hosts: [sampleHost] });
  requests.subscribe(hear);
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  const { status, json: created } = await account.post('/v1/videos', order, { traceparent });
  expect(status).toBe(202);
  expect(await account.untilEnded(String(created['id']))).toMatchObject({ status: 'completed' });
  const ignored = await account.get('/v1/models', { traceparent: '00-nonsense-01' });
  expect(ignored.status).toBe(200);
  requests.unsubscribe(hear);
  await worker.stop();
  await api.stop();

  const spans = exported();
  const ours = spans.filter((span) => span.traceId === traceId);
  expect(new Set(ours.map(({ name }) => name))).toEqual(
    new Set([
      'POST /v1/videos',
      'generation create',
      'generation run',
      'inputs copy',
      'input fetch',
      'provider submit',
      'generation poll',
      'provider poll',
      'output fetch',
    ]),
  );
  const ids = new Set(ours.map(({ spanId }) => spanId));
  const roots = ours.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId));
  expect(roots).toMatchObject([{ name: 'POST /v1/videos', parentSpanId: '00f067aa0ba902b7' }]);
  // An invalid traceparent begins a separate trace.
  expect(spans.find(({ name }) => name === 'GET /v1/models')?.traceId).toMatch(/^[0-9a-f]{32}$/);

  // Lines of both processes name the trace, the request's own with its id.
  expect(ofApi.lines).toContainEqual(
    expect.objectContaining({ trace_id: traceId, requestId: expect.any(String), status: 202 }),
  );
  // The collector receives its key, and nothing secret about the work.
  expect(collector.got[0]?.headers).toMatchObject({ 'x-collector-key': 'its key' });
  expect(JSON.stringify(spans)).not.toMatch(
    new RegExp(['no trace tells', sampleHost, ark.apiKey, account.apiKey].join('|')),
  );
  // A provider receives no part of it.
  const toArk = sentOut.filter((headers) => headers.includes(ark.mediaHost));
  expect(toArk.length).toBeGreaterThan(1);
  expect(toArk.join('')).not.toMatch(/trace|baggage|4bf92f/i);
});

test('a collector that does not respond costs only its spans', async () => {
  isSilent = true;
  const { lines, log } = keepLines();
  const gateway = await startTestGateway(
    { ...(await arkRoutes(folder, ark)), OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin },
    undefined,
    log,
  );
  const account = await gateway.addAccount({ hosts: [sampleHost] });
  const { json: created } = await account.post('/v1/videos', order);
  expect(await account.untilEnded(String(created['id']))).toMatchObject({ status: 'completed' });
  await gateway.stop();
  expect(lines.map(({ message }) => message)).toContain('failed to export the last spans');
  expect(gateway.errors).toEqual([]);
});

test('the packages requested at startup are the tested ones', () => {
  const { devDependencies } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  ) as { devDependencies: Record<string, string> };
  expect(devDependencies).toMatchObject(tracePackages);
});
