import type { Attempt, Generation } from '../domain/generation.ts';
import type { ProviderRequest, Route } from './ports/route.ts';

/** The routes that may make a generation: they cover it and have not refused it before. */
export function eligibleRoutes(
  routes: readonly Route[],
  request: ProviderRequest,
  attempts: readonly Attempt[],
): Route[] {
  const hasRefused = ({ provider, model }: Route) =>
    attempts.some(
      (each) => each.outcome === 'refused' && each.provider === provider && each.model === model,
    );
  return routes.filter((route) => route.covers(request) && !hasRefused(route));
}

/** What a generation with these eligible routes waits for while it is parked, as of `at`. */
export function waitsForOf(
  routes: readonly Route[],
  at: number,
): NonNullable<Generation['waitsFor']> {
  return { providers: [...new Set(routes.map(({ provider }) => provider))], at };
}
