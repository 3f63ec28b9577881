import { importPackage } from '../adapters/providers/importPackage.ts';
import { createTraces, type TracePackages } from '../adapters/traces/createTraces.ts';
import type { Log } from '../application/ports/system.ts';
import { noTraces, type Traces } from '../application/ports/traces.ts';
import type { Config } from '../config.ts';

/** OpenTelemetry's packages that this release is tested with. */
export const tracePackages = {
  '@opentelemetry/sdk-trace': '3.1.0',
  '@opentelemetry/resources': '3.1.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
};

/** The traces of a process, and its log, whose lines name the trace that they belong to. */
export interface ComposedTraces {
  traces: Traces;
  log: Log;
  /** Sends what is left, for a moment. Never throws. */
  close(): Promise<void>;
}

/**
 * Traces where the settings ask for them; OpenTelemetry's packages are loaded only then, from PROVIDERS_DIR
 * or beside the gateway: they are a sixth of what a whole production installation takes.
 * @throws Error with the command that installs them.
 */
export async function composeTraces(config: Config, log: Log): Promise<ComposedTraces> {
  if (config.traces === null) return { traces: noTraces, log, close: async () => undefined };
  const install = Object.entries(tracePackages).map(([name, version]) => `${name}@${version}`);
  const load = (name: keyof typeof tracePackages) =>
    importPackage(name, config.providersDir, install.join(' '));
  const packages = {
    sdk: await load('@opentelemetry/sdk-trace'),
    resources: await load('@opentelemetry/resources'),
    exporters: await load('@opentelemetry/exporter-trace-otlp-http'),
  } as TracePackages;
  const traces = createTraces(packages, config.traces, log);
  return { traces, log: withTraceIds(log, traces), close: () => traces.close() };
}

/** Names trace and span by OpenTelemetry's names for logs that are not its own. */
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
