import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { StartError } from '../../gateway/src/http/server.ts';
import { goodKey, startTestServer, type TestServer } from './startTestServer.ts';

const balance = {
  object: 'credit_balance',
  unit: 'credits',
  available: 1,
  in_flight: 0,
  as_of: '2026-01-01T00:00:00.000Z',
} as const;

/** A server whose balance read waits until it is released. */
async function startWaiting() {
  const entered = Promise.withResolvers<true>();
  const released = Promise.withResolvers<true>();
  const server = await startTestServer({
    useCases: {
      getBalance: async () => {
        entered.resolve(true);
        await released.promise;
        return balance;
      },
    },
  });
  return { server, entered: entered.promise, release: () => released.resolve(true) };
}

const read = ({ url }: TestServer) =>
  fetch(`${url}/v1/credits/balance`, { headers: { authorization: goodKey } });

describe('stopping', () => {
  test('a request in progress is finished while new connections are refused', async () => {
    const { server, entered, release } = await startWaiting();
    const underWay = read(server);
    await entered;
    const stopped = server.stop(20_000);
    await expect(once(connect(server.port, '127.0.0.1'), 'connect')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    release();
    const response = await underWay;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toEqual(balance);
    await stopped;
  });

  test('after the grace, remaining connections are closed', async () => {
    const { server, entered, release } = await startWaiting();
    const underWay = read(server);
    await entered;
    const [outcome] = await Promise.allSettled([underWay, server.stop(100)]);
    expect(outcome.status).toBe('rejected');
    release();
  });

  test('idle and silent connections do not hold it up', async () => {
    const server = await startTestServer();
    const agent = new Agent({ keepAlive: true });
    const [response] = (await once(get(`${server.url}/healthz`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    await once(response, 'end');
    const silent = connect(server.port, '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    await server.stop(20_000);
    await closed;
    agent.destroy();
  });

  test('a client with a kept connection may send one more request, and is told to close it', async () => {
    const server = await startTestServer({ times: { lingerMs: 20_000 } });
    const socket = connect(server.port, '127.0.0.1');
    const ask = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(ask);
    expect(String(await once(socket, 'data'))).toContain('Connection: keep-alive');
    const stopped = server.stop(20_000);
    socket.write(ask);
    expect(String(await once(socket, 'data'))).toMatch(/200 OK[^]*Connection: close/);
    await stopped;
  });

  test('a connection opened ahead may send one request', async () => {
    const server = await startTestServer({ times: { lingerMs: 20_000 } });
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    // A later one is answered only when the server has this one as well.
    await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } });
    const stopped = server.stop(20_000);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await once(socket, 'data'))).toMatch(/200 OK[^]*Connection: close/);
    await stopped;
  });

  test('in the pause new connections are answered and told to close', async () => {
    const server = await startTestServer();
    void server.stop(0, dayMs);
    for (let count = 0; count < 2; count += 1) {
      const response = await fetch(`${server.url}/healthz`);
      expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    }
  });

  test('after the pause they are refused', async () => {
    const server = await startTestServer();
    await server.stop(20_000, 1);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('a second stop changes nothing', async () => {
    const server = await startTestServer();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
  });

  describe('during its sweep', () => {
    afterEach(() => {
      jest.useRealTimers();
    });

    test('a slow client gets the whole response that has been written', async () => {
      jest.useFakeTimers({
        doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'],
      });
      const large = Buffer.alloc(30_000_000, 'a');
      const server = await startTestServer({
        app: {
          media: (ctx) => {
            ctx.body = large;
          },
        },
      });
      const [response] = (await once(get(`${server.url}/media/outputs/x`), 'response')) as [
        IncomingMessage,
      ];
      // Nothing is read yet: most of the response waits in the server.
      const stopped = server.stop(20_000);
      jest.advanceTimersByTime(5_000);
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await once(response, 'end');
      expect(bytes).toBe(large.length);
      jest.advanceTimersByTime(100);
      await stopped;
    });
  });
});

describe('starting', () => {
  test('names a port in use, and a remedy', async () => {
    const server = await startTestServer();
    const second = startTestServer({ port: server.port });
    await expect(second).rejects.toBeInstanceOf(StartError);
    await expect(second).rejects.toThrow(
      `Port ${server.port} on 127.0.0.1 is in use by another program. Stop that program, or set PORT to a free port.`,
    );
    await server.stop();
  });

  test('reports an address of another machine', async () => {
    await expect(startTestServer({ host: '203.0.113.1' })).rejects.toThrow(
      '203.0.113.1 is not an address of this machine.',
    );
  });
});
