import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderRoutes } from './routeOrder.ts';

const route = (name: string, weight: number | null = null) => ({ name, weight });
const names = (routes: { name: string }[]) => routes.map(({ name }) => name).join('');

test('routes without weights stay as the operator wrote them', () => {
  const routes = [route('a'), route('b'), route('c')];
  expect(names(orderRoutes(routes, () => 0.9))).toBe('abc');
});

test('neighbours with weights change places, never beyond one without', () => {
  const routes = [route('a', 1), route('b', 3), route('c'), route('d', 1), route('e', 1)];
  expect(names(orderRoutes(routes, () => 0))).toBe('abcde');
  expect(names(orderRoutes(routes, () => 0.25))).toBe('bacde');
  expect(names(orderRoutes(routes, () => 0.999))).toBe('baced');
});

test('each is first as often as its weight says', () => {
  const routes = [route('a', 1), route('b', 2), route('c', 7)];
  const first = Array.from({ length: 100 }, (_, i) => orderRoutes(routes, () => i / 100)[0]?.name);
  const count = (name: string) => first.filter((each) => each === name).length;
  expect([count('a'), count('b'), count('c')]).toEqual([10, 20, 70]);
});

test('whatever the lots, every route is there once', () => {
  const weights = fc.array(fc.option(fc.integer({ min: 1, max: 1000 })), { maxLength: 8 });
  const lots = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(weights, lots, (given, chances) => {
      const routes = given.map((weight, i) => route(String(i), weight));
      let i = 0;
      const ordered = orderRoutes(routes, () => chances[i++ % chances.length] ?? 0);
      expect(new Set(ordered)).toEqual(new Set(routes));
      expect(ordered).toHaveLength(routes.length);
    }),
  );
});
