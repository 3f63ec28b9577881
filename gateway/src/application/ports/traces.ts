import type { Generation } from '../../domain/generation.ts';
import type { TraceContext } from '../../domain/traceContext.ts';

/**
 * What a span says of its work, for operators: ids, routes, providers, outcomes. Never a key, a prompt, an
 * address of a person or the URL of an input.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that is measured, as part of a trace. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
}

/** Where a span belongs, and what it says from its beginning. */
export interface SpanOptions {
  /** What it is a part of where that began in another process; else it is a part of what is under way. */
  parent?: TraceContext | null;
  /** Whether others asked for it or are asked by it; neither where it is not given. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
}

/** Traces of the work across processes. */
export interface Traces {
  /** Does work as a span; one that throws is marked by the error's name. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The span under way; null outside of all of them, and where nothing is traced. */
  current(): TraceContext | null;
}

const noSpan: Span = { rename: () => undefined, set: () => undefined };

/** Traces nothing. */
export const noTraces: Traces = {
  span: (_name, _options, work) => work(noSpan),
  current: () => null,
};

/** A piece of work on a generation as a span of the trace in which it was created. */
export function spanOf({ id, step, trace }: Generation): SpanOptions {
  const attributes = { 'framegate.generation_id': id, 'framegate.step': step };
  return trace ? { parent: trace, attributes } : { attributes };
}
