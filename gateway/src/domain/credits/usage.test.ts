import { expect, test } from '@jest/globals';
import { type UsageCost, type UsageCount, usageCsv, usageRows } from './usage.ts';

const key = { day: '2026-11-22', accountId: null, model: 'image-b-2' };
const count: UsageCount = {
  ...key,
  generations: 3,
  completed: 2,
  chargedCredits: 18,
  refundedCredits: 6,
};
const cost = (currency: string | null, micros: number, attempts = 1): UsageCost => ({
  ...key,
  currency,
  micros,
  attempts,
});
const cent = { currency: 'USD', micros: 10_000 };
const rowOf = (costs: UsageCost[], value: typeof cent | null = cent) =>
  usageRows([count], costs, value)[0];

test('a margin is the value of the credits less the costs', () => {
  expect(rowOf([cost('USD', 50_000)])).toMatchObject({
    credits: 12,
    revenueMicros: 120_000,
    marginMicros: 70_000,
    unknownCosts: 0,
  });
});

test.each([
  ['a cost is unknown', [cost('USD', 50_000), cost(null, 0, 2)], cent],
  ['a cost has another currency', [cost('EUR', 50_000)], cent],
  ['the value of a credit is not stated', [cost('USD', 50_000)], null],
])('there is no margin where %s', (_, costs, value) => {
  expect(rowOf(costs, value)).toMatchObject({ credits: 12, marginMicros: null });
});

test('costs of other rows are not counted', () => {
  expect(rowOf([{ ...cost('USD', 50_000), day: '2026-11-23' }])).toMatchObject({
    costs: [],
    marginMicros: 120_000,
  });
});

test('the CSV has the heading, and a line for each row', () => {
  const rows = usageRows([count], [cost('USD', 50_000), cost('EUR', 5)], cent);
  expect(usageCsv(rows, cent).split('\r\n')).toEqual([
    'day,account_id,model,generations,completed,failed,charged_credits,refunded_credits,credits,currency,revenue,costs,unknown_costs,margin',
    '2026-11-22,,image-b-2,3,2,1,18,6,12,USD,0.12,0.000005 EUR; 0.05 USD,0,',
    '',
  ]);
});
