import type { Log } from '@framegate/contract';
import type { GenerationOrder } from '../../domain/generations/order.ts';
import type { WorkState } from '../../domain/generations/work.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import type { TraceContext } from '../../domain/network/traceContext.ts';
import type { WrongClock } from '../../domain/time/clockWitness.ts';

/**
 * Database time in ms since the epoch, derived from samples of the server's clock and a monotonic counter, so
 * that a wrong or stepping local clock has no effect (I7, I10).
 */
export interface Clock {
  now(): number;
  /** The proven deviation of this machine's clock from the database's, in ms (positive: ahead). */
  skewMs(): number;
  /**
   * Whose clock is wrong. While it is the database's, `now` goes on without its step, and nothing that would write
   * times may begin.
   */
  wrongClock(): WrongClock;
}

/** The only source of randomness. */
export interface Random {
  newId(prefix: IdPrefix): string;
  /** A seed for a generation that names none: 1 to 2^31-1. */
  seed(): number;
  /** A fraction from 0 to below 1. */
  fraction(): number;
  bytes(count: number): Uint8Array;
}

const ignore = () => undefined;
/** Logs nothing. */
export const noLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** An operator at a terminal. */
export interface Terminal {
  /** @returns The answer, without spaces around it. @throws CommandError if the input ends. */
  ask(question: string): Promise<string>;
  /** Asks without showing the answer. @returns The answer. @throws CommandError if the input ends. */
  askSecret(question: string): Promise<string>;
}

/** People's passwords; only their argon2id hashes are stored. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
  /** Whether it is on a list of common passwords, ignoring case, or among those that leaked somewhere. */
  isKnown(password: string): Promise<boolean>;
  /** Names of this installation, from `expectedWords`, which count little in a password. */
  words: readonly string[];
}

/**
 * Points at which a test may stop the process, in the order in which a generation reaches them; without effect
 * in production.
 */
export type FaultPoint =
  | 'create.beforeTransaction'
  | 'create.beforeResponse'
  | 'inputs.afterStored'
  | 'submit.beforeProvider'
  | 'submit.afterProvider'
  | 'arrive.afterStored'
  | 'arrive.afterNoted'
  | 'complete.afterStored'
  | 'deliver.beforeNoted'
  | 'deliver.afterNoted'
  | 'refuse.afterKept'
  | 'end.beforeTransaction'
  | 'end.beforeJobRemoval'
  | 'poll.afterProvider'
  | 'upkeep.beforeHealing'
  | 'handOver.beforeTransaction'
  | 'handOver.afterTransaction'
  | 'erase.beforeTransaction'
  | 'erase.afterTransaction'
  | 'search.beforeNoted';

/** Callback at each point. */
export type ReachFaultPoint = (point: FaultPoint) => void | Promise<void>;

/**
 * Attributes of a span, for operators: ids, routes, providers, outcomes. Never a key, a prompt, a person's
 * address or an input URL.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A measured unit of work in a trace. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
}

/** Parent, kind and initial attributes of a span. */
export interface SpanOptions {
  /** The parent if that began in another process; else the current span. */
  parent?: TraceContext | null;
  /** Whether the work serves a request or makes one; absent for neither. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
}

/** Traces of the work across processes. */
export interface Traces {
  /** Runs work as a span; if it throws, the span is marked with the error's name. */
  runInSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The current span; null outside spans and if tracing is off. */
  current(): TraceContext | null;
}

const noSpan: Span = { rename: () => undefined, set: () => undefined };

/** Traces nothing. */
export const noTraces: Traces = {
  runInSpan: (_name, _options, work) => work(noSpan),
  current: () => null,
};

/** Places work on a generation in the trace of its create. */
export function spanOf({
  id,
  step,
  trace,
}: Pick<GenerationOrder, 'id' | 'trace'> & Pick<WorkState, 'step'>): SpanOptions {
  const attributes = { 'framegate.generation_id': id, 'framegate.step': step };
  return trace ? { parent: trace, attributes } : { attributes };
}
