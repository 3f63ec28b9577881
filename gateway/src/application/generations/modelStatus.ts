import type { Model } from '@framegate/contract';
import { problemsSince } from '../../domain/providers/breaker.ts';
import type { App } from '../app.ts';
import { breakersOfOfferedRoutes, saleHealthOf } from './reads.ts';

/** The current status of a model for customers; it reveals nothing about providers. */
export interface ModelStatus {
  /** `slow` if results take much longer than the catalogue says; `problems` while no route is in service. */
  kind: 'working' | 'slow' | 'problems' | 'unavailable';
  /** Since when there have been problems, in ms since the epoch; null if it works. */
  sinceMs: number | null;
}

type Deps = Pick<App, 'routes' | 'breakers' | 'clock' | 'durations'>;

/** Usual durations from this multiple of the catalogue's are slow. */
const minSlowFactor = 2;

/**
 * The status of a model.
 * @param group The group of the asking account; null without one.
 */
export function modelStatusOf(
  deps: Deps,
  { id, typicalSeconds }: Pick<Model, 'id' | 'typicalSeconds'>,
  group: string | null,
): ModelStatus {
  const health = saleHealthOf(deps, id, group);
  if (health === 'good') {
    const isSlow = deps.durations.usual(id).median >= minSlowFactor * typicalSeconds;
    return { kind: isSlow ? 'slow' : 'working', sinceMs: null };
  }
  const sinceMs = problemsSince(breakersOfOfferedRoutes(deps, id, deps.routes.forModel(id, group)));
  return { kind: health === 'delayed' ? 'problems' : 'unavailable', sinceMs };
}
