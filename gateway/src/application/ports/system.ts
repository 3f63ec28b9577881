import type { Generation } from '../../domain/generation.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import type { TraceContext } from '../../domain/traceContext.ts';

/**
 * Database time in ms since the epoch, derived from samples of the server's clock and a monotonic counter, so
 * that a wrong or stepping local clock has no effect (I7, I10).
 */
export interface Clock {
  now(): number;
  /** The certain deviation of this machine's clock from the database's, in ms (positive: ahead). */
  skewMs(): number;
}

/** The only source of randomness. */
export interface Random {
  newId(prefix: IdPrefix): string;
  /** An id in the shard of the account, by which its data is found (`shardOf`). */
  newGenerationId(accountId: string): string;
  /** A seed for a generation without one: 1 to 2^31-1. */
  seed(): number;
  /** 0 to below 1. */
  fraction(): number;
  bytes(count: number): Uint8Array;
}

/** Structured logging; a subset of pino's methods. Never pass secrets, prompts or URLs. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Passwords of people; only their argon2id hashes are stored. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
  /** Whether it is on a list of common passwords, ignoring case. */
  isKnown(password: string): Promise<boolean>;
}

/**
 * Steps at which a test may stop the process, in the order in which a generation passes them; no effect in
 * production.
 */
export type FaultPoint =
  | 'create.beforeTransaction'
  | 'create.beforeAnswer'
  | 'inputs.afterStored'
  | 'submit.beforeProvider'
  | 'submit.afterProvider'
  | 'arrive.afterStored'
  | 'arrive.afterNoted'
  | 'complete.afterStored'
  | 'deliver.beforeNoted'
  | 'deliver.afterNoted'
  | 'end.beforeTransaction'
  | 'end.beforeJobRemoval'
  | 'poll.afterProvider'
  | 'reconcile.beforeHealing';

/** Called at each step. */
export type ReachFaultPoint = (point: FaultPoint) => void | Promise<void>;

/**
 * Attributes of a span, for operators: ids, routes, providers, outcomes. Never a key, a prompt, a person's
 * address or an input URL.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A measured piece of work in a trace. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
}

/** Parent, kind and initial attributes of a span. */
export interface SpanOptions {
  /** Its parent if that began in another process; else the current span. */
  parent?: TraceContext | null;
  /** Whether the work was requested by others or requests others; absent for neither. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
}

/** Traces of the work across processes. */
export interface Traces {
  /** Runs work as a span; if it throws, the span is marked with the error's name. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The current span; null outside any span and if tracing is off. */
  current(): TraceContext | null;
}

const noSpan: Span = { rename: () => undefined, set: () => undefined };

/** Traces nothing. */
export const noTraces: Traces = {
  span: (_name, _options, work) => work(noSpan),
  current: () => null,
};

/** Places work on a generation in the trace of its create. */
export function spanOf({
  id,
  step,
  trace,
}: Pick<Generation, 'id' | 'step' | 'trace'>): SpanOptions {
  const attributes = { 'framegate.generation_id': id, 'framegate.step': step };
  return trace ? { parent: trace, attributes } : { attributes };
}
