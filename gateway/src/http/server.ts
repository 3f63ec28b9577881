import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { errorCodeOf, type Log, minuteMs } from '@framegate/contract';
import { defaultMinSpeed, type MinSpeed, pause } from '@framegate/limits';
import type { Random } from '../application/ports/system.ts';
import {
  endSlowRequest,
  refuseUnreadable,
  type RequestTracker,
  trackRequests,
} from './connections.ts';
import type { HttpApp } from './context.ts';
import { dropSlowReaders, respondInTurn } from './slowReaders.ts';

/** Time limits of the server, in ms, and the minimum rate of a client that reads. */
export interface ServerTimes extends MinSpeed {
  /** Lifetime of an idle connection: longer than at a proxy in front (usually 60 s). */
  keepAliveMs: number;
  /** Time for a complete request, head and body. */
  requestMs: number;
  /** Time for a request with files, granted by `allowSlowRequest`. */
  uploadMs: number;
  /** Interval of the checks for these limits. */
  checkMs: number;
  /** During a stop, time for one more request on a connection between requests. */
  lingerMs: number;
}

const defaultTimes: ServerTimes = {
  keepAliveMs: 65_000,
  requestMs: 30_000,
  uploadMs: 5 * minuteMs,
  ...defaultMinSpeed,
  checkMs: 5_000,
  lingerMs: 250,
};

/** Maximum size of request line and headers, in bytes; 431 above it. */
const maxHeadBytes = 16 * 1024;

/** Listeners per event of a response before Node warns about a leak. */
const maxListeners = 20;

/** A server that listens. */
export interface RunningServer {
  /** Listening URL, such as `http://127.0.0.1:8080`. */
  url: string;
  /**
   * Stops gracefully: asks each client to close its connection after the current response, accepts no new
   * connections after `pauseMs`, and closes the remaining ones `graceMs` later. Idempotent.
   */
  stop(times: Pick<StopTimes, 'pauseMs' | 'graceMs'>): Promise<void>;
}

/** Starts the server. @param deps.port 0 selects a free port. @throws StartError with a remedy. */
export async function startServer(deps: {
  app: HttpApp;
  host: string;
  port: number;
  /** Names of the settings for host and port, for the message of a failed start. */
  settings?: typeof defaultSettings;
  log: Log;
  random: Pick<Random, 'newId'>;
  times?: Partial<ServerTimes>;
}): Promise<RunningServer> {
  const times = { ...defaultTimes, ...deps.times };
  const server = createServer({
    keepAliveTimeout: times.keepAliveMs,
    requestTimeout: Math.max(times.requestMs, times.uploadMs),
    // Starts at the first byte of a request, so it may be below keepAliveTimeout.
    headersTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkMs,
    maxHeaderSize: maxHeadBytes,
    // The app refuses such a request with an error body; Node would send none.
    requireHostHeader: false,
  });
  const requests = trackRequests(server);
  dropSlowReaders(server, times);
  const handle = deps.app.callback();
  const respond = respondInTurn(
    (req, res) => void handle(req, res),
    // Parsing is expensive, and unused connections from the same address are probably part of the flood.
    ({ remoteAddress }) => {
      requests.closeSilent(remoteAddress);
    },
  );
  server.on('request', (req, res) => {
    // Node still parses requests that arrived before the connection was closed.
    if (req.socket.destroyed) return;
    // Several middleware functions and each stream add a listener.
    res.setMaxListeners(maxListeners);
    requests.follow(req, res);
    endSlowRequest(server, req, times.requestMs);
    respond(req, res);
  });
  // An unknown Expect may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  refuseUnreadable(server, requests, deps);
  await listen(server, deps.host, deps.port, deps.settings ?? defaultSettings);
  server.on('error', (error) => deps.log.error({ error }, 'server reported an error'));

  let stopping: Promise<void> | null = null;
  return {
    url: urlOf(server.address() as AddressInfo),
    stop(stopTimes) {
      stopping ??= stopServer(server, requests, { ...stopTimes, lingerMs: times.lingerMs });
      return stopping;
    },
  };
}

const defaultSettings = { host: 'HOST', port: 'PORT' };

function listen(
  server: Server,
  host: string,
  port: number,
  settings: typeof defaultSettings,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const rejectStart = (error: Error) => reject(startErrorFor(error, host, port, settings));
    server.once('error', rejectStart).listen(port, host, () => {
      server.off('error', rejectStart);
      resolve();
    });
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const sweepMs = 50;

/** Times of a graceful stop, in ms. */
export interface StopTimes {
  /** New connections are accepted for this time, until load balancers have noticed the stop. */
  pauseMs: number;
  /** Time after the pause for one more request on an idle connection. */
  lingerMs: number;
  /** Time after the pause until the remaining connections are closed. */
  graceMs: number;
}

/**
 * Stops a server without interrupting a request. Node's `server.close()` immediately closes connections
 * between two requests, although a request may be in transit, so only listening ends at first. It also waits
 * a full keepAliveTimeout for connections that become idle later, so idle ones are closed repeatedly.
 */
export async function stopServer(
  server: Server,
  requests: Pick<RequestTracker, 'announceClose' | 'closeSilent' | 'isFlushing'>,
  times: StopTimes,
): Promise<void> {
  requests.announceClose();
  if (times.pauseMs > 0) await pause(times.pauseMs);
  await new Promise<void>((resolve) => {
    const sweepFromMs = Math.min(times.lingerMs, times.graceMs);
    let waitedMs = -sweepMs;
    const sweep = () => {
      waitedMs += sweepMs;
      // Node considers a connection idle when its response ends, before the client has received it.
      if (waitedMs >= sweepFromMs && !requests.isFlushing()) server.closeIdleConnections();
      if (waitedMs >= sweepFromMs) requests.closeSilent();
      if (waitedMs >= times.graceMs) server.closeAllConnections();
    };
    const timer = setInterval(sweep, sweepMs);
    closeListening(server, () => {
      clearInterval(timer);
      // Clears Node's timers.
      server.close();
      resolve();
    });
    sweep();
  });
}

/** Stops listening; calls `done` when the last connection has closed. */
function closeListening(server: Server, onClosed: () => void): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- the close of net.Server, not of http.Server
  Reflect.apply(NetServer.prototype.close, server, [onClosed]);
}

/** The server cannot start. The message tells the operator how to solve the problem. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The intended address, and the settings that define it. */
interface ListenPlace {
  host: string;
  port: number;
  settings: typeof defaultSettings;
}

const unknownHost = ({ host, settings }: ListenPlace) =>
  `Cannot find a host named ${host}. Set ${settings.host} to an address of this machine, such as 127.0.0.1.`;

const reasons: Readonly<Record<string, (place: ListenPlace) => string>> = {
  EADDRINUSE: ({ host, port, settings }) =>
    `Port ${port} on ${host} is in use by another program. Stop that program, or set ${settings.port} to a free port.`,
  EACCES: ({ port, settings }) =>
    `This user may not open port ${port}. Set ${settings.port} to 1024 or above, or use a reverse proxy.`,
  EADDRNOTAVAIL: ({ host, settings }) =>
    `${host} is not an address of this machine. Set ${settings.host} to one of its own, to 127.0.0.1 (only this machine) or to 0.0.0.0 (all).`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
};

/** Translates a listening error into a message for operators. */
export function startErrorFor(
  error: Error,
  host: string,
  port: number,
  settings = defaultSettings,
): StartError {
  const reason =
    reasons[errorCodeOf(error) ?? '']?.({ host, port, settings }) ??
    `Cannot listen on ${host}, port ${port}: ${error.message}`;
  return new StartError(reason, { cause: error });
}
