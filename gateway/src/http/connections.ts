import { STATUS_CODES, type Server, type ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log, Random } from '../application/ports/system.ts';
import { Refusal } from '../domain/refusal.ts';
import { jsonType } from './context.ts';
import { headersOf, presentRefusal, statusOf } from './answerErrors.ts';

/** The answers under way. */
export interface RequestTracker {
  /** Follows an answer until it is closed. */
  follow(req: IncomingMessage, res: ServerResponse): void;
  /** Whether a part of an answer has gone out on this connection, and not yet all of it. */
  isMidAnswer(socket: Duplex): boolean;
  /** Whether the end of an answer is still on its way to a slow client. */
  isFlushing(): boolean;
  /** From now on every answer carries `Connection: close`. */
  announceClose(): void;
  /** Closes connections on which nothing was ever sent. @param from Only those of this address. */
  closeSilent(from?: string): void;
}

/** Tracks the connections of a server; `follow` must be called with each request before it is answered. */
export function trackRequests(server: Server): RequestTracker {
  // By connection: Node never closes an answer that waited behind another one when the connection was lost.
  const answers = new Map<Duplex, Set<ServerResponse>>();
  const silent = new Set<Socket>();
  let closing = false;
  const all = () => [...answers.values()].flatMap((own) => [...own]);

  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => {
      silent.delete(socket);
      answers.delete(socket);
    });
  });
  return {
    follow({ socket }, res) {
      silent.delete(socket);
      if (closing) res.setHeader('Connection', 'close');
      const own = answers.get(socket) ?? new Set();
      answers.set(socket, own.add(res));
      res.once('close', () => {
        own.delete(res);
        if (own.size === 0) answers.delete(socket);
      });
    },
    isMidAnswer: (socket) => [...(answers.get(socket) ?? [])].some((res) => res.headersSent),
    isFlushing: () => all().some((res) => res.writableEnded),
    announceClose() {
      closing = true;
      for (const res of all()) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
    closeSilent(from) {
      // Opened ahead by browsers and pools; Node does not count them as idle.
      for (const socket of silent) {
        const isMeant = from === undefined || socket.remoteAddress === from;
        if (isMeant && socket.bytesRead === 0) socket.destroy();
      }
    },
  };
}

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Ends a request whose body has not arrived in time as Node's own `requestTimeout` does, which stands for
 * all requests alike: there it is as long as an upload may take.
 * @param requestMs Counted from the end of the head.
 */
export function endSlowRequest(server: Server, req: IncomingMessage, requestMs: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('the body is late'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    });
    if (!req.complete) server.emit('clientError', error, req.socket);
  }, requestMs).unref();
  timers.set(req, timer);
  req.once('close', () => clearTimeout(timer));
}

/** Gives a request that brings files as long as an upload may take. */
export function allowSlowRequest(req: IncomingMessage): void {
  clearTimeout(timers.get(req));
}

/** The answer to a request that Node's parser refuses, by the parser's code; the status is HTTP's own. */
const parserRefusals: Readonly<Record<string, { status: number; refusal: Refusal }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    refusal: new Refusal('invalid_request', {
      message: 'The request line or the headers are too large.',
    }),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, refusal: new Refusal('body_too_large') },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    refusal: new Refusal('invalid_request', { message: 'The request did not arrive in time.' }),
  },
};
const notHttp = {
  status: 400,
  refusal: new Refusal('invalid_request', { message: 'This is not a valid HTTP/1.1 request.' }),
};
/** How long a client may still read a refusal before its connection is closed, in ms. */
const farewellMs = 1_000;
const noTunnel = new Refusal('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } });

/**
 * Answers what never becomes a request: what the parser refuses, what does not arrive in time, and
 * CONNECT. With our error body and a request id, like every answer; then the connection is closed.
 */
export function refuseUnreadable(
  server: Server,
  requests: Pick<RequestTracker, 'isMidAnswer'>,
  { log, random }: { log: Log; random: Pick<Random, 'newId'> },
): void {
  const answered = new WeakSet<Duplex>();
  const answer = (socket: Duplex, status: number, refusal: Refusal, reason: string) => {
    answered.add(socket);
    const requestId = random.newId('req');
    log.info({ requestId, status, reason }, 'unreadable request');
    socket.end(rawAnswer(status, refusal, requestId));
    // A client that is still sending would lose the answer if the connection were closed under it.
    socket.once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), farewellMs).unref();
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (answered.has(socket)) return;
    // Bytes of another answer may be out already; more would be read as part of it.
    if (!socket.writable || requests.isMidAnswer(socket) || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, refusal } = parserRefusals[error.code ?? ''] ?? notHttp;
    answer(socket, status, refusal, error.code ?? error.message);
  });
  server.on('connect', (_req, socket) => {
    answer(socket, statusOf(noTunnel), noTunnel, 'CONNECT');
  });
}

function rawAnswer(status: number, refusal: Refusal, requestId: string): string {
  const body = JSON.stringify(presentRefusal(refusal, requestId));
  const headers = {
    'Content-Type': jsonType,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headersOf(refusal),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}
