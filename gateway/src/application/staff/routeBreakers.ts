import { budgetBreakerKey, modelBreakerKey } from '../../domain/breaker.ts';
import type { Routes } from '../ports/providers.ts';

/** A breaker of a provider, of one of its models, or of its budget of the day. */
export interface RouteBreaker {
  key: string;
  of: 'provider' | 'model' | 'budget';
  provider: string;
  /** The provider's model id; null for all of the provider. */
  upstreamModel: string | null;
  /** For people. */
  name: string;
}

/** The breakers of all providers with a route, each provider's own first. */
export function routeBreakers(routes: Pick<Routes, 'providers'>): RouteBreaker[] {
  return routes.providers().flatMap(({ provider, models, budget }) => {
    const whole = { provider, upstreamModel: null };
    const spent = `${provider}: the day's budget is spent`;
    const ofBudget = budget && {
      ...whole,
      key: budgetBreakerKey({ provider, budget }),
      of: 'budget' as const,
      name: spent,
    };
    const ofModels = models.map((model) => ({
      key: modelBreakerKey({ provider, model }),
      of: 'model' as const,
      provider,
      upstreamModel: model,
      name: `${provider}: ${model}`,
    }));
    const own = { ...whole, key: provider, of: 'provider' as const, name: provider };
    return [own, ...(ofBudget ? [ofBudget] : []), ...ofModels];
  });
}
