import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../application/ports/system.ts';

/** A server of metrics alone. */
export interface MetricsServer {
  /** Such as `http://127.0.0.1:9090/metrics`. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics` on a port of its own, for the operator's monitoring only, and `/healthz`, which says
 * that the process lives: a worker has no other port that an orchestrator could ask.
 * @param scrape Makes the text.
 * @throws when the port is in use.
 */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  contentType: string;
  scrape: () => Promise<string>;
  log: Log;
}): Promise<MetricsServer> {
  const { host, port, contentType, scrape, log } = options;
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/healthz') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at /metrics.\n');
      return;
    }
    scrape().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        log.error({ error }, 'metrics could not be made');
        response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics failed.\n');
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
      reject(new Error(`METRICS_PORT ${port} cannot be opened: ${why}.`));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}/metrics`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
