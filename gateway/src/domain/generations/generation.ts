import type {
  FailureCode,
  ImageParameters,
  InputRole,
  InputType,
  Status,
  VideoParameters,
} from '@framegate/contract';
import type { WrongFile } from '@framegate/contract/fileKinds';
import type { Attempt } from './attempt.ts';
import type { LotMovement } from '../credits/credits.ts';
import type { MonthCounted } from '../teams/members.ts';
import type { TraceContext } from '../network/traceContext.ts';

/**
 * The state of the work on a generation. `waiting`: for a slot to run within its account; `ready`: for a provider;
 * `parked`: until a provider has a free slot; `submitting`: an attempt is stored and the provider is being called (its outcome
 * is unknown once the lease expires, I6); `submitted`: the provider works on it; `ended`.
 */
export type GenerationStep = 'waiting' | 'ready' | 'parked' | 'submitting' | 'submitted' | 'ended';

/** A failure as the record shows it; `param` names the input at fault. */
export interface GenerationFailure {
  code: FailureCode;
  param?: string;
  /** What the file at `param` is, if it is of another kind than the input takes. */
  wrongFile?: WrongFile;
  /** Set if its owner withdrew it before a provider had it; shown only on the site. */
  takenBack?: true;
}

/** An input of a generation: the customer's URL, or one of the account's own outputs. */
export interface GenerationInput {
  type: InputType;
  role: InputRole;
  url: string;
  /** Set if the URL is one of the account's own outputs, which are read from the store instead of the network. */
  ownOutput: { generationId: string; index: number } | null;
  /** Id of the account's upload named by the URL, also read from the store. */
  ownUpload?: string;
}

/** An input copied into the media store. */
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
  /** Set if its posters are stored as well, under `posterKey`. Shown only on the site. */
  poster?: true;
}

/** The record of a use of real-person mode, for audits and never for a provider. */
export interface RealPersonRecord {
  consentReference: string;
  /** Version of the operator's rules at the time. */
  policyVersion: string;
  callerAddress: string;
}

/** One event in the history of a generation, for staff. */
export interface TimelineEvent {
  at: number;
  what: string;
  /** Host and process id of the writer, added by the store. */
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
 * A generation. This record is authoritative; jobs only wake work up. Times in ms since the epoch in database time,
 * costs in credits.
 */
export interface Generation {
  id: string;
  accountId: string;
  channel: 'api' | 'pc';
  keyId: string | null;
  /** The personal account of the site user who made it; absent for keys and for the operator's product. */
  madeBy?: string;
  requestId: string;
  /** The span of its create, if traced. */
  trace?: TraceContext;
  type: 'video' | 'image';
  model: string;
  /** Videos only. */
  mode: string | null;
  prompt: string;
  inputs: GenerationInput[];
  parameters: VideoParameters | ImageParameters;
  /** The customer's declaration in real-person mode; never leaves the operator's systems. */
  realPerson: RealPersonRecord | null;
  costCredits: number;
  /** The version of the catalogue that priced it. */
  catalogueVersion: number;
  /** Its account's group at creation, which sets its prices and routes; absent without one. */
  priceGroup?: string;
  /** 0 unless it has failed. */
  refundedCredits: number;
  /** The monthly counts raised by its charge; absent without a limit. */
  monthCounted?: MonthCounted;
  /** The lots that paid. */
  charge: LotMovement[];
  status: Status;
  step: GenerationStep;
  createdAt: number;
  /** When a provider accepted it. */
  startedAt: number | null;
  endedAt: number | null;
  /** When the generation fails and is refunded: first the waiting deadline, then the running deadline. */
  deadlineAt: number;
  /** The next poll, at the latest at the deadline; indexed while unfinished. */
  dueAt: number;
  /** End of one worker's exclusive lease. */
  leaseUntil: number;
  /** Incremented with each lease; a late write of an earlier holder names an older epoch and matches nothing. */
  epoch: number;
  /** The provider whose slot it occupies: the current one, or the one it was called to while parked. */
  providerSlot: string | null;
  /** The slot at a route with its own limits, by the route's breaker key; absent in storage without one. */
  routeSlot?: string | null;
  /**
   * While parked: the breaker keys of the providers that can make it (or of a provider's model while that is closed
   * off), as decided at `at`.
   */
  waitsFor?: { providers: string[]; at: number };
  /** Number of times that copying its inputs was started; absent before the first. */
  inputTakeOvers?: number;
  /** Null until the inputs are copied, empty once they are removed. */
  storedInputs: StoredInput[] | null;
  attempts: Attempt[];
  outputs: GenerationOutput[];
  /** When the output files will be deleted; null until completed. */
  outputsDeleteAt: number | null;
  outputsDeletedAt: number | null;
  /** When the next part of an ended generation is due for removal: inputs first, then outputs. */
  tidyAt: number | null;
  failure: GenerationFailure | null;
  replay: StoredReplay | null;
  timeline: TimelineEvent[];
  /** Number of its account's latest ledger entry at its end, which places it among the entries. */
  endNumber?: number;
  /** The failed generation whose refused result staff deliver with this one. */
  replaces?: string;
  /** Set while it is among its owner's favourites. */
  favourite?: true;
  /** The owner's collections that contain it; absent before the first one. */
  collectionIds?: string[];
  /** When its owner deleted it: files and prompt are removed, record and charge stay. */
  removedAt?: number;
  /** Position among the account's ends and events after that entry (`orderOf`). */
  endOrder?: number;
}

/** The fields of a generation that polls its provider need; kept small because a process has thousands in memory. */
export type PolledGeneration = Pick<
  Generation,
  | 'id'
  | 'accountId'
  | 'epoch'
  | 'step'
  | 'type'
  | 'mode'
  | 'parameters'
  | 'inputs'
  | 'storedInputs'
  | 'attempts'
  | 'startedAt'
  | 'deadlineAt'
  | 'dueAt'
  | 'trace'
>;

/**
 * A moment of a generation's history: never before the earlier ones, although a clock was set back meanwhile.
 * @param nowMs Database time.
 */
export const momentOf = (
  { createdAt, startedAt }: Pick<Generation, 'createdAt' | 'startedAt'>,
  nowMs: number,
): number => Math.max(nowMs, createdAt, startedAt ?? createdAt);
