import type { ProviderHealth } from '../../domain/breaker.ts';
import type { ExpectedSize } from '../../domain/delivery.ts';
import type { Money } from '../../domain/cost.ts';
import type {
  CancelResult,
  PollResult,
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

/** The parts of a request that decide whether a route covers it and how its delivery should look. */
export type RoutedRequest = Omit<
  ProviderRequest,
  'inputs' | 'generationId' | 'prompt' | 'isRepeated'
> & {
  inputs: readonly Pick<ProviderInput, 'type' | 'role'>[];
};

/** Expected delivery of a route, for comparing it with the order. */
export interface RouteDelivery {
  /** The sizes to expect, by the provider's documentation where it says them. */
  sizesOf(request: RoutedRequest): ExpectedSize;
  /** Whether a result that differs grossly is refunded, or delivered because the operator says so. */
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

/** Costs of orders per provider and UTC day, over all processes. */
export interface BudgetStore {
  /** Counts an amount; false, counting nothing, if the day's sum would exceed the limit. */
  reserve(provider: string, day: string, amount: Money, limit: Money): Promise<boolean>;
  /** Subtracts a counted amount. */
  giveBack(provider: string, day: string, amount: Money): Promise<void>;
  /** Amounts counted on a day, by provider and currency. */
  spentOn(day: string): Promise<{ provider: string; spent: Money }[]>;
}

/** The result of re-reading ROUTES_FILE. */
export interface RoutesReload {
  result: 'reloaded' | 'unchanged' | 'refused';
  /** Reasons for a refusal: one sentence each, with the JSON path. */
  problems: readonly string[];
}

/** One process's result; `silent` if it did not answer in time. */
export interface ProcessReload extends Omit<RoutesReload, 'result'> {
  process: string;
  host: string;
  role: string;
  result: RoutesReload['result'] | 'silent';
}

/** The routes with a change applied to each, once per route. */
export function mapRoutes(routes: Routes, change: (route: Route) => Route): Routes {
  const changed = new WeakMap<Route, Route>();
  const changeOnce = (route: Route): Route => {
    const known = changed.get(route);
    if (known) return known;
    const made = change(route);
    changed.set(route, made);
    return made;
  };
  return {
    ...routes,
    of: (modelId, group) => routes.of(modelId, group).map(changeOnce),
    find: (provider, model, key) => {
      const route = routes.find(provider, model, key);
      return route && changeOnce(route);
    },
  };
}
