import type { IdPrefix } from '../../domain/ids.ts';

/**
 * Database time in ms since the epoch, kept from samples of the server's clock and a monotonic
 * counter, so that a wrong or stepping clock of this machine changes nothing (I7, I10).
 */
export interface Clock {
  now(): number;
  /** How far this machine's wall clock is from the database's, in ms (positive: ahead). */
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
  | 'complete.afterStored'
  | 'end.beforeTransaction'
  | 'end.beforeJobRemoval'
  | 'poll.afterProvider'
  | 'reconcile.beforeHealing';

/** Called at each labelled step. */
export type ReachFaultPoint = (point: FaultPoint) => void | Promise<void>;
