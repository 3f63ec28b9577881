import { dayMs, type Model } from '@framegate/contract';
import type { Route, RouteRanking } from '@framegate/provider-routes';
import type { Breaker } from '../../domain/providers/breaker.ts';
import { keyBreakerKey, modelBreakerKey } from '../../domain/providers/breakerKeys.ts';
import { costsBy, type CostSum } from '../../domain/providers/cost.ts';
import { dayOf } from '../../domain/time/utcDay.ts';
import type { App } from '../app.ts';
import { listWithheld, type WithheldCapability } from '../generations/run/withheldRoutes.ts';
import type { RouteEnds } from '../ports/staffQueries.ts';
import { type Performance, performanceBy } from './figures.ts';
import { routeBreakers } from './routeBreakers.ts';

/** A route of a model with its health, costs, errors and deliveries. */
export interface RouteState
  extends Pick<Route, 'provider' | 'region' | 'groups'>, Pick<RouteEnds, 'errors' | 'differed'> {
  /** The key of its model's breaker. */
  key: string;
  providerModel: string;
  /** The breakers that decide about it, and those of its keys. */
  breakers: { name: string; breaker: Breaker }[];
  /** Ends of the last day; null if there were none. */
  performance: Performance | null;
  /** Today's costs (UTC); null if not requested or if there are none. */
  cost: CostSum | null;
  withheld: WithheldCapability[];
}

/** The routes of a model. */
export interface ModelRoutes {
  model: string;
  ranking: RouteRanking;
  routes: RouteState[];
}

/** Ended generations searched for errors and differences, and errors shown of each route. */
const max = { ends: 500, errors: 3 };

/** Reads all routes by model. @param withCosts Only for staff who may see costs. */
export async function findRouteStates(
  { routes, breakers, clock, deliveries, figures, staffQueries, costs }: App,
  models: readonly Model[],
  withCosts: boolean,
): Promise<ModelRoutes[]> {
  const today = dayOf(clock.now());
  const [{ ended }, ends, lines] = await Promise.all([
    figures.loadAll(),
    staffQueries.sumRouteEnds(clock.now() - dayMs, max),
    withCosts ? costs.findLines({ from: today, to: today }) : [],
  ]);
  const performances = performanceBy(ended, ({ route }) => route);
  const sums = costsBy(lines, ({ provider, providerModel }) => `${provider} ${providerModel}`);
  const withheld = listWithheld(deliveries);
  const all = routeBreakers({ routes, breakers });

  function stateOf({ provider, model, region, groups, keys = [] }: Route): RouteState {
    const decisive = all.filter(
      (each) => each.provider === provider && [null, model].includes(each.providerModel),
    );
    const ofKeys = keys.map((name) => ({
      key: keyBreakerKey(provider, name),
      name: `key ${name}`,
    }));
    const key = modelBreakerKey({ provider, model });
    const own = ends.find((each) => each.provider === provider && each.model === model);
    return {
      key,
      provider,
      providerModel: model,
      ...(region !== undefined && { region }),
      ...(groups && { groups }),
      breakers: [...decisive, ...ofKeys].map((each) => ({
        name: each.name,
        breaker: breakers.get(each.key),
      })),
      performance: performances.find(({ name }) => name === key) ?? null,
      cost: sums.find(({ name }) => name === key)?.sum ?? null,
      errors: own?.errors ?? [],
      differed: own?.differed ?? 0,
      withheld: withheld.filter((each) => modelBreakerKey(each) === key),
    };
  }

  return models.flatMap(({ id }) => {
    const states = routes.forModel(id).map(stateOf);
    return states.length > 0 ? [{ model: id, ranking: routes.rankingOf(id), routes: states }] : [];
  });
}
