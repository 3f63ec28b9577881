import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '@framegate/contract';
import type { Random } from '../application/ports/system.ts';
import { Refusal } from '../domain/refusal.ts';
import { jsonType } from './context.ts';
import { headersOf, presentRefusal, statusOf } from './respondToErrors.ts';

/** Tracks running responses by connection. */
export interface RequestTracker {
  /** Tracks a response until it is closed. */
  follow(req: IncomingMessage, res: ServerResponse): void;
  /** True when a response on this connection has been sent in part. */
  isMidResponse(socket: Duplex): boolean;
  /** True while a finished response is still being sent to a slow client. */
  isFlushing(): boolean;
  /** Adds `Connection: close` to every response from now on. */
  announceClose(): void;
  /** Closes connections without any request so far. @param from Limits this to one address. */
  closeSilent(from?: string): void;
}

/** Tracks the connections of a server. Call `follow` for each request before answering it. */
export function trackRequests(server: Server): RequestTracker {
  // By connection, because Node never closes a queued response of a lost connection.
  const responses = new Map<Duplex, Set<ServerResponse>>();
  const silent = new Set<Socket>();
  let isClosing = false;
  const all = () => [...responses.values()].flatMap((own) => [...own]);

  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => {
      silent.delete(socket);
      responses.delete(socket);
    });
  });
  return {
    follow({ socket }, res) {
      silent.delete(socket);
      if (isClosing) res.setHeader('Connection', 'close');
      const own = responses.get(socket) ?? new Set();
      responses.set(socket, own.add(res));
      res.once('close', () => {
        own.delete(res);
        if (own.size === 0) responses.delete(socket);
      });
    },
    isMidResponse: (socket) => [...(responses.get(socket) ?? [])].some((res) => res.headersSent),
    isFlushing: () => all().some((res) => res.writableEnded),
    announceClose() {
      isClosing = true;
      for (const res of all()) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
    closeSilent(from) {
      // Browsers and pools open connections in advance; Node does not count them as idle.
      for (const socket of silent) {
        const isMeant = from === undefined || socket.remoteAddress === from;
        if (isMeant && socket.bytesRead === 0) socket.destroy();
      }
    },
  };
}

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Ends a request whose body is late, in the same way as Node's `requestTimeout`. That option applies to all
 * requests and is therefore as long as an upload may take.
 * @param requestMs Time for the body after the head.
 */
export function endSlowRequest(server: Server, req: IncomingMessage, requestMs: number): void {
  // Without either header there is no body (RFC 9112 section 6.3), and nothing that could be late.
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers;
  if (req.complete || (length === '0' && coding === undefined)) return;
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('the body is late'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    });
    if (!req.complete) server.emit('clientError', error, req.socket);
  }, requestMs).unref();
  timers.set(req, timer);
  req.once('close', () => clearTimeout(timer));
}

/** Grants a request with files the time of an upload. */
export function allowSlowRequest(req: IncomingMessage): void {
  clearTimeout(timers.get(req));
}

/** Responses to requests that Node's parser rejects, by its error code. */
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
/** Time for a client to read the refusal before its connection is closed, in ms. */
const farewellMs = 1_000;
const noTunnel = new Refusal('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } });

/**
 * Answers input that never becomes a valid request: invalid HTTP, late requests and CONNECT. Sends the usual error body
 * and request id, then closes the connection.
 */
export function refuseUnreadable(
  server: Server,
  requests: Pick<RequestTracker, 'isMidResponse'>,
  { log, random }: { log: Log; random: Pick<Random, 'newId'> },
): void {
  const answered = new WeakSet<Duplex>();
  const respond = (socket: Duplex, status: number, refusal: Refusal, reason: string) => {
    answered.add(socket);
    const requestId = random.newId('req');
    log.info({ requestId, status, reason }, 'unreadable request');
    socket.end(rawResponse(status, refusal, requestId));
    // Closing immediately could discard the response while the client is still sending.
    socket.once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), farewellMs).unref();
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (answered.has(socket)) return;
    // The client would read these bytes as part of a response that was sent in part.
    if (!socket.writable || requests.isMidResponse(socket) || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, refusal } = parserRefusals[error.code ?? ''] ?? notHttp;
    respond(socket, status, refusal, error.code ?? error.message);
  });
  server.on('connect', (_req, socket) => {
    respond(socket, statusOf(noTunnel), noTunnel, 'CONNECT');
  });
}

function rawResponse(status: number, refusal: Refusal, requestId: string): string {
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
