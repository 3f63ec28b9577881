import { expect, test } from '@jest/globals';
import { costliestRequests } from './costliest/index.ts';
import { allRoutes } from './routes.ts';
import { problemOf, rowsOf } from './rows.ts';

const routes = allRoutes();

test('each route of the gateway has a row for each caller that it admits', () => {
  const rows = rowsOf(routes, costliestRequests);
  expect(routes.length).toBeGreaterThan(250);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  for (const caller of [
    'anonymous',
    'API key',
    'customer',
    'member',
    'billing',
    'viewer',
    'admin',
    'operator key',
  ]) {
    expect([caller, rows.some((row) => row.caller === caller)]).toEqual([caller, true]);
  }
});

test('a new route without an input, and an input without a route, are named', () => {
  const added = { name: 'GET /new', admits: ['anonymous'] } as const;
  expect(() => rowsOf([...routes, added], costliestRequests)).toThrow(
    'GET /new has no costliest input',
  );
  expect(() => rowsOf(routes.slice(1), costliestRequests)).toThrow(
    /^POST \/v1\/videos is no route$/,
  );
});

test.each([
  [{ 200: 9, 429: 50 }, {}, null],
  [{ 404: 9 }, {}, 'no lawful response'],
  [{ 429: 9 }, {}, 'no lawful response'],
  [{ 200: 1, 400: 9 }, {}, '9 of 10 responses are not lawful'],
  [{ 400: 9 }, { responses: [400] }, null],
])('responses %j of a row %j are judged', (statuses, row, problem) => {
  expect(problemOf(row, statuses)).toBe(problem);
});
