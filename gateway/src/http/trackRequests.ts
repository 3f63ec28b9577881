import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** The answers under way. */
export interface RequestTracker {
  /** Whether a part of an answer has gone out on this connection, and not yet all of it. */
  isMidAnswer(socket: Duplex): boolean;
  /** Whether the end of an answer is still on its way to a slow client. */
  isFlushing(): boolean;
  /** From now on every answer carries `Connection: close`. */
  announceClose(): void;
  /** Closes connections on which nothing was ever sent. */
  closeSilent(): void;
}

/** Follows the requests of a server; must be the first to hear of them. */
export function trackRequests(server: Server): RequestTracker {
  const answers = new Set<ServerResponse>();
  const silent = new Set<Socket>();
  let closing = false;

  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', (req, res) => {
    silent.delete(req.socket);
    answers.add(res);
    if (closing) res.setHeader('Connection', 'close');
    res.once('close', () => answers.delete(res));
  });
  return {
    isMidAnswer: (socket) =>
      [...answers].some((res) => res.req.socket === socket && res.headersSent),
    isFlushing: () => [...answers].some((res) => res.writableEnded),
    announceClose() {
      closing = true;
      for (const res of answers) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
    closeSilent() {
      // Opened ahead by browsers and pools; Node does not count them as idle.
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
