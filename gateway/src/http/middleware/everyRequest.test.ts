import { expect, jest, test } from '@jest/globals';
import { noTraces } from '../../application/ports/system.ts';
import type { HttpContext } from '../context.ts';
import {
  boundPreferences,
  requireValidRequest,
  separateHosts,
  trustProxies,
} from './everyRequest.ts';
import { traceRequests } from './logAccess.ts';

const next = () => Promise.resolve();

/** A request as far as these steps read it. `headersDistinct` is missing: it costs a list for each header. */
function contextOf(headers: Record<string, string>, rawHeaders: readonly string[] = []) {
  const socket = { remoteAddress: '192.0.2.1' };
  const req = { url: '/v1/models', httpVersion: '1.1', headers, rawHeaders, socket };
  const ctx = {
    req,
    request: {},
    state: {},
    method: 'GET',
    get: (name: string) => req.headers[name] ?? '',
  };
  return ctx as typeof ctx & HttpContext;
}

test('headers are copied only to omit those of an untrusted proxy', async () => {
  const step = trustProxies({ hops: 0 });
  const plain = { host: 'api.test' };
  const untouched = contextOf(plain);
  await step(untouched, next);
  expect(untouched.req.headers).toBe(plain);
  const forged = contextOf({ ...plain, 'x-forwarded-for': '192.0.2.9', 'x-forwarded-host': 'a' });
  await step(forged, next);
  expect(forged.req.headers).toEqual(plain);
  expect(forged.request.ip).toBe('192.0.2.1');
});

test.each([
  [['Host', 'api.test', 'Accept', 'host'], true],
  [['HOST', 'api.test', 'X-Host', 'host', 'host', 'b'], false],
  [['Accept', 'Host'], false],
])('a request has one Host header: %p', (rawHeaders, isLawful) => {
  const ctx = contextOf({}, rawHeaders);
  const ask = () => requireValidRequest()(ctx, next);
  if (isLawful) expect(ask).not.toThrow();
  else expect(ask).toThrow('Host header');
});

test('preferences are read only if they are as short as those of browsers', async () => {
  const ctx = contextOf({
    accept: 'text/html',
    'accept-language': 'x,'.repeat(500),
    'accept-encoding': `${'x,'.repeat(500)}gzip`,
  });
  await boundPreferences()(ctx, next);
  expect(ctx.get('accept')).toBe('text/html');
  expect(ctx.get('accept-language')).toBe('x,'.repeat(500));
  expect(ctx.get('accept-encoding')).toBe('');
});

test('a gateway without tracing makes no span, and keeps the trace id of its client', async () => {
  const span = jest.spyOn(noTraces, 'runInSpan');
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traced = contextOf({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await traceRequests(noTraces)(traced, next);
  expect(traced.state.traceId).toBe(traceId);
  const untraced = contextOf({});
  await traceRequests(noTraces)(untraced, next);
  expect(untraced.state.traceId).toBeNull();
  expect(span).not.toHaveBeenCalled();
});

test('the host of an absolute-form target replaces the Host header', async () => {
  const ctx = contextOf({ host: 'files.test' }, ['Host', 'files.test']);
  ctx.req.url = 'http://api.test/v1/models?a=b';
  const hosts = { media: 'files.test', console: null, site: ['api.test'], mediaPath: '/media' };
  await requireValidRequest()(ctx, next);
  expect([ctx.req.url, ctx.req.headers.host]).toEqual(['/v1/models?a=b', 'api.test']);
  const onHost = Object.assign(ctx, { host: ctx.req.headers.host, path: '/v1/models' });
  expect(() => separateHosts(hosts)(onHost, next)).not.toThrow();
});
