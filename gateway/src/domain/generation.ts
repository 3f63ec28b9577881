import type {
  FailureCode,
  ImageParameters,
  InputRole,
  InputType,
  Status,
  VideoParameters,
} from '@framegate/contract';
import type { Money } from './cost.ts';
import type { LotMovement } from './credits.ts';
import type { TraceContext } from './traceContext.ts';

/**
 * Where the work on a generation stands:
 * `waiting` for a place to run within its account; `ready` to be given to a provider; `parked` until a
 * provider has room; `submitting`, an attempt is written and the provider is being called (found so
 * with a lapsed lease, its outcome is unknown, I6); `submitted`, the provider works on it; `ended`.
 */
export type GenerationStep = 'waiting' | 'ready' | 'parked' | 'submitting' | 'submitted' | 'ended';

/** A failure as the record shows it; `param` names the input at fault. */
export interface GenerationFailure {
  code: FailureCode;
  param?: string;
}

/** An input of a generation: the customer's URL, or one of the account's own outputs. */
export interface GenerationInput {
  type: InputType;
  role: InputRole;
  url: string;
  /** Set when the URL is one of the account's own outputs: read from the store, not the network. */
  ownOutput: { generationId: string; index: number } | null;
  /** The id of the account's upload that the URL names, which is read from the store, too. */
  ownUpload?: string;
}

/** An input taken over into the media store. */
export interface StoredInput {
  key: string;
  mediaType: string;
  bytes: number;
  sha256: string;
}

/** A finished file in the media store. */
export interface GenerationOutput {
  key: string;
  extension: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Its posters are there, too: keys by `posterKey`. Shown by the site alone. */
  poster?: true;
}

/** What is kept of each use of real-person mode: for audits, never for a provider. */
export interface RealPersonRecord {
  consentReference: string;
  /** Version of our rules at that time. */
  policyVersion: string;
  callerAddress: string;
}

/**
 * One HTTP answer of a provider, without secrets and cut. Staff only, and behind a reason like the
 * prompt, which it may quote; it goes when the prompt goes.
 */
export interface ProviderAnswer {
  /** Method and host of the request. */
  request: string;
  /** HTTP status; null when no answer came. */
  status: number | null;
  mediaType: string | null;
  /** Null where it was not kept, such as an image call's success, which holds the images. */
  body: string | null;
  /** Why it failed on the way. */
  failure: string | null;
}

/** An answer and when it came, in ms since the epoch. */
export type KeptAnswer = ProviderAnswer & { at: number };

/**
 * Why work that a provider has accepted or finished was not delivered: it could not be fetched or stored
 * until the end of its time; the process had to stop before; the generation went to another process
 * meanwhile; the result has the wrong kind or is damaged; the files kept on arrival are gone from the media store,
 * as after restoring an older backup of the database.
 */
export type LostReason =
  'not_stored' | 'process_stopped' | 'lease_lost' | 'invalid_output' | 'file_missing';

/** What became of giving a generation to a provider. Staff only: names and ids here never leave. */
export interface Attempt {
  number: number;
  provider: string;
  model: string;
  startedAt: number;
  /** The name of the provider's key that it was given with; absent where it needs none. */
  key?: string;
  /** Set where that key alone was at fault, so that the route may be asked with another one. */
  keyRefused?: true;
  /** Set where the route has limits of its own, so that it is counted with them. */
  limited?: true;
  outcome: 'open' | 'accepted' | 'refused' | 'unknown' | 'completed' | 'failed';
  /** The provider's handle for asking again, as its adapter gave it. */
  operation: unknown;
  /** The same as people may read it, as JSON, where it repeats the provider's key; absent elsewhere. */
  operationShown?: string;
  /** Set where staff named the operation: it may name any address. */
  operationFrom?: 'staff';
  /** The provider's own words, for staff. */
  note: string | null;
  /** Why the last poll gave no result: an HTTP status, or why there was none. */
  fault?: string;
  /** Polls in a row that found the job finished while the provider could not hand its result over. */
  unreadableResults?: number;
  /** When it was found finished while its files could not be taken over. */
  finishedAt?: number;
  /** How often its finished files were asked for in vain, when the last time, and why it failed. */
  fetches?: { tries: number; at: number; error: string };
  /**
   * Its raw result in the media store, kept before it is cleaned so that any process can continue from it, and
   * never served. Absent once the generation has ended.
   */
  arrived?: { at: number; keys: string[] };
  /** What the order costs the operator; null: the route does not say. Absent in older ones. */
  cost?: Money | null;
  /** Nothing was ordered, or the provider's documentation says that it charges nothing for this end. */
  isFree?: boolean;
  /** The provider's own figures on what it made, as JSON; they hold no words of the prompt. */
  reported?: string;
  /** What the provider said when it was asked to cancel the job, because the generation had ended. */
  cancel?: { at: number; accepted: boolean; note: string };
  /** Why work that the provider has accepted or finished was not delivered. */
  lost?: { reason: LostReason; note: string };
  /**
   * The answer to the submission, and to the last poll that decided something or began to fail. The
   * store keeps them apart from the attempt, and only reads for staff bring them along.
   */
  answers?: { submit?: KeptAnswer; look?: KeptAnswer };
}

