import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { RequestTracker } from './trackRequests.ts';

const sweepMs = 50;

/**
 * Stops a server without cutting a request. Node's own `server.close()` cuts connections that are
 * between two requests at once, under a request that is on its way; so only the listening ends at
 * first. And it waits a whole keepAliveTimeout for a connection whose request ended later; so idle
 * ones are closed again and again.
 * @param times.lingerMs How long connections between two requests are kept for one more.
 * @param times.graceMs After it, what is left is closed.
 */
export function stopServer(
  server: Server,
  requests: Pick<RequestTracker, 'closeAll' | 'isFlushing'>,
  times: { graceMs: number; lingerMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    const sweepFromMs = Math.min(times.lingerMs, times.graceMs);
    let waitedMs = -sweepMs;
    const sweep = () => {
      waitedMs += sweepMs;
      // Node takes a connection for idle once its answer has ended, though the client may not have it yet.
      if (waitedMs >= sweepFromMs && !requests.isFlushing()) server.closeIdleConnections();
      if (waitedMs >= times.graceMs) server.closeAllConnections();
    };
    const timer = setInterval(sweep, sweepMs);
    closeListening(server, () => {
      clearInterval(timer);
      // Ends Node's own timers, too.
      server.close();
      resolve();
    });
    requests.closeAll();
    sweep();
  });
}

/** Takes no new connections; calls back once the last one is gone. */
function closeListening(server: Server, done: () => void): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- the close of net.Server, not of http.Server
  Reflect.apply(NetServer.prototype.close, server, [done]);
}
