import { dayMs, type Log, minuteMs } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import type { ProviderRequest, Route, Routes } from '@framegate/provider-routes';
import { workSizeOf } from '../../../domain/generations/usualDurations.ts';
import { modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import { rankRoutes, routeSpeeds, sortRoutesBy } from '../../../domain/providers/routeRanking.ts';
import type { Database } from '../../ports/database.ts';
import type { Clock, Random } from '../../ports/system.ts';

const refreshMs = minuteMs;
/** Results considered per model. */
const maxFound = 300;
/** Share of orders that first try a route with too few results, to measure it. */
const explorationShare = 0.1;

/** How fast the routes of models were in the last day; only for models whose routes are ordered by speed. */
export interface RouteSpeeds {
  /** Relative to all routes of the model; null without enough results. */
  find(modelId: string, route: Pick<Route, 'provider' | 'model'>): number | null;
}

/** Keeps speeds in memory and refreshes them in the background. */
export function createRouteSpeeds(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  log: Log;
  routes: Pick<Routes, 'rankingOf'>;
  /** Ids of the current models. */
  models: () => readonly string[];
}): RouteSpeeds & { refresh(): Promise<void>; stop(): void } {
  let speeds = new Map<string, Map<string, number>>();

  async function refresh(): Promise<void> {
    const fresh: typeof speeds = new Map();
    const since = deps.clock.now() - dayMs;
    for (const id of deps.models()) {
      if (deps.routes.rankingOf(id) !== 'fastest') continue;
      const ended = await deps.database.generations.listRouteDurations(id, since, maxFound);
      const sized = ended.map(({ parameters, ...each }) => ({
        ...each,
        size: workSizeOf(parameters),
      }));
      fresh.set(id, routeSpeeds(sized));
    }
    speeds = fresh;
  }

  const stop = repeatEvery(refreshMs, refresh, (error) => {
    deps.log.warn({ error }, 'failed to read the speeds of routes');
  });
  return {
    refresh,
    find: (modelId, route) => speeds.get(modelId)?.get(modelBreakerKey(route)) ?? null,
    stop,
  };
}

/** The routes of a model in the order in which this request tries them. */
export async function listRankedRoutes(
  { routes, random, speeds }: { routes: Routes; random: Random; speeds: RouteSpeeds },
  modelId: string,
  eligible: readonly Route[],
  request: ProviderRequest,
): Promise<Route[]> {
  const ranked = rankRoutes(eligible, () => random.fraction());
  switch (routes.rankingOf(modelId)) {
    case 'listed':
      return ranked;
    case 'cost': {
      const costs = new Map<Route, number | null>();
      for (const route of ranked) {
        const cost = await route.findCost(request);
        costs.set(route, cost === 'nothing' ? 0 : (cost?.micros ?? null));
      }
      return sortRoutesBy(ranked, (route) => costs.get(route) ?? null);
    }
    case 'fastest': {
      const unmeasured = random.fraction() < explorationShare ? 0 : null;
      return sortRoutesBy(ranked, (route) => speeds.find(modelId, route) ?? unmeasured);
    }
  }
}
