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

/** The operator's limits for one model of a provider, beside the provider's own; null for none. */
export interface RouteLimits {
  /** Maximum concurrent generations. */
  maxConcurrent: number | null;
  /** Maximum submissions in any 60 seconds. */
  startsPerMinute: number | null;
}

/** The parts of a request that decide whether a route covers it and which result is expected. */
export type RoutedRequest = Omit<
  ProviderRequest,
  'inputs' | 'generationId' | 'prompt' | 'isRepeated'
> & {
  inputs: readonly Pick<ProviderInput, 'type' | 'role'>[];
};

/** Width and height of a picture or frame as displayed, in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Expected result of an order, by the provider's documentation. */
export interface ExpectedSize {
  /** The right sizes; empty if none is known. */
  sizes: readonly PixelSize[];
  /**
   * The origin of the ratio: the order; the input picture; or either, where a picture is given and no document
   * says which of the two the provider follows.
   */
  ratioFrom: 'order' | 'picture' | 'either';
}

/** Expected deliveries of a route, for comparing results with orders. */
export interface RouteDelivery {
  /** The sizes to expect, by the provider's documentation where it says them. */
  sizesOf(request: RoutedRequest): ExpectedSize;
  /** Treatment of a result that differs grossly: a refund, or delivery if the operator says so. */
  onGross: 'refund' | 'deliver';
}

/**
 * In which order the routes of a model are tried: as listed, by the cost of the order, or by the speed at which they
 * made the last ones. Weights decide between equal ones.
 */
export type RouteOrder = 'listed' | 'cost' | 'fastest';

/** A way to run a model: a provider and its own model id. */
export interface Route {
  provider: string;
  /** The provider's own model id. Staff only. */
  model: string;
  /** Maximum concurrent generations at this provider. */
  maxConcurrent: number;
  /** Maximum cost of the provider's orders per UTC day; null for no limit. */
  budget: Money | null;
  /** Own limits, shared by all routes to this model of the provider; absent for none. */
  limits?: RouteLimits;
  /** The operator's name of the region in which it works. */
  region?: string;
  /** The groups of accounts that it is reserved for; absent: it is for all. */
  groups?: readonly string[];
  /** Its weight in the random order among weighted neighbours; null keeps its position. */
  weight: number | null;
  /** Whether a submission of unknown outcome may be repeated. */
  safeToRepeat: boolean;
  /** Hosts from which its last files came, as far as this process knows. */
  fileHosts?(): readonly string[];
  /** Whether the route supports the whole request. */
  covers(request: RoutedRequest): boolean;
  delivery: RouteDelivery;
  /** The operator's cost of an order; null if unknown. */
  costOf(request: Pick<ProviderRequest, 'parameters'>): Promise<Money | 'nothing' | null>;
  /** Names of its keys. Absent if it needs none. */
  keys?: readonly string[];
  /** The same in rotation: each call starts with the next key. */
  keysInTurn?(): readonly string[];
  /**
   * Submits; for image models this is the whole work. Throws only when aborted.
   * @param key One of `keys`; without one, or if it is gone, the file's first.
   */
  submit(request: ProviderRequest, signal: AbortSignal, key?: string): Promise<Submission>;
  /**
   * The request of an order as it would leave, without sending it; null if the package builds none. Absent if orders
   * are made here.
   */
  show?(request: ProviderRequest, signal: AbortSignal): Promise<ShownRequest | null>;
  /**
   * The operation for a provider's task id, which staff have; null for an invalid id. Absent if the id is not
   * sufficient for polling.
   */
  operationOf?(taskId: string): unknown;
  /**
   * Polls within the route's timeout. Throws only when aborted.
   * @param source An operation entered by staff is polled only at the API's own origins.
   * @param key The one used for the order.
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
   * does not offer it.
   * @param key The one used for the order.
   */
  cancel?(operation: unknown, signal: AbortSignal, key?: string): Promise<CancelResult>;
  /**
   * Asks the provider for something free that shows whether it is reachable and accepts the key; null if the answer
   * leaves that open. Never throws. Absent if no such request is documented.
   * @param key One of `keys`.
   */
  probe?(signal: AbortSignal, key?: string): Promise<ProviderHealth | null>;
}

/** The operator's routes. */
export interface Routes {
  /** Each provider with a route, once, with its own ids of the models requested there. */
  providers(): readonly (Pick<Route, 'provider' | 'maxConcurrent' | 'budget'> & {
    models: readonly string[];
  })[];
  /**
   * A model's routes as listed.
   * @param group Only those for the accounts of a group, or of none (null); without it, all.
   */
  of(modelId: string, group?: string | null): readonly Route[];
  orderOf(modelId: string): RouteOrder;
  /** The groups of accounts that the file names. */
  groups(): readonly string[];
  /**
   * The route that an attempt used, for polling its operation; null if the operator no longer has the provider.
   * @param key The one used for the order.
   */
  find(provider: string, model: string, key?: string): Route | null;
}
