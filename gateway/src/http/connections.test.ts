import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { trackRequests } from './connections.ts';

/** As much of an answer as is looked at; Node never closes one that waited behind another on a lost connection. */
class WaitingAnswer extends EventEmitter {
  headers: string[] = [];
  headersSent = false;
  writableEnded = false;
  setHeader(name: string) {
    this.headers.push(name);
  }
}

test('answers that waited on a connection are forgotten with it', () => {
  const server = createServer().removeAllListeners();
  const requests = trackRequests(server);
  const [lost, kept] = [new EventEmitter(), new EventEmitter()];
  const answers = [lost, lost, kept].map((socket) => {
    server.emit('connection', socket);
    const answer = Object.assign(new WaitingAnswer(), { req: { socket } });
    server.emit('request', answer.req, answer);
    return answer;
  });
  lost.emit('close');
  requests.announceClose();
  expect(answers.map(({ headers }) => headers)).toEqual([[], [], ['Connection']]);
});
