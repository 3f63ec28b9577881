import { measureDatabase } from '../adapters/metrics/measureDatabase.ts';
import { measureRoutes } from '../adapters/metrics/measureRoutes.ts';
import { createMetrics, setCredits, setFigures, setLanes } from '../adapters/metrics/metrics.ts';
import { startMetricsServer } from '../adapters/metrics/metricsServer.ts';
import { createFindCreditTotals } from '../adapters/mongo/accountStore.ts';
import { createFindEndFigures } from '../adapters/mongo/endFigures.ts';
import { createFindOpenFigures } from '../adapters/mongo/openFigures.ts';
import type { Log } from '../application/ports/system.ts';
import type { Routes } from '../application/ports/providers.ts';
import type { MailOutcome, RecordSignIn } from '../application/site/ports.ts';
import { createFigures, type FigureReaders } from '../application/staff/figures.ts';
import type { LaneState } from '../application/upkeep/watchLanes.ts';
import type { Config } from '../config.ts';
import { chargeOf } from '../domain/cost.ts';
import type { Attempt, LostReason } from '../domain/generation.ts';
import type { RecordRequest } from '../http/middleware/logAccess.ts';
import type { OpenDatabase } from './openDatabase.ts';

/**
 * Credit totals are reused for this time, in ms, or for this multiple of the time that adding them up took:
 * every account is read for them.
 */
const [totalsMs, timesTaken] = [60_000, 30];

/** The parts of a gateway that metrics are taken from; without METRICS_PORT they stay as they are. */
export interface Measured {
  database: OpenDatabase;
  routes: Routes;
  recordRequest: RecordRequest;
  /** Counts each read of a generation by its owner. */
  recordPoll: (status: string) => void;
  /** Counts each finished result that was not delivered. */
  recordLost: (provider: string, reason: LostReason) => void;
  /** Counts what an attempt of an ended generation costs. */
  recordCost: (attempt: Attempt) => void;
  recordSignIn: RecordSignIn;
  recordMail: (outcome: MailOutcome) => void;
  stop(): Promise<void>;
}

/** Measures a gateway and serves its metrics on METRICS_PORT. */
export async function composeMetrics(
  config: Config,
  parts: {
    database: OpenDatabase;
    routes: Routes;
    log: Log;
    figures: FigureReaders;
    findLanes: () => Promise<LaneState[]>;
    ready: () => boolean;
  },
): Promise<Measured> {
  const { database: opened, routes, log } = parts;
  const { metricsHost: host, metricsPort } = config.http;
  const nothing = () => undefined;
  if (metricsPort === null) {
    return {
      database: opened,
      routes,
      recordRequest: nothing,
      recordPoll: nothing,
      recordLost: nothing,
      recordCost: nothing,
      recordSignIn: nothing,
      recordMail: nothing,
      stop: async () => undefined,
    };
  }
  const { clock, collections } = opened;
  const metrics = createMetrics();
  const findTotals = createFindCreditTotals(collections);
  let totalsUntil = -Infinity;

  /** Figures from the database are left out while it cannot be reached; the others are still served. */
  async function loadFigures(): Promise<void> {
    try {
      setFigures(metrics, await parts.figures.loadOpen());
      setLanes(metrics, await parts.findLanes());
      if (performance.now() < totalsUntil) return;
      const startedAt = performance.now();
      setCredits(metrics, await findTotals());
      const tookMs = performance.now() - startedAt;
      totalsUntil = performance.now() + Math.max(totalsMs, timesTaken * tookMs);
    } catch (error) {
      log.warn({ error }, 'figures could not be read for the metrics');
      for (const gauge of [metrics.open, metrics.oldestSeconds, metrics.credits]) gauge.reset();
    }
  }

  const server = await startMetricsServer({
    host,
    port: metricsPort,
    contentType: metrics.register.contentType,
    ready: parts.ready,
    log,
    scrape: async () => {
      metrics.clockSkew.set(clock.skewMs() / 1000);
      await loadFigures();
      return metrics.register.metrics();
    },
  });
  return {
    database: { ...opened, database: measureDatabase(opened.database, metrics) },
    routes: measureRoutes(routes, metrics, () => performance.now()),
    recordRequest({ method, route, status, ms }) {
      metrics.httpRequests.inc({ method, route, status: String(status) });
      metrics.httpSeconds.observe({ method, route }, ms / 1000);
    },
    recordPoll(status) {
      metrics.polls.inc({ status });
    },
    recordLost(provider, reason) {
      metrics.lostResults.inc({ provider, reason });
    },
    recordCost(attempt) {
      const { provider, model, cost } = attempt;
      const charge = chargeOf(attempt);
      if (charge === 'none') return;
      if (!cost) metrics.unknownCosts.inc({ provider, model, charge });
      else {
        const { currency, micros } = cost;
        metrics.cost.inc({ provider, model, currency, charge }, micros / 1e6);
      }
    },
    recordMail(outcome) {
      metrics.mails.inc({ outcome });
    },
    recordSignIn(door, outcome) {
      metrics.signIns.inc({ door, outcome });
    },
    async stop() {
      await server.stop();
      metrics.register.clear();
    },
  };
}

/** The figures of the whole gateway, read once for the metrics and the console of this process. */
export function composeFigures({
  collections,
  clock,
}: Pick<OpenDatabase, 'collections' | 'clock'>): FigureReaders {
  return createFigures(
    createFindOpenFigures(collections, clock),
    createFindEndFigures(collections, clock),
    clock,
  );
}
