import type {
  FailureCode,
  ImageParameters,
  InputRole,
  InputType,
  VideoParameters,
} from '@framegate/contract';
import type { ProviderOutput } from './media.ts';
import type { ProviderHealth } from '../../domain/breaker.ts';
import type { Money } from '../../domain/cost.ts';
import type { ProviderAnswer } from '../../domain/generation.ts';

/** What a provider is asked for. */
export interface ProviderRequest {
  /** Our reference. */
  generationId: string;
  type: 'video' | 'image';
  mode: string | null;
  prompt: string;
  inputs: readonly ProviderInput[];
  parameters: VideoParameters | ImageParameters;
}

/** An input in the store, as bytes or as a short-lived URL of ours; never the customer's URL. */
export interface ProviderInput {
  type: InputType;
  role: InputRole;
  mediaType: string;
  read(): Promise<Uint8Array>;
  url(): string;
}

/** What the provider said. For staff only. */
interface Answered {
  /** Its last answer, where it was asked over HTTP. */
  answer?: ProviderAnswer;
  /** Figures of its own on what it made, such as tokens, seconds or a price: JSON, at most 2,000 characters. */
  reported?: string;
}

/** What came of a submission. `note` is for staff only. */
export type Submission = Answered & SubmissionResult;

/** The provider's handle of a job; `operationShown`, where the handle repeats the provider's key, is for people. */
interface Handle {
  operation: unknown;
  operationShown?: string;
}

type SubmissionResult =
  | ({ kind: 'accepted' } & Handle)
  | { kind: 'completed'; outputs: ProviderOutput[] }
  /**
   * It has taken the work but will not deliver all that is paid for: an option was lost on the way. The
   * generation ends failed; `operation` is for staff.
   */
  | ({ kind: 'undelivered'; note: string } & Handle)
  /**
   * Definitely not accepted. With a `code` the generation ends so; without one the next route is tried.
   * `busy`: the same may be accepted later. `health`: what this says about the provider itself; absent
   * where it is about the request alone.
   */
  | {
      kind: 'refused';
      code: FailureCode | null;
      busy: boolean;
      note: string;
      health?: ProviderHealth;
    }
  | { kind: 'unknown'; note: string };

/** What a poll of an accepted submission says. A `fault` is no verdict: it is polled again later. */
export type PollResult =
  | { kind: 'pending' }
  | (Answered &
      (
        | { kind: 'completed'; outputs: ProviderOutput[] }
        /** `isFree`: the provider's documentation says that it charges nothing for work that ends so. */
        | { kind: 'failed'; code: FailureCode; note: string; isFree?: boolean }
        /** `isFinished`: the job is finished; only its result could not be had. */
        | { kind: 'fault'; note: string; isFinished?: boolean; isFree?: boolean }
      ));

/** What a provider said when it was asked to cancel a job. `note` is for staff only. */
export interface CancelResult {
  /** Whether it has taken the wish; some stop only what has not begun. */
  accepted: boolean;
  note: string;
}

/** Who named an operation: the provider as it accepted a submission (the usual), or staff. */
export type OperationSource = 'provider' | 'staff';

/** What the operator limits for one model of a provider, beside the provider's places; null: nothing. */
export interface RouteLimits {
  /** Generations that may be with it at once. */
  maxConcurrent: number | null;
  /** Submissions in any 60 seconds. */
  startsPerMinute: number | null;
}

/** One way to have a model's work done: a provider and its own model id. */
export interface Route {
  provider: string;
  /** The provider's own model id. Staff only. */
  model: string;
  /** Generations that may be with this provider at once. */
  maxConcurrent: number;
  /** The most that the provider's orders of a day (UTC) may cost; null: no limit. */
  budget: Money | null;
  /** Limits of its own, which count together all that goes to this model of the provider; absent: none. */
  limits?: RouteLimits;
  /** Its weight in the random order with its weighted neighbours; null: it keeps its position. */
  weight: number | null;
  /** Whether a submission of unknown outcome may be repeated. */
  safeToRepeat: boolean;
  /** Whether it covers the whole request. */
  covers(
    request: Omit<ProviderRequest, 'inputs' | 'generationId' | 'prompt'> & {
      inputs: readonly Pick<ProviderInput, 'type' | 'role'>[];
    },
  ): boolean;
  /** What an order costs the operator; null: it is not known. */
  costOf(request: Pick<ProviderRequest, 'parameters'>): Promise<Money | 'nothing' | null>;
  /** Names of the keys that it may be asked with. Absent where it needs none. */
  keys?: readonly string[];
  /** The same, the next in turn first: each call begins with another one. */
  keysInTurn?(): readonly string[];
  /**
   * Submits; for image models the whole work. Throws only when aborted.
   * @param key One of `keys`; the first of the file where none is given, or it is gone.
   */
  submit(request: ProviderRequest, signal: AbortSignal, key?: string): Promise<Submission>;
  /**
   * The operation of a task of which staff know only the provider's own id; null for an invalid id.
   * Absent where an id is not enough to poll it.
   */
  operationOf?(taskId: string): unknown;
  /**
   * Polls it, within a timeout of the route. Throws only when aborted.
   * @param source An operation that staff typed is polled at the API's own origins only.
   * @param key The one that ordered it.
   */
  poll(
    operation: unknown,
    request: ProviderRequest,
    signal: AbortSignal,
    source?: OperationSource,
    key?: string,
  ): Promise<PollResult>;
  /**
   * Asks the provider to stop working on an operation, within a timeout of the route. Never throws. Absent
   * where the provider does not offer it.
   * @param key The one that ordered it.
   */
  cancel?(operation: unknown, signal: AbortSignal, key?: string): Promise<CancelResult>;
}

/** The operator's routes. */
export interface Routes {
  /** Each provider that a route leads to, once, with its own ids of the models that are asked for there. */
  providers(): readonly (Pick<Route, 'provider' | 'maxConcurrent' | 'budget'> & {
    models: readonly string[];
  })[];
  /** In the operator's order; empty when the model has none. */
  of(modelId: string): readonly Route[];
  /**
   * The route that an attempt used, by which its operation is polled; null when the operator no longer has
   * the provider.
   * @param key The one that ordered it.
   */
  find(provider: string, model: string, key?: string): Route | null;
}

/** What the orders at providers cost in a day (UTC), counted over all processes. */
export interface BudgetStore {
  /** Counts an amount, unless the sum of the day would be above the limit; false: nothing was counted. */
  reserve(provider: string, day: string, amount: Money, limit: Money): Promise<boolean>;
  /** Takes an amount that was counted out again. */
  giveBack(provider: string, day: string, amount: Money): Promise<void>;
  /** What was counted on a day, by provider and currency. */
  spentOn(day: string): Promise<{ provider: string; spent: Money }[]>;
}

/** What came of reading ROUTES_FILE again. */
export interface RoutesReload {
  result: 'reloaded' | 'unchanged' | 'refused';
  /** Why it was refused: one sentence each, with the JSON path at fault. */
  problems: readonly string[];
}

/** What one process made of its routes file; `silent`: it has not answered in time. */
export interface ProcessReload extends Omit<RoutesReload, 'result'> {
  process: string;
  host: string;
  role: string;
  result: RoutesReload['result'] | 'silent';
}

/** The routes, each as a change makes it, once. */
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
    of: (modelId) => routes.of(modelId).map(changeOnce),
    find: (provider, model, key) => {
      const route = routes.find(provider, model, key);
      return route && changeOnce(route);
    },
  };
}
