/** Version, trace id, parent id and flags; later versions may add fields (W3C Trace Context, 3.2.2). */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** A place in a trace: the span that what follows belongs to. */
export interface TraceContext {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Reads a `traceparent` of W3C Trace Context; null for one that the standard says to ignore. */
export function readTraceparent(text: string): TraceContext | null {
  const [, traceId = '', spanId = '', flags = '', more] = form.exec(text) ?? [];
  const isLater = !text.startsWith('00-');
  // Ids of zeros alone are invalid; an id that is missing is empty.
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  if (more !== undefined && !isLater) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The same as a `traceparent`. */
export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
