import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log, Random } from '../application/ports/system.ts';
import type { HttpApp } from './context.ts';
import {
  refuseUnreadable,
  endSlowRequest,
  trackRequests,
  type RequestTracker,
} from './connections.ts';
import { answerInTurn, dropSlowReaders } from './slowReaders.ts';

/** Times of the server, in ms. */
export interface ServerTimes {
  /** An idle connection is kept this long: longer than a proxy in front keeps it (usually 60 s). */
  keepAliveMs: number;
  /** A request must have arrived whole by then, its head and its body. */
  requestMs: number;
  /** The same for one with files, once it is known whose it is (slowRequests.ts). */
  uploadMs: number;
  /** A client that takes nothing of an answer for so long loses its connection. */
  stallMs: number;
  /** How often that is enforced. */
  checkMs: number;
  /** At a stop, connections between two requests are kept this long for one more. */
  lingerMs: number;
}

const usualTimes: ServerTimes = {
  keepAliveMs: 65_000,
  requestMs: 30_000,
  uploadMs: 300_000,
  stallMs: 30_000,
  checkMs: 5_000,
  lingerMs: 250,
};

/** Request line and headers together, in bytes; beyond it 431. */
const maxHeadBytes = 16 * 1024;

/** Listeners of one event of an answer, beyond which Node warns of a leak. */
const maxListeners = 20;

/** A running server. */
export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  url: string;
  /**
   * Stops without cutting a request: tells each client to close its connection after the running answer,
   * takes no new connections after `pauseMs`, and `graceMs` later closes what is left. May be called twice.
   */
  stop(times: Pick<StopTimes, 'pauseMs' | 'graceMs'>): Promise<void>;
}

/** Starts the server. @param deps.port 0 takes any free one. @throws StartError with what to do. */
export async function startServer(deps: {
  app: HttpApp;
  host: string;
  port: number;
  log: Log;
  random: Pick<Random, 'newId'>;
  times?: Partial<ServerTimes>;
}): Promise<RunningServer> {
  const times = { ...usualTimes, ...deps.times };
  const server = createServer({
    keepAliveTimeout: times.keepAliveMs,
    requestTimeout: Math.max(times.requestMs, times.uploadMs),
    // Counted from the first byte of a request, so it need not be above keepAliveTimeout.
    headersTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkMs,
    maxHeaderSize: maxHeadBytes,
    // The app refuses it with a body; Node would answer without one.
    requireHostHeader: false,
  });
  const requests = trackRequests(server);
  dropSlowReaders(server, times);
  const handle = deps.app.callback();
  const answer = answerInTurn(
    (req, res) => void handle(req, res),
    // Parsing is the dear part: where one connection floods, the unread ones beside it seldom come alone.
    ({ remoteAddress }) => {
      requests.closeSilent(remoteAddress);
    },
  );
  server.on('request', (req, res) => {
    // A connection that was closed for its many requests: Node still parses those that have arrived.
    if (req.socket.destroyed) return;
    // Several steps wait for the end of an answer, and streaming adds more of them.
    res.setMaxListeners(maxListeners);
    requests.follow(req, res);
    endSlowRequest(server, req, times.requestMs);
    answer(req, res);
  });
  // An unknown Expect may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  refuseUnreadable(server, requests, deps);
  await listen(server, deps.host, deps.port);
  server.on('error', (error) => deps.log.error({ err: error }, 'server failed'));

  let stopping: Promise<void> | null = null;
  return {
    url: urlOf(server.address() as AddressInfo),
    stop(stopTimes) {
      stopping ??= stopServer(server, requests, { ...stopTimes, lingerMs: times.lingerMs });
      return stopping;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(startErrorFor(error, host, port));
    server.once('error', refuse).listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const sweepMs = 50;

/** Times of a stop, in ms. */
export interface StopTimes {
  /** New connections are still taken for so long, until load balancers send nothing more. */
  pauseMs: number;
  /** Then connections between two requests are kept this long for one more. */
  lingerMs: number;
  /** So long after the pause, what is left is closed. */
  graceMs: number;
}

/**
 * Stops a server without cutting a request. Node's own `server.close()` cuts connections that are
 * between two requests at once, under a request that is on its way; so only the listening ends at
 * first. And it waits a whole keepAliveTimeout for a connection whose request ended later; so idle
 * ones are closed again and again.
 */
export async function stopServer(
  server: Server,
  requests: Pick<RequestTracker, 'announceClose' | 'closeSilent' | 'isFlushing'>,
  times: StopTimes,
): Promise<void> {
  requests.announceClose();
  if (times.pauseMs > 0) await wait(times.pauseMs);
  await new Promise<void>((resolve) => {
    const sweepFromMs = Math.min(times.lingerMs, times.graceMs);
    let waitedMs = -sweepMs;
    const sweep = () => {
      waitedMs += sweepMs;
      // Node takes a connection for idle once its answer has ended, though the client may not have it yet.
      if (waitedMs >= sweepFromMs && !requests.isFlushing()) server.closeIdleConnections();
      if (waitedMs >= sweepFromMs) requests.closeSilent();
      if (waitedMs >= times.graceMs) server.closeAllConnections();
    };
    const timer = setInterval(sweep, sweepMs);
    closeListening(server, () => {
      clearInterval(timer);
      // Ends Node's own timers, too.
      server.close();
      resolve();
    });
    sweep();
  });
}

/** Takes no new connections; calls back once the last one is gone. */
function closeListening(server: Server, done: () => void): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- the close of net.Server, not of http.Server
  Reflect.apply(NetServer.prototype.close, server, [done]);
}

/** The server cannot start. The message is for the person who started the gateway: what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

function unknownHost(host: string): string {
  return `There is no host named ${host}. Set HOST to an address of this machine, such as 127.0.0.1.`;
}

const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another program. Stop that program, or set PORT to a free port.`,
  EACCES: (_host, port) =>
    `This user may not open port ${port}. Set PORT to 1024 or above, or put a proxy in front.`,
  EADDRNOTAVAIL: (host) =>
    `${host} is not an address of this machine. Set HOST to one of its own, to 127.0.0.1 (only this machine) or to 0.0.0.0 (all).`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
};

/** Says why the server cannot listen. */
export function startErrorFor(error: Error, host: string, port: number): StartError {
  const code = 'code' in error ? String(error.code) : '';
  const reason =
    reasons[code]?.(host, port) ?? `Cannot listen on ${host}, port ${port}: ${error.message}`;
  return new StartError(reason, { cause: error });
}
