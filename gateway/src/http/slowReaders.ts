import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { minBytes, type MinSpeed } from '@framegate/limits';

/**
 * Closes connections whose client reads a pending response below the minimum rate. Otherwise such clients could hold
 * responses in memory, files and slots indefinitely. Only time spent waiting for the client counts.
 * @param minSpeed.speedWindowMs Measured in checks, so a connection may last up to one check longer.
 */
export function dropSlowReaders(
  server: Server,
  { checkMs, ...minSpeed }: MinSpeed & { checkMs: number },
): void {
  const maxChecks = Math.ceil(minSpeed.speedWindowMs / checkMs);
  const seen = new Map<Socket, { from: number; checks: number }>();
  server.on('connection', (socket) => {
    seen.set(socket, { from: 0, checks: 0 });
    socket.once('close', () => seen.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, pending] of seen) {
      const takenBytes = bytesTaken(socket);
      pending.checks = socket.writableLength > 0 ? pending.checks + 1 : 0;
      if (pending.checks <= 1) pending.from = takenBytes;
      if (pending.checks <= maxChecks) continue;
      if (takenBytes - pending.from < minBytes(minSpeed)) socket.destroy();
      Object.assign(pending, { from: takenBytes, checks: 1 });
    }
  }, checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** Fields of a socket's handle that Node's own timeouts use to observe large writes. */
interface SocketHandle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/** Bytes passed to the operating system. Without the handle, only whole chunks count. */
function bytesTaken(socket: Socket): number {
  const { bytesWritten, writeQueueSize } =
    (socket as { _handle?: SocketHandle | null })._handle ?? {};
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize;
}

/** Maximum running and waiting requests per connection; few clients pipeline. */
export const maxPipelined = 8;

/**
 * Handles the requests of each connection in turn and closes a connection with too many waiting requests.
 * Node's parser reads all pipelined requests (RFC 9112 section 9.3.2), even if the client never reads a
 * response. Waiting requests of a closed connection are dropped.
 * @param handle Starts to answer a request.
 * @param onFlood Receives a connection that was closed for too many requests.
 */
export function respondInTurn(
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
