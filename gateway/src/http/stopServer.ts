import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { RequestTracker } from './trackRequests.ts';

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
