import { type Extras, extrasOf, type Model, rangeOf } from '@framegate/contract';
import type { ExtraLimit, RouteSupport } from './routeSupport.ts';

interface Range {
  min: number;
  max: number;
}

/** The fractions and texts of a model that at least one of its routes sends, within the routes' bounds. */
export function offeredExtras(
  { type, extras = {} }: Pick<Model, 'type' | 'extras'>,
  routes: readonly RouteSupport[],
): Extras {
  const offered = extrasOf(type).flatMap((row) => {
    const bounds = extras[row.capability];
    if (bounds === undefined) return [];
    const limits = routes.map((route) => route[row.support.name as ExtraLimit]);
    if (row.kind === 'text') return limits.some(Boolean) ? [[row.capability, bounds]] : [];
    const range = rangeOf(row, extras);
    const made = range ? limits.flatMap((limit) => common(range, limit)) : [];
    return made.length === 0 ? [] : [[row.capability, around(made)]];
  });
  return Object.fromEntries(offered) as Extras;
}

/** The part of a range that a route makes; null if it makes none of it. */
function common({ min, max }: Range, limit: RouteSupport[ExtraLimit]): Range[] {
  if (limit === null) return [{ min, max }];
  if (typeof limit === 'boolean') return [];
  const values =
    'min' in limit ? [limit.min, limit.max] : limit.filter((each) => each >= min && each <= max);
  const made = { min: Math.max(min, Math.min(...values)), max: Math.min(max, Math.max(...values)) };
  return made.min <= made.max ? [made] : [];
}

const around = (ranges: readonly Range[]): Range => ({
  min: Math.min(...ranges.map(({ min }) => min)),
  max: Math.max(...ranges.map(({ max }) => max)),
});