/** The provider's handle as people may read it: JSON without the provider's key; null without a handle. */
export function operationText({
  operation = null,
  operationShown,
}: Partial<Pick<Attempt, 'operation' | 'operationShown'>>): string | null {
  return operationShown ?? (operation === null ? null : JSON.stringify(operation));
}

/** One thing that happened to a generation, for staff. */
export interface TimelineEvent {
  at: number;
  what: string;
  /** Host and process id of the writer; the store adds it. */
  process?: string;
}

/** The first answer to a create, repeated byte for byte for the same key (I3). */
export interface StoredReplay {
  /** Account, method, path and Idempotency-Key: unique while kept. */
  scope: string;
  fingerprint: string;
  keptUntil: number;
  body: string;
  headers: Record<string, string>;
}

/**
 * A generation, the truth about itself: jobs are only wake-ups. Times in ms since the epoch in
 * database time, costs in credits.
 */
export interface Generation {
  id: string;
  accountId: string;
  channel: 'api' | 'pc';
  keyId: string | null;
  requestId: string;
  /** The span of its create, where that was traced. */
  trace?: TraceContext;
  type: 'video' | 'image';
  model: string;
  /** Videos only. */
  mode: string | null;
  prompt: string;
  inputs: GenerationInput[];
  parameters: VideoParameters | ImageParameters;
  /** The customer's declaration in real-person mode; never leaves the operator. */
  realPerson: RealPersonRecord | null;
  costCredits: number;
  /** The lots that paid. */
  charge: LotMovement[];
  status: Status;
  step: GenerationStep;
  createdAt: number;
  /** When a provider accepted it. */
  startedAt: number | null;
  endedAt: number | null;
  /** Past it the generation fails and is refunded: first the waiting, then the running deadline. */
  deadlineAt: number;
  /** When to poll it next, at the latest at the deadline; indexed while unfinished. */
  dueAt: number;
  /** Until when one worker has it to itself. */
  leaseUntil: number;
  /** Grows with each lease; a late write of an earlier holder names an older epoch and misses. */
  epoch: number;
  /**
   * The provider whose place it takes: the one that it is with, or that it was called to while parked.
   * Absent in one that was stored before places were.
   */
  place?: string | null;
  /** The same for a route with limits of its own, by the key of its breaker. */
  routePlace?: string | null;
  /**
   * Keys of the breakers of what may make it, once there is room: providers, or a model of one where that
   * is closed off. While parked, as decided at `at`.
   */
  waitsFor?: { providers: string[]; at: number };
  /** How often taking its inputs over was begun; absent before the first time. */
  inputTakeOvers?: number;
  storedInputs: StoredInput[] | null;
  attempts: Attempt[];
  outputs: GenerationOutput[];
  /** When the output files are deleted; null until completed. */
  outputsDeleteAt: number | null;
  outputsDeletedAt: number | null;
  /** When something of an ended generation is next to be removed: inputs first, then the outputs. */
  tidyAt: number | null;
  failure: GenerationFailure | null;
  replay: StoredReplay | null;
  timeline: TimelineEvent[];
}

/** A generation's attempts, with a change of the last one: the only one that can still change. */
export function withLastAttempt(attempts: readonly Attempt[], change: Partial<Attempt>): Attempt[] {
  return attempts.map((attempt, index) =>
    index === attempts.length - 1 ? { ...attempt, ...change } : attempt,
  );
}
