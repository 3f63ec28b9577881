import type { Route, Routes } from '../../application/ports/providers.ts';
import type { OpenRoutes } from './createRoutes.ts';

/** How many sets of former routes are kept; beyond that the oldest is given up early. */
const maxFormer = 50;

/** Routes that can be replaced by others while the process runs. */
export interface LiveRoutes extends Routes {
  /** Puts new routes in force. What was ordered by the old ones is still polled by them. */
  replace(next: OpenRoutes): void;
  /** Gives the connections of all of them up. */
  close(): Promise<void>;
}

/**
 * The routes in force. Those that were replaced give no more work away, but an operation whose provider, or
 * whose key, the new ones do not name is found in them.
 * @param keptMs How long they are kept: longer than any generation may be with a provider.
 */
export function createLiveRoutes(first: OpenRoutes, keptMs: number): LiveRoutes {
  let current = first;
  /** The newest first. */
  let former: OpenRoutes[] = [];

  function drop(routes: OpenRoutes): void {
    if (!former.includes(routes)) return;
    former = former.filter((each) => each !== routes);
    void routes.close();
  }

  return {
    providers: () => current.providers(),
    of: (modelId) => current.of(modelId),
    find(provider, model, key) {
      let first: Route | null = null;
      for (const each of [current, ...former]) {
        const found = each.find(provider, model);
        if (found && (key === undefined || found.keys?.includes(key) !== false)) return found;
        first ??= found;
      }
      return first;
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
