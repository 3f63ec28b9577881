import type {
  FailureCode,
  ImageParameters,
  InputRole,
  InputType,
  VideoParameters,
} from '@framegate/contract';

/** An amount in millionths of a currency's unit: whole numbers, so that sums are exact. */
export interface Money {
  /** Three capital letters, as in ISO 4217. */
  currency: string;
  micros: number;
}

/** A file from a provider. */
export interface ProviderOutput {
  /** The host that it is fetched from; absent if it is here already. */
  host?: string;
  /** Opens it; may be called again after a failure. */
  read(signal: AbortSignal): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/**
 * One HTTP answer of a provider, shortened and without secrets. Only staff may read it, and only with a reason,
 * because it may quote the prompt; it is removed with the prompt.
 */
export interface ProviderAnswer {
  /** Method and host of the request. */
  request: string;
  /** HTTP status; null if no answer came. */
  status: number | null;
  mediaType: string | null;
  /** Null if not kept: the answer to a successful image call holds the images. */
  body: string | null;
  /** The network failure. */
  failure: string | null;
}

/** The state of the provider as shown by a submission, independent of the generation's outcome. */
export type ProviderHealth =
  | { kind: 'success' }
  /** The provider is at fault, not the request. */
  | { kind: 'failure' }
  /** The provider answers but refuses the key, or its account has no credit. */
  | { kind: 'key_failure' }
  /** The provider answers, but the requested model does not exist or is not available to us. */
  | { kind: 'model_failure' }
  /** Healthy but without capacity. `retryAfterMs` is the provider's own wish. */
  | { kind: 'busy'; retryAfterMs: number | null };

/** A request for a provider. */
export interface ProviderRequest {
  /** Framegate's reference. */
  generationId: string;
  type: 'video' | 'image';
  mode: string | null;
  prompt: string;
  inputs: readonly ProviderInput[];
  parameters: VideoParameters | ImageParameters;
  /** Whether an earlier submission of the same order has an unknown outcome. */
  isRepeated?: boolean;
}

/** A stored input, as bytes or as a short-lived URL of ours; never the customer's URL. */
export interface ProviderInput {
  type: InputType;
  role: InputRole;
  mediaType: string;
  read(): Promise<Uint8Array>;
  url(): string;
}

/** Details of the provider's answer, for staff only. */
interface Answered {
  /** Its last answer, if it was called over HTTP. */
  answer?: ProviderAnswer;
  /** Its own usage figures such as tokens, seconds or a price: JSON, at most 2,000 characters. */
  reported?: string;
}

/** The last fetch of a file within a submission. */
export interface Fetch {
  host: string;
  worked: boolean;
}

/** The outcome of a submission. `note` is for staff only. */
export type Submission = Answered & { fetch?: Fetch } & SubmissionResult;

/** The provider's handle of a job; `operationShown` is for people, if the handle contains the provider's key. */
interface Handle {
  operation: unknown;
  operationShown?: string;
}

type SubmissionResult =
  | ({ kind: 'accepted' } & Handle)
  | { kind: 'completed'; outputs: ProviderOutput[] }
  /**
   * Accepted, but an option was lost on the way, so the result would differ from the paid order. The generation
   * fails; `operation` is for staff.
   */
  | ({ kind: 'undelivered'; note: string } & Handle)
  /**
   * Definitely not accepted. With a `code` the generation fails with it; without one the next route is tried.
   * `busy`: the same request may be accepted later. `health`: the provider's state as shown by this; absent if
   * it is only about the request.
   */
  | {
      kind: 'refused';
      code: FailureCode | null;
      busy: boolean;
      note: string;
      health?: ProviderHealth;
    }
  | { kind: 'unknown'; note: string };

/** The result of polling an accepted submission. A `fault` is no verdict: the poll is repeated later. */
export type PollResult =
  | { kind: 'pending' }
  | (Answered &
      (
        | { kind: 'completed'; outputs: ProviderOutput[] }
        /** `isFree`: the provider's documentation says that this outcome is not charged. */
        | { kind: 'failed'; code: FailureCode; note: string; isFree?: boolean }
        /** `isFinished`: the job is finished but its result was unavailable. */
        | { kind: 'fault'; note: string; isFinished?: boolean; isFree?: boolean }
      ));

/** A provider's answer to a cancellation. `note` is for staff only. */
export interface CancelResult {
  /** Whether it accepted; some only stop jobs that have not begun. */
  accepted: boolean;
  note: string;
}

/** A provider's request that is not sent. */
export interface ShownRequest {
  method: string;
  url: string;
  /** Without the key. */
  body: string;
  /** Options of the route that change nothing in it. */
  ignored: readonly string[];
}

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
