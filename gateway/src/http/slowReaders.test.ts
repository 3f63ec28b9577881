import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { defaultMinSpeed } from '@framegate/limits';
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
  dropSlowReaders(server, { ...defaultMinSpeed, checkMs: 5_000 });
  server.emit('connection', socket);
  return socket;
}

/** The client takes these bytes of an endless response in each check, until it loses its connection. */
function readBy(bytesPerCheck: number, checks: number) {
  const socket = connect();
  for (let at = 1; at <= checks; at += 1) {
    const bytesWritten = 1_000_000 + at * bytesPerCheck;
    Object.assign(socket, { writableLength: 1_000_000 });
    Object.assign(socket._handle, { bytesWritten, writeQueueSize: 1_000_000 });
    jest.advanceTimersByTime(5_000);
    if (socket.destroy.mock.calls.length > 0) return at * 5_000;
  }
  return null;
}

test('a client that reads slower than 64 KB per second for 10 s loses its connection', () => {
  expect([0, 1, 319_999].map((bytes) => readBy(bytes, 10))).toEqual([15_000, 15_000, 15_000]);
  expect(readBy(320_000, 1_000)).toBeNull();
});

test('a pause shorter than 10 s has no effect, and a client is not timed while nothing is sent', () => {
  const socket = connect();
  jest.advanceTimersByTime(100_000);
  for (let times = 0; times < 10; times += 1) {
    Object.assign(socket, { writableLength: 10_000 });
    Object.assign(socket._handle, { bytesWritten: 10_000, writeQueueSize: 10_000 });
    jest.advanceTimersByTime(10_000);
    Object.assign(socket, { writableLength: 0 });
    jest.advanceTimersByTime(5_000);
  }
  expect(socket.destroy).not.toHaveBeenCalled();
});
