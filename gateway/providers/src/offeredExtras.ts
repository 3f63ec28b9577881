import { type Extras, extrasOf, maxLengthOf, type Model, rangeOf } from '@framegate/contract';
import type { ExtraLimit, RouteSupport } from './routeSupport.ts';

interface NumberRange {
  min: number;
  max: number;
}

/** The fractions and texts of a model that at least one of its routes sends, within the routes' bounds. */
export function offeredExtras(
  { type, extras = {} }: Pick<Model, 'type' | 'extras'>,
  routes: readonly RouteSupport[],
): Extras {
  const offered = extrasOf(type).flatMap((row): [string, object][] => {
    const bounds = extras[row.capability];
    if (bounds === undefined) return [];
    const limits = routes.map((route) => route[row.support.name as ExtraLimit]);
    if (row.kind === 'text') {
      const maxLength = Math.min(maxLengthOf(row, extras) ?? 0, longestIn(limits));
      return maxLength > 0 ? [[row.capability, { max_length: maxLength }]] : [];
    }
    const range = rangeOf(row, extras);
    const ranges = range ? limits.flatMap((limit) => common(range, limit)) : [];
    return ranges.length === 0 ? [] : [[row.capability, around(ranges)]];
  });
  return Object.fromEntries(offered);
}

/** The longest text that one of several routes takes; 0 if none takes any. */
function longestIn(limits: readonly RouteSupport[ExtraLimit][]): number {
  return Math.max(0, ...limits.map((limit) => (limit === true ? Infinity : Number(limit) || 0)));
}

/** The part of a range that a route covers; null for none. */
function common({ min, max }: NumberRange, limit: RouteSupport[ExtraLimit]): NumberRange[] {
  if (limit === null) return [{ min, max }];
  if (typeof limit !== 'object') return [];
  const values =
    'min' in limit ? [limit.min, limit.max] : limit.filter((each) => each >= min && each <= max);
  const range = {
    min: Math.max(min, Math.min(...values)),
    max: Math.min(max, Math.max(...values)),
  };
  return range.min <= range.max ? [range] : [];
}

const around = (ranges: readonly NumberRange[]): NumberRange => ({
  min: Math.min(...ranges.map(({ min }) => min)),
  max: Math.max(...ranges.map(({ max }) => max)),
});
