import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@framegate/contract';
import type { Route, Routes } from '@framegate/provider-routes';
import type { AccountDecision, Database } from '../../application/ports/database.ts';
import { mapRoutes } from '../../application/ports/providers.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import type { Metrics } from './metrics.ts';

/** A running metrics server. */
export interface MetricsServer {
  /** URL, such as `http://127.0.0.1:9090/metrics`. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics` on a separate port, only for the operator's monitoring, with `/healthz` and `/readyz`, because a
 * worker has no other port for an orchestrator.
 * @param options.scrape Returns the metrics as text.
 * @throws If the port is in use.
 */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  contentType: string;
  scrape: () => Promise<string>;
  ready: () => boolean;
  /** The version shown in health responses. */
  version: string;
  log: Log;
}): Promise<MetricsServer> {
  const { host, port, contentType, ready, version, log } = options;
  let scraping: Promise<string> | null = null;
  /** Collects the metrics once for all requests that wait for them: it holds up the thread for some ms. */
  const scrape = () => {
    scraping ??= options.scrape().finally(() => {
      scraping = null;
    });
    return scraping;
  };
  const server = createServer((request, response) => {
    const respond = (code: number, status: string) =>
      response
        .writeHead(code, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status, version }));
    if (request.method === 'GET' && request.url === '/healthz') {
      respond(200, 'ok');
      return;
    }
    if (request.method === 'GET' && request.url === '/readyz') {
      if (ready()) respond(200, 'ready');
      else respond(503, 'not ready');
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at /metrics.\n');
      return;
    }
    scrape().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        log.error({ error }, 'failed to collect metrics');
        response
          .writeHead(500, { 'content-type': 'text/plain' })
          .end('Failed to collect metrics.\n');
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
      reject(new Error(`METRICS_PORT ${port} failed to open: ${why}.`));
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

/** Wraps the database to count committed generations, ends and ledger entries. */
export function measureDatabase(database: Database, metrics: Metrics): Database {
  const countEntry = ({ kind, amount }: LedgerEntry): void => {
    metrics.ledgerEntries.inc({ kind });
    metrics.ledgerCredits.inc({ kind }, Math.abs(amount));
  };

  function countDecision({ insert, end, entry }: AccountDecision<unknown>): void {
    if (insert) metrics.accepted.inc({ model: insert.model, channel: insert.channel });
    if (entry) countEntry(entry);
    if (!end) return;
    const { generation, change } = end;
    const { model, createdAt } = generation;
    const { status = 'failed', failure, endedAt } = change;
    metrics.ended.inc({ model, status, code: failure?.code ?? '' });
    if (entry?.kind === 'refund') metrics.refunds.inc({ model });
    if (status === 'completed') {
      metrics.generationSeconds.observe({ model }, ((endedAt ?? createdAt) - createdAt) / 1000);
    }
  }

  return {
    ...database,
    async changeAccount(accountId, decide, withinMs) {
      // The decision may run more than once; only the last run is written.
      let last: AccountDecision<unknown> | undefined;
      const result = await database.changeAccount(
        accountId,
        async (account) => {
          const decision = await decide(account);
          last = decision;
          return decision;
        },
        withinMs,
      );
      if (last) countDecision(last);
      return result;
    },
  };
}

/** Wraps the routes to count and time each call by outcome. */
export function measureRoutes(routes: Routes, metrics: Metrics, nowMs: () => number): Routes {
  return mapRoutes(routes, (route) => measureRoute(route, metrics, nowMs));
}

function measureRoute(route: Route, metrics: Metrics, nowMs: () => number): Route {
  const { provider, model } = route;
  async function measureTime<T>(
    call: 'submit' | 'poll',
    work: () => Promise<T>,
    outcomeOf: (result: T) => string,
  ): Promise<T> {
    const startedAt = nowMs();
    let outcome = 'aborted';
    try {
      const result = await work();
      outcome = outcomeOf(result);
      return result;
    } finally {
      metrics.providerCalls.inc({ provider, model, call, outcome });
      metrics.providerSeconds.observe({ provider, call }, (nowMs() - startedAt) / 1000);
    }
  }
  return {
    ...route,
    submit: (request, signal, key) =>
      measureTime(
        'submit',
        () => route.submit(request, signal, key),
        (result) => (result.kind === 'refused' && result.isBusy ? 'busy' : result.kind),
      ),
    poll: (operation, request, signal, source, key) =>
      measureTime(
        'poll',
        () => route.poll(operation, request, signal, source, key),
        ({ kind }) => kind,
      ),
  };
}
