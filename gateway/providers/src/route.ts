import { deliveryAspects } from '@framegate/contract/deliveryAspects';
import type {
  CancelResult,
  Money,
  PollResult,
  ProviderHealth,
  ProviderInput,
  ProviderRequest,
  ShownRequest,
  Submission,
} from './providerRequests.ts';

export type * from './providerRequests.ts';

/** The origin of an operation: the provider's acceptance (usual), or staff. */
export type OperationSource = 'provider' | 'staff';

/** The operator's limits for one model of a provider, in addition to the provider's own; null for none. */
export interface RouteLimits {
  /** Maximum concurrent generations. */
  maxConcurrent: number | null;
  /** Maximum submissions in any 60 seconds. */
  startsPerMinute: number | null;
}

/** The operator's limits for polls of a provider's jobs; null for none. */
export interface PollLimits {
  /** Shortest pause between two polls of one job, in seconds. */
  everySeconds: number | null;
  /** Maximum polls in any 60 seconds, across all processes. */
  perMinute: number | null;
}

/** The parts of a request that decide whether a route covers it and which result is expected. */
export type RoutedRequest = Omit<
  ProviderRequest,
  'inputs' | 'generationId' | 'prompt' | 'isRepeated'
> & {
  inputs: readonly Pick<ProviderInput, 'type' | 'role' | 'seconds'>[];
};

/** Width and height of a picture or frame as displayed, in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The expected size of a result, from its provider's documentation. */
export interface ExpectedSize {
  /** The right sizes; empty if none is known. */
  sizes: readonly PixelSize[];
  /**
   * Where the ratio comes from: the order; the input picture; or either, if there is a picture and no document says
   * which the provider follows.
   */
  ratioFrom: 'order' | 'picture' | 'either';
}

/** The aspects for which the operator decides on results that differ from their orders. */
export const settledAspects = deliveryAspects.filter(
  (aspect) => aspect !== 'files' && aspect !== 'type',
);

/**
 * The treatment of a result that differs: a refund if the difference is gross; delivery in any case; or as stated for
 * each aspect, otherwise as with `refund`.
 */
export type DeliveryRule =
  | 'refund'
  | 'deliver'
  | Readonly<Partial<Record<(typeof settledAspects)[number], 'refund' | 'deliver'>>>;

/** Expected deliveries of a route, for comparison with orders. */
export interface RouteDelivery {
  /** The expected sizes, from the provider's documentation if it states them. */
  sizesOf(request: RoutedRequest): ExpectedSize;
  /** The treatment of a result that differs from its order. */
  rule: DeliveryRule;
}

/**
 * The order in which the routes of a model are tried: as listed, by the cost of the order, or by recent speed.
 * Weights decide between equal ones.
 */
export type RouteRanking = 'listed' | 'cost' | 'fastest';

/** A way to run a model: a provider and its own model id. */
export interface Route {
  provider: string;
  /** The provider's own model id. Staff only. */
  model: string;
  /** Maximum concurrent generations at this provider. */
  maxConcurrent: number;
  /** Maximum cost of the provider's orders per UTC day; null for no limit. */
  budget: Money | null;
  /** Own limits, shared by all routes to this provider's model; absent for none. */
  limits?: RouteLimits;
  /** Limits for polls of the provider's jobs; absent for none. */
  polls?: PollLimits;
  /** The operator's name of its region. */
  region?: string;
  /** The account groups that it is reserved for; absent if it is for all. */
  groups?: readonly string[];
  /** Its weight in the random order among weighted neighbours; null for a fixed position. */
  weight: number | null;
  /** Whether a submission of unknown outcome may be repeated. */
  safeToRepeat: boolean;
  /** Hosts of its most recent files that this process has seen. */
  fileHosts?(): readonly string[];
  /** Whether the route supports the whole request. */
  covers(request: RoutedRequest): boolean;
  delivery: RouteDelivery;
  /**
   * The operator's cost of an order; null if unknown.
   * @param tokens Those that the provider has reported for it, instead of an estimate.
   */
  findCost(
    request: Pick<RoutedRequest, 'parameters' | 'inputs'>,
    tokens?: number,
  ): Promise<Money | 'nothing' | null>;
  /** Names of the keys that make orders. Absent if it needs none. */
  keys?: readonly string[];
  /** Whether it polls and cancels with the key of this name, which may be a former one. Absent if it needs none. */
  knowsKey?(key: string): boolean;
  /** The fingerprint of the key that calls under this name use. Absent if it needs none. */
  keyPrintOf?(key: string | undefined): string;
  /** The keys in rotation: each call starts with the next one. */
  keysInTurn?(): readonly string[];
  /**
   * Submits; for image models this is the whole work. Throws only when aborted.
   * @param key One of `keys`; if it is absent or no longer exists, the first key of the file.
   */
  submit(request: ProviderRequest, signal: AbortSignal, key?: string): Promise<Submission>;
  /** The request of an order, built but not sent; null if the package builds none. Absent if orders are made here. */
  show?(request: ProviderRequest, signal: AbortSignal): Promise<ShownRequest | null>;
  /**
   * The operation for a provider's task id, entered by staff; null for an invalid id. Absent if the id does not suffice
   * for polling.
   */
  operationOf?(taskId: string): unknown;
  /** The provider's id of an operation's task; null if it is unknown where the operation has it. */
  taskIdOf?(operation: unknown): string | null;
  /**
   * Polls within the route's timeout. Throws only when aborted.
   * @param source An operation entered by staff is polled only at the API's own origins.
   * @param key The key of the order.
   */
  poll(
    operation: unknown,
    request: ProviderRequest,
    signal: AbortSignal,
    source?: OperationSource,
    key?: string,
  ): Promise<PollResult>;
  /**
   * Asks the provider to cancel an operation, within the route's timeout. Never throws. Absent if the provider
   * cannot cancel.
   * @param key The key of the order.
   */
  cancel?(operation: unknown, signal: AbortSignal, key?: string): Promise<CancelResult>;
  /**
   * Sends a free request that shows whether the provider is reachable and accepts the key; null if the response is
   * inconclusive. Never throws. Absent if no such request is documented.
   * @param key One of `keys`.
   */
  probe?(signal: AbortSignal, key?: string): Promise<ProviderHealth | null>;
}

/** The operator's routes. */
export interface Routes {
  /** Each provider with a route, once, with its own ids of the models used there. */
  providers(): readonly (Pick<Route, 'provider' | 'maxConcurrent' | 'budget' | 'polls'> & {
    models: readonly string[];
  })[];
  /**
   * A model's routes as listed.
   * @param group Only routes for accounts of this group, or of none (null); without it, all routes.
   */
  forModel(modelId: string, group?: string | null): readonly Route[];
  rankingOf(modelId: string): RouteRanking;
  /** The account groups named in the file. */
  groups(): readonly string[];
  /**
   * The route of an attempt, for polling its operation; null if the operator has removed the provider.
   * @param key The key of the order.
   */
  find(provider: string, model: string, key?: string): Route | null;
}
