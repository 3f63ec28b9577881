import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections whose client takes nothing of an answer for so long while bytes of it wait here: each
 * would hold its answers in memory for as long as it likes.
 * @param times.stallMs Counted in checks, so a connection may live up to one check longer.
 */
export function dropSlowReaders(
  server: Server,
  { stallMs, checkMs }: { stallMs: number; checkMs: number },
): void {
  const maxChecks = Math.ceil(stallMs / checkMs);
  const seen = new Map<Socket, { taken: number; checks: number }>();
  server.on('connection', (socket) => {
    seen.set(socket, { taken: 0, checks: 0 });
    socket.once('close', () => seen.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of seen) {
      const taken = bytesTaken(socket);
      const isStalled = socket.writableLength > 0 && taken === before.taken;
      const checks = isStalled ? before.checks + 1 : 0;
      seen.set(socket, { taken, checks });
      if (checks >= maxChecks) socket.destroy();
    }
  }, checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** Fields of a socket's handle that Node's own timeouts read to see the progress of a large write. */
interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/** How many bytes the system has taken to send to the client. Without the handle whole pieces are counted. */
function bytesTaken(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = (socket as { _handle?: Handle | null })._handle ?? {};
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize;
}

/** Requests of one connection that may be under way or wait for it; hardly any client sends a second one. */
export const maxPipelined = 8;

/**
 * Answers the requests of each connection one after the other, as their answers have to go out anyway, and
 * closes a connection on which too many wait: the parser reads everything that a client sends ahead, whether or
 * not the client reads the answers (RFC 9112 section 9.3.2). Requests that waited there are dropped.
 * @param handle Begins to answer a request.
 * @param onFlood Called with a connection that is closed for its many requests.
 */
export function answerInTurn(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
  onFlood: (socket: Socket) => void,
): (req: IncomingMessage, res: ServerResponse) => void {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (req, res) => {
    const { socket } = req;
    const queue = waiting.get(socket) ?? [];
    waiting.set(socket, queue);
    const begin = () => {
      handle(req, res);
    };
    queue.push(begin);
    if (queue.length > maxPipelined) {
      socket.destroy();
      onFlood(socket);
    }
    if (socket.destroyed) return;
    res.once('close', () => {
      queue.shift();
      if (!socket.destroyed) queue[0]?.();
    });
    if (queue.length === 1) begin();
  };
}
