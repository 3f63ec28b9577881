import type { OpenRoutes } from './createRoutes.ts';
import type { Route, Routes } from './route.ts';

/** Maximum sets of former routes; beyond it the oldest is closed early. */
const maxFormer = 50;

/** Routes that can be replaced while the process runs. */
export interface LiveRoutes extends Routes {
  /** Applies new routes. Earlier orders are still polled through the old ones. */
  replace(next: OpenRoutes): void;
  /** Closes the connections of current and former routes. */
  close(): Promise<void>;
}

/**
 * The current routes. Replaced routes receive no new work, but still serve operations whose provider or key the new
 * routes lack.
 * @param keptMs How long they are kept: longer than any generation may be at a provider.
 */
export function createLiveRoutes(first: OpenRoutes, keptMs: number): LiveRoutes {
  let current = first;
  /** Newest first. */
  let former: OpenRoutes[] = [];

  function drop(routes: OpenRoutes): void {
    if (!former.includes(routes)) return;
    former = former.filter((each) => each !== routes);
    void routes.close();
  }

  return {
    providers: () => current.providers(),
    forModel: (...query) => current.forModel(...query),
    rankingOf: (modelId) => current.rankingOf(modelId),
    groups: () => current.groups(),
    find(provider, model, key) {
      let best: Route | null = null;
      for (const each of [current, ...former]) {
        const route = each.find(provider, model);
        if (route && (key === undefined || route.knowsKey?.(key) !== false)) return route;
        best ??= route;
      }
      return best;
    },
    replace(next) {
      const old = current;
      former = [old, ...former];
      current = next;
      setTimeout(() => drop(old), keptMs).unref();
      for (const each of former.slice(maxFormer)) drop(each);
    },
    async close() {
      for (const each of [current, ...former.splice(0)]) await each.close();
    },
  };
}
