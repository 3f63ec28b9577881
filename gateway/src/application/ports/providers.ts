import type { Money, Route, Routes } from '@framegate/provider-routes';

/** Costs of orders per provider and UTC day, across all processes. */
export interface BudgetStore {
  /** Counts an amount; false, counting nothing, if the day's sum would exceed the limit. */
  reserve(provider: string, day: string, amount: Money, limit: Money): Promise<boolean>;
  /** Subtracts a counted amount. */
  refund(provider: string, day: string, amount: Money): Promise<void>;
  /** Amounts counted on a day, by provider and currency. */
  sumSpent(day: string): Promise<{ provider: string; spent: Money }[]>;
}

/** The result of re-reading ROUTES_FILE. */
export interface RoutesReload {
  result: 'reloaded' | 'unchanged' | 'refused';
  /** Reasons for a refusal: one sentence each, with the JSON path. */
  problems: readonly string[];
  /** Keys that this process no longer has although jobs made with them are unfinished; absent without one. */
  removedKeys?: readonly RemovedKey[];
}

/** A removed key of a provider, or one with another value under its name, with its unfinished generations. */
export interface RemovedKey {
  provider: string;
  key: string | null;
  generations: number;
}

/** A key with which unfinished jobs were made, by its name and fingerprint. */
export interface KeyInUse extends RemovedKey {
  model: string;
  keyPrint: string;
}

/** Reads the keys of up to 10,000 unfinished jobs, within 5 s. */
export type FindKeysInUse = () => Promise<KeyInUse[]>;

/** One process's result; `silent` if it did not respond in time. */
export interface ProcessReload extends Omit<RoutesReload, 'result'> {
  process: string;
  host: string;
  role: string;
  result: RoutesReload['result'] | 'silent';
}

/** The routes with a change applied to each of them. */
export function mapRoutes(routes: Routes, change: (route: Route) => Route): Routes {
  const changedRoutes = new WeakMap<Route, Route>();
  const changeOnce = (route: Route): Route => {
    const cached = changedRoutes.get(route);
    if (cached) return cached;
    const changedRoute = change(route);
    changedRoutes.set(route, changedRoute);
    return changedRoute;
  };
  return {
    ...routes,
    forModel: (modelId, group) => routes.forModel(modelId, group).map(changeOnce),
    find: (provider, model, key) => {
      const route = routes.find(provider, model, key);
      return route && changeOnce(route);
    },
  };
}
