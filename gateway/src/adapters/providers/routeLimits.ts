import type { RouteLimits } from '../../application/ports/providers.ts';
import { modelBreakerKey } from '../../domain/breaker.ts';
import { jsonPath } from './jsonPath.ts';
import type { RoutesFileJson } from './routesFileSchema.ts';

type RouteJson = RoutesFileJson['models'][string][number];

/** Places and starts are counted for a provider's model, so its entries cannot differ in them. */
export function limitProblems({ models }: RoutesFileJson): string[] {
  const first = new Map<string, { limits: string; at: string }>();
  return Object.entries(models).flatMap(([id, routes]) =>
    routes.flatMap((route, i) => {
      const at = jsonPath(['models', id, i]);
      const limits = JSON.stringify(limitsOf(route));
      const key = modelBreakerKey(route);
      const before = first.get(key) ?? { limits, at };
      first.set(key, before);
      if (before.limits === limits) return [];
      return [
        `${at} has another maxConcurrent or startsPerMinute than ${before.at}: they count together all that goes to this model of the provider.`,
      ];
    }),
  );
}

/** The limits of a route's own; null where it has none. */
export function limitsOf({ maxConcurrent, startsPerMinute }: RouteJson): RouteLimits | null {
  if (maxConcurrent === undefined && startsPerMinute === undefined) return null;
  return { maxConcurrent: maxConcurrent ?? null, startsPerMinute: startsPerMinute ?? null };
}
