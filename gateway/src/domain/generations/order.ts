import type { ImageParameters, InputRole, InputType, VideoParameters } from '@framegate/contract';
import type { LotMovement } from '../credits/credits.ts';
import type { TraceContext } from '../network/traceContext.ts';
import type { MonthCounted } from '../teams/members.ts';

/** Names a generation and the account that has it. */
export interface GenerationRef {
  id: string;
  accountId: string;
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

/** The record of a use of real-person mode, for audits and never for a provider. */
export interface RealPersonRecord {
  consentReference: string;
  /** Version of the operator's rules at the time. */
  policyVersion: string;
  callerAddress: string;
}

/** The first response to a create request, repeated byte for byte for the same key (I3). */
export interface StoredReplay {
  /** Account, method, path and Idempotency-Key: unique while kept. */
  scope: string;
  fingerprint: string;
  keptUntil: number;
  body: string;
  headers: Record<string, string>;
}

/** The types of generations and of their results. */
export const generationTypes = ['video', 'image'] as const;

/** The ordered model and its type. */
export interface OrderedModel {
  type: (typeof generationTypes)[number];
  model: string;
}

/** The output of an order: names and sizes of its files do not depend on their content. */
export interface OrderedResult extends OrderedModel {
  parameters: VideoParameters | ImageParameters;
}

/** Everything that a provider receives as an order. */
export interface OrderedWork extends OrderedResult {
  /** Videos only. */
  mode: string | null;
  prompt: string;
  inputs: GenerationInput[];
}

/** Origins of orders: the API, or the operator's own site. */
export const channels = ['api', 'pc'] as const;
/** The origin of an order. */
export type Channel = (typeof channels)[number];

/** Who placed an order. */
export interface Orderer {
  channel: Channel;
  keyId: string | null;
  /** The personal account of the site user who made it; absent for keys and for the operator's product. */
  madeBy?: string;
}

/** The final price of an order, in credits. */
export interface NetPrice {
  costCredits: number;
  /** 0 unless it has failed. */
  refundedCredits: number;
}

/** How an order was paid. */
export interface Payment extends NetPrice {
  /** The monthly counts raised by its charge; absent without a limit. */
  monthCounted?: MonthCounted;
  /** The lots that paid. */
  charge: LotMovement[];
}

/**
 * A generation's order as it was accepted. Only the refund, the replayed response and, for privacy, texts change later.
 */
export interface GenerationOrder extends GenerationRef, OrderedWork, Orderer, Payment {
  requestId: string;
  /** The span of its create, if traced. */
  trace?: TraceContext;
  /** The customer's declaration in real-person mode; never leaves the operator's systems. */
  realPerson: RealPersonRecord | null;
  /** The version of the catalogue that priced it. */
  catalogueVersion: number;
  /** Its account's group at creation, which sets its prices and routes; absent without one. */
  priceGroup?: string;
  replay: StoredReplay | null;
  /** The failed generation whose refused result staff deliver with this one. */
  replaces?: string;
}
