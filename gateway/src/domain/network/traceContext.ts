/** Version, trace id, parent id and flags; later versions may add fields (W3C Trace Context, 3.2.2). */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** A position in a trace: the parent span of subsequent work. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Parses a `traceparent` of W3C Trace Context; null for one that the standard tells readers to ignore. */
export function parseTraceparent(text: string): TraceContext | null {
  const [, traceId = '', spanId = '', flags = '', more] = form.exec(text) ?? [];
  const isLater = !text.startsWith('00-');
  // All-zero ids are invalid; a missing id is empty.
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  if (more !== undefined && !isLater) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Selection and destination of traces, as in OpenTelemetry's standard settings. */
export interface TraceSettings {
  /** URL of the collector, without its path `/v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** `service.name` and the operator's additions. */
  attributes: Readonly<Record<string, string>>;
  sampler: string;
  /** Ratio for the samplers that use one, 0 to 1. */
  ratio: number;
}
