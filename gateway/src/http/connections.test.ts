import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { endSlowRequest, trackRequests } from './connections.ts';

/** The part of a response used here; Node never closes a response queued behind another on a lost connection. */
class WaitingResponse extends EventEmitter {
  headers: string[] = [];
  headersSent = false;
  writableEnded = false;
  setHeader(name: string) {
    this.headers.push(name);
  }
}

test('connections without a byte are closed, for one address or for all', () => {
  const server = createServer().removeAllListeners();
  const requests = trackRequests(server);
  const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.1'];
  const sockets = addresses.map((remoteAddress, index) => {
    const destroy = jest.fn();
    const socket = { remoteAddress, bytesRead: index === 2 ? 10 : 0, destroy };
    server.emit('connection', Object.assign(new EventEmitter(), socket));
    return destroy;
  });
  const closed = () => sockets.map((destroy) => destroy.mock.calls.length);
  requests.closeSilent('192.0.2.1');
  expect(closed()).toEqual([1, 0, 0]);
  requests.closeSilent();
  expect(closed()).toEqual([2, 1, 0]);
});

test('responses that waited on a connection are forgotten with it', () => {
  const server = createServer().removeAllListeners();
  const requests = trackRequests(server);
  const [lost, kept] = [new EventEmitter(), new EventEmitter()];
  const responses = [lost, lost, kept].map((socket) => {
    server.emit('connection', socket);
    const response = Object.assign(new WaitingResponse(), { req: { socket } });
    requests.follow(response.req as never, response as never);
    return response;
  });
  lost.emit('close');
  requests.announceClose();
  expect(responses.map(({ headers }) => headers)).toEqual([[], [], ['Connection']]);
});

test.each([
  ['none', {}, 0],
  ['an empty one', { 'content-length': '0' }, 0],
  ['a length', { 'content-length': '1' }, 1],
  ['chunks', { 'transfer-encoding': 'chunked' }, 1],
])('the server waits only for a body: %s', (_body, headers, timers) => {
  const server = createServer().removeAllListeners();
  const req = Object.assign(new EventEmitter(), { headers, complete: false });
  endSlowRequest(server, req as unknown as IncomingMessage, minuteMs);
  expect(req.listenerCount('close')).toBe(timers);
  req.emit('close');
});
