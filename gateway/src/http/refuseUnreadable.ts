import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log, Random } from '../application/ports/system.ts';
import { Refusal } from '../domain/refusal.ts';
import { jsonType } from './answer.ts';
import { headersOf, presentRefusal, statusOf } from './presentRefusal.ts';
import type { RequestTracker } from './trackRequests.ts';

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
