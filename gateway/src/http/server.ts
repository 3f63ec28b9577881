import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log, Random } from '../application/ports/system.ts';
import type { HttpApp } from './context.ts';
import { refuseUnreadable } from './refuseUnreadable.ts';
import { startErrorFor } from './startError.ts';
import { stopServer, type StopTimes } from './stopServer.ts';
import { trackRequests } from './trackRequests.ts';

/** Times of the server, in ms. */
export interface ServerTimes {
  /** An idle connection is kept this long: longer than a proxy in front keeps it (usually 60 s). */
  keepAliveMs: number;
  /** A request must have arrived whole by then, its head and its body. */
  requestMs: number;
  /** How often that is enforced. */
  checkMs: number;
  /** At a stop, connections between two requests are kept this long for one more. */
  lingerMs: number;
}

const usualTimes: ServerTimes = {
  keepAliveMs: 65_000,
  requestMs: 30_000,
  checkMs: 5_000,
  lingerMs: 250,
};

/** Request line and headers together, in bytes; beyond it 431. */
const maxHeadBytes = 16 * 1024;

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
    requestTimeout: times.requestMs,
    // Counted from the first byte of a request, so it need not be above keepAliveTimeout.
    headersTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkMs,
    maxHeaderSize: maxHeadBytes,
    // The app refuses it with a body; Node would answer without one.
    requireHostHeader: false,
  });
  const requests = trackRequests(server);
  const handle = deps.app.callback();
  server.on('request', (req, res) => void handle(req, res));
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
