import { budgetBreakerKey, modelBreakerKey } from '../../domain/breaker.ts';
import type { Routes } from '../ports/providers.ts';

/** A breaker of a provider, of one of its models, or of its budget of the day. */
export interface RouteBreaker {
  key: string;
  provider: string;
  /** The provider's model id; null for all of the provider. */
  upstreamModel: string | null;
  isBudget: boolean;
}

/** The breakers of all providers with a route, each provider's own first. */
export function routeBreakers(routes: Pick<Routes, 'providers'>): RouteBreaker[] {
  return routes.providers().flatMap(({ provider, models, budget }) => {
    const whole = { provider, upstreamModel: null, isBudget: false };
    const ofBudget =
      budget === null
        ? []
        : [{ ...whole, isBudget: true, key: budgetBreakerKey({ provider, budget }) }];
    const ofModels = models.map((model) => ({
      ...whole,
      upstreamModel: model,
      key: modelBreakerKey({ provider, model }),
    }));
    return [{ ...whole, key: provider }, ...ofBudget, ...ofModels];
  });
}
