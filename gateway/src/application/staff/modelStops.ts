import {
  closedBreaker,
  currentStop,
  endlessMs,
  openForHours,
} from '../../domain/providers/breaker.ts';
import { modelBreakerKey, stopKey, stoppedModel } from '../../domain/providers/breakerKeys.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AppCore } from '../app.ts';
import { checkHours, inHours } from './routePauses.ts';

type StopDeps = Pick<AppCore, 'routes' | 'breakers' | 'clock'>;

/** A model of which staff refuse all new orders. Times in ms since the epoch. */
export interface ModelStop {
  model: string;
  sinceMs: number;
  /** Null until staff sell it again. */
  untilMs: number | null;
}

/** The models that staff have stopped, oldest stop first. */
export function listStops({ breakers, clock }: Omit<StopDeps, 'routes'>): ModelStop[] {
  const stops = breakers.keys().flatMap((key): ModelStop[] => {
    const model = stoppedModel(key);
    const { openedAt, openUntil } = currentStop(breakers.get(key), clock.now());
    if (model === null || openedAt === null) return [];
    return [{ model, sinceMs: openedAt, untilMs: openUntil < endlessMs ? openUntil : null }];
  });
  return stops.toSorted((a, b) => a.sinceMs - b.sinceMs);
}

/**
 * Stops the sale of one model: requests for it are refused (503) immediately, for everyone. Accepted generations
 * continue, and other models with the same routes are sold.
 * @param hours Null until staff sell it again.
 * @throws Refusal
 */
export async function stopModel(
  { routes, breakers }: StopDeps,
  model: string,
  hours: number | null,
): Promise<string> {
  if (routes.forModel(model).length === 0) {
    throw new Refusal('model_route_not_found', { values: { model } });
  }
  if (hours !== null) checkHours(hours);
  await breakers.change(stopKey(model), (stop, nowMs) =>
    openForHours(currentStop(stop, nowMs), hours ?? Infinity, nowMs),
  );
  return `${model} is not sold ${hours === null ? 'until an admin sells it again' : `for ${inHours(hours)}`}.`;
}

/** Ends the stop of a model immediately. */
export async function sellAgain({ breakers }: StopDeps, model: string): Promise<string> {
  const ended = await breakers.change(stopKey(model), (stop, nowMs) =>
    currentStop(stop, nowMs) === closedBreaker ? null : closedBreaker,
  );
  return ended === null ? `${model} was not stopped.` : `${model} is sold again.`;
}

/** Other models with a route of this one: its stop does not affect them. */
export function modelsSharingRoutes(
  { routes }: Pick<StopDeps, 'routes'>,
  model: string,
  models: readonly string[],
): string[] {
  const keysOf = (id: string) => routes.forModel(id).map(modelBreakerKey);
  const own = new Set(keysOf(model));
  return models.filter((id) => id !== model && keysOf(id).some((key) => own.has(key)));
}
