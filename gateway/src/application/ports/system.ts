import type { Generation } from '../../domain/generation.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import type { TraceContext } from '../../domain/traceContext.ts';

/**
 * Database time in ms since the epoch, kept from samples of the server's clock and a monotonic
 * counter, so that a wrong or stepping clock of this machine changes nothing (I7, I10).
 */
export interface Clock {
  now(): number;
  /** How far this machine's wall clock certainly is from the database's, in ms (positive: ahead). */
  skewMs(): number;
}

/** The only source of randomness. */
export interface Random {
  newId(prefix: IdPrefix): string;
  /** A seed for a generation whose caller gave none: 1 to 2^31-1. */
  seed(): number;
  /** 0 to below 1. */
  fraction(): number;
  bytes(count: number): Uint8Array;
}

/** Structured logging; a subset of pino's methods. Never hand it secrets, prompts or URLs. */
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
 * Steps at which a test may stop the process; in production the call does nothing. In the order
 * in which a generation passes them.
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
  | 'end.beforeTransaction'
  | 'end.beforeJobRemoval'
  | 'poll.afterProvider'
  | 'reconcile.beforeHealing';

/** Called at each labelled step. */
export type ReachFaultPoint = (point: FaultPoint) => void | Promise<void>;

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
