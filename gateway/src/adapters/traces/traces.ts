import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import type * as exporters from '@opentelemetry/exporter-trace-otlp-http';
import type * as resources from '@opentelemetry/resources';
import type * as sdk from '@opentelemetry/sdk-trace';
import type { Log } from '@framegate/contract';
import { giveUpAfter } from '@framegate/limits';
import type { Traces } from '../../application/ports/system.ts';
import type { TraceContext, TraceSettings } from '../../domain/network/traceContext.ts';

/** OpenTelemetry's packages, loaded only if traces are configured. */
export interface TracePackages {
  sdk: typeof sdk;
  resources: typeof resources;
  exporters: typeof exporters;
}

/** Time limit of one export, in ms. */
const exportMs = 10_000;
/** Time limit of the last export at a stop, in ms: the stop's grace is for work. */
const closeMs = 1_000;
/** Maximum ended spans waiting for export; further ones are dropped. */
const maxQueueSize = 4_096;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/**
 * Creates OpenTelemetry traces, sent in batches to a collector (OTLP over HTTP). An unavailable collector costs
 * spans and a log line, never time. Nothing global is set, so that no provider package sees a trace.
 */
export function createTraces(
  packages: TracePackages,
  settings: TraceSettings,
  log: Log,
): Traces & { close(): Promise<void> } {
  const { BatchSpanProcessor, TracerProvider } = packages.sdk;
  const exporter = new packages.exporters.OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: exportMs,
  });
  const provider = new TracerProvider({
    resource: packages.resources.resourceFromAttributes({ ...settings.attributes }),
    sampler: samplerOf(packages.sdk, settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(exporter, log),
        maxQueueSize,
        exportTimeoutMillis: exportMs,
      }),
    ],
  });
  const tracer = provider.getTracer('framegate');
  const underWay = new AsyncLocalStorage<Context>();

  return {
    async runInSpan(name, { parent = null, kind, attributes = {} }, work) {
      const context = parent === null ? (underWay.getStore() ?? ROOT_CONTEXT) : remote(parent);
      const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes };
      const span = tracer.startSpan(name, options, context);
      try {
        return await underWay.run(trace.setSpan(context, span), () =>
          work({
            rename: (better) => void span.updateName(better),
            set: (more) => void span.setAttributes(more),
          }),
        );
      } catch (error) {
        // Its message may contain data that must not be traced.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    current() {
      const context = underWay.getStore();
      const spanContext = context && trace.getSpanContext(context);
      if (!spanContext) return null;
      const { traceId, spanId, traceFlags } = spanContext;
      return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
    },
    async close() {
      await giveUpAfter(closeMs, provider.shutdown()).catch(() => {
        log.warn({}, 'failed to export the last spans');
      });
    },
  };
}

/** A context with another process's span as parent. */
function remote({ traceId, spanId, isSampled }: TraceContext): Context {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function samplerOf(
  { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler }: typeof sdk,
  { sampler, ratio }: TraceSettings,
): sdk.Sampler {
  const roots: Readonly<Record<string, () => sdk.Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[sampler.replace('parentbased_', '')]?.() ?? new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Logs once when exports start to fail, and once when they recover. */
function reportFailures(exporter: sdk.SpanExporter, log: Log): sdk.SpanExporter {
  let isFailing = false;
  return {
    export(spans, callback) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing) {
          log.warn({ error: result.error }, 'failed to export spans; they are dropped');
        }
        if (!hasFailed && isFailing) log.info({}, 'spans are exported again');
        isFailing = hasFailed;
        callback(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
