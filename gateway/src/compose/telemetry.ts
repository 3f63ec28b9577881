import { type Log, minuteMs } from '@framegate/contract';
import { importPackage, type Routes } from '@framegate/provider-routes';
import {
  createMetrics,
  setCredits,
  setFigures,
  setUpkeepIdle,
} from '../adapters/metrics/metrics.ts';
import {
  measureDatabase,
  measureRoutes,
  startMetricsServer,
} from '../adapters/metrics/metricsServer.ts';
import { createFindCreditTotals } from '../adapters/mongo/accounts/accountStore.ts';
import { createFindEndFigures, createFindOpenFigures } from '../adapters/mongo/staff/figures.ts';
import type { TracePackages } from '../adapters/traces/traces.ts';
import type { AppCore } from '../application/app.ts';
import type { Meters } from '../application/meters.ts';
import { noTraces, type Traces } from '../application/ports/system.ts';
import { createFigures, type FigureReaders } from '../application/staff/figures.ts';
import type { Config } from '../config.ts';
import { chargeOf, costOfAttempt } from '../domain/providers/cost.ts';
import type { ConfigAndDatabase } from './core.ts';
import type { OpenDatabase } from './openDatabase.ts';
import { version } from './version.ts';

/** How long credit totals are reused: this many ms, or this multiple of the time to sum them over every account. */
const totalsMs = minuteMs;
const timesTaken = 30;

/** The measured parts of a gateway; unchanged without METRICS_PORT. */
interface MeasuredParts {
  mongo: OpenDatabase;
  routes: Routes;
  meters: Meters;
  stop(): Promise<void>;
}

const nothing = () => undefined;

/** Counts nothing. */
export const noMeters: Meters = {
  recordRequest: nothing,
  recordPoll: nothing,
  recordLost: nothing,
  recordCost: nothing,
  recordDifferences: nothing,
  recordSignIn: nothing,
  recordMail: nothing,
};

/** Measures a gateway and serves its metrics on METRICS_PORT. */
export async function composeMetrics(
  parts: ConfigAndDatabase &
    Pick<AppCore, 'routes' | 'log' | 'figures' | 'findUpkeepStates'> & { isReady: () => boolean },
): Promise<MeasuredParts> {
  const { config, mongo, routes, log, isReady } = parts;
  const { metricsHost: host, metricsPort } = config.http;
  if (metricsPort === null) {
    return {
      mongo,
      routes,
      meters: noMeters,
      stop: async () => undefined,
    };
  }
  const { clock, collections } = mongo;
  const metrics = createMetrics();
  const { version: node } = process;
  metrics.buildInfo.set({ version, node, role: config.role }, 1);
  const findTotals = createFindCreditTotals(collections);
  let totalsUntil = -Infinity;

  /** Omits figures from the database while it is unreachable; the others are still served. */
  async function loadFigures(): Promise<void> {
    try {
      setFigures(metrics, await parts.figures.loadOpen());
      setUpkeepIdle(metrics, await parts.findUpkeepStates());
      if (performance.now() < totalsUntil) return;
      const startedAt = performance.now();
      setCredits(metrics, await findTotals());
      const tookMs = performance.now() - startedAt;
      totalsUntil = performance.now() + Math.max(totalsMs, timesTaken * tookMs);
    } catch (error) {
      log.warn({ error }, 'failed to read figures for metrics');
      for (const gauge of [metrics.open, metrics.oldestSeconds, metrics.credits]) gauge.reset();
    }
  }

  const server = await startMetricsServer({
    host,
    port: metricsPort,
    contentType: metrics.register.contentType,
    ready: isReady,
    version,
    log,
    scrape: async () => {
      metrics.clockSkew.set(clock.skewMs() / 1000);
      for (const whose of ['database', 'machine'] as const) {
        metrics.clockWrong.set({ whose }, clock.wrongClock() === whose ? 1 : 0);
      }
      await loadFigures();
      return metrics.register.metrics();
    },
  });
  return {
    mongo: { ...mongo, database: measureDatabase(mongo.database, metrics) },
    routes: measureRoutes(routes, metrics, () => performance.now()),
    meters: {
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
        const { provider, model } = attempt;
        const cost = costOfAttempt(attempt);
        const charge = chargeOf(attempt);
        if (charge === 'none') return;
        if (!cost) {
          metrics.unknownCosts.inc({ provider, model, charge });
        } else {
          const { currency, micros } = cost;
          metrics.cost.inc({ provider, model, currency, charge }, micros / 1e6);
        }
      },
      recordDifferences({ provider, differences = [] }) {
        for (const { in: aspect, isGross = false } of differences) {
          metrics.differences.inc({ provider, in: aspect, gross: String(isGross) });
        }
      },
      recordMail(outcome) {
        metrics.mails.inc({ outcome });
      },
      recordSignIn(entryPoint, outcome) {
        metrics.signIns.inc({ entry_point: entryPoint, outcome });
      },
    },
    async stop() {
      await server.stop();
      metrics.register.clear();
    },
  };
}

/** Figures of the whole gateway, cached for the metrics and the console of this process. */
export function composeFigures({ mongo }: Pick<ConfigAndDatabase, 'mongo'>): FigureReaders {
  const { collections, clock } = mongo;
  return createFigures(
    createFindOpenFigures(collections, clock),
    createFindEndFigures(collections, clock),
    clock,
  );
}

/** The OpenTelemetry packages tested with this release. */
export const tracePackages = {
  '@opentelemetry/sdk-trace': '3.1.0',
  '@opentelemetry/resources': '3.1.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
};

/** The traces of a process, and a log whose lines name their trace. */
interface ComposedTraces {
  traces: Traces;
  log: Log;
  /** Sends remaining spans, within a short time. Never throws. */
  stop(): Promise<void>;
}

/**
 * Creates traces if configured. OpenTelemetry's packages, a sixth of a production installation, are loaded only then,
 * from PROVIDERS_DIR or from next to the gateway.
 * @throws Error with the command that installs them.
 */
export async function composeTraces({
  config,
  log,
}: {
  config: Config;
  log: Log;
}): Promise<ComposedTraces> {
  if (config.traces === null) return { traces: noTraces, log, stop: async () => undefined };
  const install = Object.entries(tracePackages).map(
    ([name, wantedVersion]) => `${name}@${wantedVersion}`,
  );
  const load = (name: keyof typeof tracePackages) =>
    importPackage(name, config.providersDir, install.join(' '));
  const packages = {
    sdk: await load('@opentelemetry/sdk-trace'),
    resources: await load('@opentelemetry/resources'),
    exporters: await load('@opentelemetry/exporter-trace-otlp-http'),
  } as TracePackages;
  const { createTraces } = await import('../adapters/traces/traces.ts');
  const traces = createTraces(packages, config.traces, log);
  return { traces, log: withTraceIds(log, traces), stop: () => traces.close() };
}

/** Adds trace and span ids under OpenTelemetry's field names, for external log readers. */
function withTraceIds(log: Log, traces: Traces): Log {
  const within = (fields: object) => {
    const current = traces.current();
    return current === null
      ? fields
      : { trace_id: current.traceId, span_id: current.spanId, ...fields };
  };
  return {
    debug: (fields, message) => log.debug(within(fields), message),
    info: (fields, message) => log.info(within(fields), message),
    warn: (fields, message) => log.warn(within(fields), message),
    error: (fields, message) => log.error(within(fields), message),
  };
}
