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
 * Serves `/metrics` on a port of its own, for the operator's monitoring only, and `/healthz` and `/readyz`
 * as the API does: a worker has no other port that an orchestrator could ask.
 * @param scrape Makes the text.
 * @param ready Whether the process can do its part.
 * @throws when the port is in use.
 */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  contentType: string;
  scrape: () => Promise<string>;
  ready: () => boolean;
  log: Log;
}): Promise<MetricsServer> {
  const { host, port, contentType, scrape, ready, log } = options;
  const server = createServer((request, response) => {
    const answer = (code: number, status: string) =>
      response
        .writeHead(code, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status }));
    if (request.method === 'GET' && request.url === '/healthz') {
      answer(200, 'ok');
      return;
    }
    if (request.method === 'GET' && request.url === '/readyz') {
      if (ready()) answer(200, 'ready');
      else answer(503, 'not ready');
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
