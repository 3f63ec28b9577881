import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { maxPipelined } from '../../gateway/src/http/slowReaders.ts';
import { until } from '../support/until.ts';
import { rawRequest } from './rawRequest.ts';
import { goodKey, startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const answered = () => server.log.filter(({ message }) => message === 'request');

test('a client that does not read its response loses the connection', async () => {
  const models = 'x'.repeat(30_000_000);
  server = await startTestServer({
    times: { speedWindowMs: 100, checkMs: 20 },
    useCases: { listModels: async () => ({ object: 'list', data: [models as never] }) },
  });
  const socket = connect(server.port, '127.0.0.1')
    .on('error', () => undefined)
    .pause();
  socket.write(get('/v1/models', `Authorization: ${goodKey}\r\n`));
  await until(() => answered().length > 0, 'the connection is closed');
  expect(answered()[0]?.fields).toMatchObject({ status: 200, cut: true });
  socket.destroy();
});

test('pipelined requests are answered in order, up to a bound', async () => {
  server = await startTestServer();
  const last = get('/healthz', 'Connection: close\r\n');
  const { body } = await rawRequest(server.port, get('/healthz').repeat(maxPipelined - 1) + last);
  expect(body.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(maxPipelined - 1);
});

test('a pipelined request begins once the one before it has been answered', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  let begun = 0;
  server = await startTestServer({
    useCases: {
      getBalance: async () => {
        begun += 1;
        await held;
        throw new Refusal('service_unavailable');
      },
    },
  });
  const key = `Authorization: ${goodKey}\r\n`;
  const ahead = get('/v1/credits/balance', key) + get('/v1/credits/balance', key);
  const response = rawRequest(server.port, ahead + get('/healthz', 'Connection: close\r\n'));
  await until(() => begun > 0);
  // Another connection is answered in the meantime, by which time the second would have been begun.
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(begun).toBe(1);
  release(undefined);
  const { status, body } = await response;
  expect([status, body.match(/HTTP\/1\.1 \d+/g)]).toEqual([503, ['HTTP/1.1 503', 'HTTP/1.1 200']]);
  expect(begun).toBe(2);
});

test('beyond the bound the connection is closed, and no further request runs', async () => {
  server = await startTestServer();
  const socket = connect(server.port, '127.0.0.1')
    .on('error', () => undefined)
    .resume();
  socket.write(get('/v1/openapi.json').repeat(300));
  await new Promise((resolve) => socket.once('close', resolve));
  // The first was begun before the last had arrived; the requests behind it are not done.
  await until(() => answered().length > 0);
  expect(answered()).toHaveLength(1);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
