import type { Routes } from '@framegate/provider-routes';
import {
  budgetBreakerKey,
  fileHostKey,
  modelBreakerKey,
} from '../../domain/providers/breakerKeys.ts';
import type { BreakerStore } from '../ports/upkeep.ts';

/** A breaker of a provider, of one of its models, of a host of its files, or of its daily budget. */
export interface RouteBreaker {
  key: string;
  of: 'provider' | 'model' | 'files' | 'budget';
  provider: string;
  /** The provider's model id; null for the whole provider. */
  providerModel: string | null;
  /** Display name. */
  name: string;
}

/** The breakers of all providers with a route; each provider's own breaker comes first. */
export function routeBreakers({
  routes,
  breakers,
}: {
  routes: Pick<Routes, 'providers'>;
  breakers: Pick<BreakerStore, 'keys'>;
}): RouteBreaker[] {
  return routes.providers().flatMap(({ provider, models, budget }) => {
    const whole = { provider, providerModel: null };
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
      providerModel: model,
      name: `${provider}: ${model}`,
    }));
    const filesKey = fileHostKey(provider, '');
    const ofFiles = breakers
      .keys()
      .filter((key) => key.startsWith(filesKey))
      .map((key) => ({
        ...whole,
        key,
        of: 'files' as const,
        name: `${provider}: files from ${key.slice(filesKey.length)}`,
      }));
    const own = { ...whole, key: provider, of: 'provider' as const, name: provider };
    return [own, ...(ofBudget ? [ofBudget] : []), ...ofFiles, ...ofModels];
  });
}
