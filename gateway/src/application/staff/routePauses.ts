import { closedBreaker, isPausedByStaff, openForHours } from '../../domain/providers/breaker.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AppCore } from '../app.ts';
import { routeBreakers } from './routeBreakers.ts';

type PauseDeps = Pick<AppCore, 'routes' | 'breakers' | 'clock'>;

/** Maximum pause set by staff, in hours: a week. */
export const maxPauseHours = 168;

/** A provider or one of its models, as named in the routes file, with its breaker's key. */
export interface PauseTarget {
  key: string;
  name: string;
}

/** All providers with a route, and their models. */
export function pauseTargets(deps: Pick<PauseDeps, 'routes' | 'breakers'>): PauseTarget[] {
  return routeBreakers(deps)
    .filter((each) => each.of === 'provider' || each.of === 'model')
    .map(({ key, name }) => ({ key, name }));
}

/** A pause set by staff. */
export interface RoutePause extends PauseTarget {
  sinceMs: number;
  untilMs: number;
}

/** Pauses set by staff. */
export function listPauses(deps: PauseDeps): RoutePause[] {
  const nowMs = deps.clock.now();
  return pauseTargets(deps).flatMap((target) => {
    const breaker = deps.breakers.get(target.key);
    const { openedAt, openUntil } = breaker;
    if (openedAt === null || !isPausedByStaff(breaker, nowMs)) return [];
    return [{ ...target, sinceMs: openedAt, untilMs: openUntil }];
  });
}

/**
 * Gives a provider or one of its models no orders for some hours. Its current work continues; other routes take new
 * orders, or generations wait.
 * @throws Refusal
 */
export async function pauseRoute(deps: PauseDeps, key: string, hours: number): Promise<string> {
  const target = requireTarget(deps, key);
  checkHours(hours);
  await deps.breakers.change(key, (breaker, nowMs) => openForHours(breaker, hours, nowMs));
  return `${target.name} gets no new orders for ${inHours(hours)}.`;
}

/** Ends a pause immediately. @throws Refusal */
export async function endPause(deps: PauseDeps, key: string): Promise<string> {
  const { name } = requireTarget(deps, key);
  const ended = await deps.breakers.change(key, (breaker, nowMs) =>
    isPausedByStaff(breaker, nowMs) ? closedBreaker : null,
  );
  return ended === null ? `${name} was not paused.` : `${name} gets orders again.`;
}

/** @throws Refusal `hours_invalid`. */
export function checkHours(hours: number): void {
  if (hours < 1 || hours > maxPauseHours) {
    throw new Refusal('hours_invalid', { values: { max: maxPauseHours } });
  }
}

function requireTarget(deps: PauseDeps, key: string): PauseTarget {
  const target = pauseTargets(deps).find((each) => each.key === key);
  if (!target) throw new Refusal('route_not_found');
  return target;
}

/** A number of hours, human-readable. */
export const inHours = (hours: number) =>
  ({ 1: 'an hour', 24: 'a day', 168: 'a week' })[hours] ?? `${hours} hours`;
