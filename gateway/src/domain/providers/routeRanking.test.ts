import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rankRoutes, routeSpeeds, sortRoutesBy } from './routeRanking.ts';

const route = (name: string, weight: number | null = null) => ({ name, weight });
const names = (routes: { name: string }[]) => routes.map(({ name }) => name).join('');

test('routes without weights stay as the operator wrote them', () => {
  const routes = [route('a'), route('b'), route('c')];
  expect(names(rankRoutes(routes, () => 0.9))).toBe('abc');
});

test('neighbours with weights swap places, never across a route without one', () => {
  const routes = [route('a', 1), route('b', 3), route('c'), route('d', 1), route('e', 1)];
  expect(names(rankRoutes(routes, () => 0))).toBe('abcde');
  expect(names(rankRoutes(routes, () => 0.25))).toBe('bacde');
  expect(names(rankRoutes(routes, () => 0.999))).toBe('baced');
});

test('each is first as often as its weight says', () => {
  const routes = [route('a', 1), route('b', 2), route('c', 7)];
  const first = Array.from({ length: 100 }, (_, i) => rankRoutes(routes, () => i / 100)[0]?.name);
  const count = (name: string) => first.filter((each) => each === name).length;
  expect([count('a'), count('b'), count('c')]).toEqual([10, 20, 70]);
});

test('every draw has each route once', () => {
  const weights = fc.array(fc.option(fc.integer({ min: 1, max: 1000 })), { maxLength: 8 });
  const lots = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(weights, lots, (given, chances) => {
      const routes = given.map((weight, i) => route(String(i), weight));
      let i = 0;
      const ordered = rankRoutes(routes, () => chances[i++ % chances.length] ?? 0);
      expect(new Set(ordered)).toEqual(new Set(routes));
      expect(ordered).toHaveLength(routes.length);
    }),
  );
});

test('routes sort by a number: those without one last, equal ones in their order', () => {
  const ranks: Record<string, number | null> = { a: null, b: 2, c: 1, d: null, e: 1 };
  const routes = Object.keys(ranks).map((name) => route(name));
  expect(names(sortRoutesBy(routes, ({ name }) => ranks[name] ?? null))).toBe('cebad');
});

test('a route is not slow for its larger orders, and has no speed before three results', () => {
  const order = (name: string, size: string, seconds: number) => ({ route: name, size, seconds });
  const speeds = routeSpeeds([
    ...[1, 2, 3].map(() => order('large', '1080p 10', 100)),
    ...[1, 2, 3].map(() => order('large', '480p 5', 8)),
    ...[1, 2, 3, 4].map(() => order('small', '480p 5', 10)),
    ...[1, 2].map(() => order('new', '480p 5', 1)),
  ]);
  expect([...speeds.keys()].toSorted()).toEqual(['large', 'small']);
  expect(speeds.get('large')).toBeLessThanOrEqual(1);
  expect(speeds.get('small')).toBeGreaterThan(1);
});
