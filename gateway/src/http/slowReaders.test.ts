import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { dropSlowReaders } from './slowReaders.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A connection to a server that checks its readers every 5 s. */
function connect() {
  const server = createServer();
  const socket = Object.assign(new EventEmitter(), {
    _handle: { bytesWritten: 0, writeQueueSize: 0 },
    writableLength: 0,
    destroy: jest.fn(),
  });
  dropSlowReaders(server, { stallMs: 30_000, checkMs: 5_000 });
  server.emit('connection', socket);
  return socket;
}

test('a client that reads nothing for 30 s loses its connection', () => {
  const socket = connect();
  Object.assign(socket, { writableLength: 10_000 });
  Object.assign(socket._handle, { bytesWritten: 10_000, writeQueueSize: 4_000 });
  jest.advanceTimersByTime(34_000);
  expect(socket.destroy).not.toHaveBeenCalled();
  // More data written to it does not mean that it reads any.
  Object.assign(socket, { writableLength: 20_000 });
  Object.assign(socket._handle, { bytesWritten: 20_000, writeQueueSize: 14_000 });
  jest.advanceTimersByTime(1_000);
  expect(socket.destroy).toHaveBeenCalled();
});

test('a client that reads a byte now and then keeps its connection, as does one that waits', () => {
  const socket = connect();
  jest.advanceTimersByTime(100_000);
  Object.assign(socket, { writableLength: 10_000 });
  Object.assign(socket._handle, { bytesWritten: 10_000, writeQueueSize: 10_000 });
  for (let taken = 0; taken < 10; taken += 1) {
    socket._handle.writeQueueSize -= 1;
    jest.advanceTimersByTime(25_000);
  }
  expect(socket.destroy).not.toHaveBeenCalled();
});
