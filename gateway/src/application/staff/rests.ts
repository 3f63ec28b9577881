import { isHeld, restForHours, soundBreaker, type Breaker } from '../../domain/breaker.ts';
import { modelBreakerKey } from '../../domain/breakerKeys.ts';
import type { AppCore } from '../app.ts';
import { routeBreakers } from './routeBreakers.ts';
import { Refusal } from '../../domain/refusal.ts';

type RestDeps = Pick<AppCore, 'routes' | 'breakers' | 'clock'>;

/** Maximum rest set by staff, in hours: a week. */
export const maxRestHours = 168;

/** A provider or one of its models, as named in the routes file, with its breaker's key. */
export interface RestTarget {
  key: string;
  name: string;
}

/** All providers with a route, and their models. */
export function restTargets(deps: Pick<RestDeps, 'routes' | 'breakers'>): RestTarget[] {
  return routeBreakers(deps)
    .filter((each) => each.of === 'provider' || each.of === 'model')
    .map(({ key, name }) => ({ key, name }));
}

/** Rests set by staff. */
export function listRests(deps: RestDeps): (RestTarget & Breaker)[] {
  const now = deps.clock.now();
  return restTargets(deps).flatMap((target) => {
    const breaker = deps.breakers.of(target.key);
    return isHeld(breaker, now) ? [{ ...target, ...breaker }] : [];
  });
}

/**
 * Gives a provider or one of its models no orders for some hours. Its current work continues; other routes take new
 * orders, or generations wait. @throws Refusal
 */
export async function restRoute(deps: RestDeps, key: string, hours: number): Promise<string> {
  const target = requireTarget(deps, key);
  await rest(deps, key, hours);
  return `${target.name} gets no orders for ${inHours(hours)}.`;
}

/**
 * Rests every route of a model for some hours, so that creates of it are immediately refused (503). Other models with
 * the same routes rest as well. @throws Refusal
 */
export async function stopSelling(deps: RestDeps, model: string, hours: number): Promise<string> {
  const routes = deps.routes.of(model);
  if (routes.length === 0) throw new Refusal('model_without_route', { values: { model } });
  for (const route of routes) await rest(deps, modelBreakerKey(route), hours);
  return `${model} is not sold for ${inHours(hours)}.`;
}

/** Ends a rest immediately. @throws Refusal */
export async function endRest(deps: RestDeps, key: string): Promise<string> {
  const { name } = requireTarget(deps, key);
  const ended = await deps.breakers.change(key, (breaker, now) =>
    isHeld(breaker, now) ? soundBreaker : null,
  );
  return ended === null ? `${name} did not rest.` : `${name} gets orders again.`;
}

async function rest({ breakers }: RestDeps, key: string, hours: number): Promise<void> {
  if (hours < 1 || hours > maxRestHours) {
    throw new Refusal('hours_invalid', { values: { most: maxRestHours } });
  }
  await breakers.change(key, (breaker, now) => restForHours(breaker, hours, now));
}

function requireTarget(deps: RestDeps, key: string): RestTarget {
  const target = restTargets(deps).find((each) => each.key === key);
  if (!target) throw new Refusal('route_not_found');
  return target;
}

const inHours = (hours: number) => (hours === 1 ? 'an hour' : `${hours} hours`);
