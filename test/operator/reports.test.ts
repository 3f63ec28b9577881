import { beforeAll, expect, test } from '@jest/globals';
import { plain } from '../support/plainCollection.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld({ CREDIT_VALUE: '0.01 USD' });
beforeAll(async () => {
  const ended = (fields: object, at: string) => ({
    status: 'completed',
    open: false,
    costCredits: 10,
    refundedCredits: 0,
    attempts: [{ number: 1, cost: { currency: 'USD', micros: 40_000 } }],
    endedAt: new Date(at),
    ...fields,
  });
  const [first, second] = ['2026-03-01T00:00:00.000Z', '2026-03-02T23:59:59.999Z'];
  const video = { accountId: 'acct_a', model: 'beta-3.0' };
  const documents = [
    ended(video, first),
    // Two attempts are paid, a free one is not.
    ended(
      {
        ...video,
        attempts: [
          { number: 1, cost: { currency: 'USD', micros: 5_000 }, isFree: true },
          { number: 2, cost: { currency: 'USD', micros: 5_000 } },
          { number: 3, cost: { currency: 'USD', micros: 15_000 } },
        ],
      },
      second,
    ),
    ended({ ...video, status: 'failed', refundedCredits: 4, attempts: [] }, second),
    ended({ accountId: 'acct_b', model: 'image-a-2', attempts: [{ number: 1 }] }, second),
    ended({ accountId: 'acct_b', model: 'image-a-2' }, '2026-03-03T00:00:00.000Z'),
  ];
  const { generations } = world.gateway.collections;
  await plain(generations).insertMany(
    documents.map((document, index) => ({ _id: `gen_${index}`, ...document })),
  );
});

const range = 'from=2026-03-01&to=2026-03-02';

test('a report by account has counts, credits, revenue, costs and margin', async () => {
  const { status, json } = await operator.get(`/reports/usage?${range}&by=account`);
  expect(status).toBe(200);
  expect(json).toEqual({
    object: 'usage_report',
    from: '2026-03-01',
    to: '2026-03-02',
    currency: 'USD',
    rows: [
      {
        day: null,
        account_id: 'acct_a',
        model: null,
        generations: 3,
        completed: 2,
        failed: 1,
        charged_credits: 30,
        refunded_credits: 4,
        credits: 26,
        revenue: '0.26',
        costs: [{ currency: 'USD', amount: '0.06' }],
        unknown_costs: 0,
        margin: '0.20',
      },
      {
        day: null,
        account_id: 'acct_b',
        model: null,
        generations: 1,
        completed: 1,
        failed: 0,
        charged_credits: 10,
        refunded_credits: 0,
        credits: 10,
        revenue: '0.10',
        costs: [],
        unknown_costs: 1,
        margin: null,
      },
    ],
  });
});

test.each([
  ['day', ['2026-03-01 1', '2026-03-02 3']],
  ['model', ['beta-3.0 3', 'image-a-2 1']],
  ['day,model', ['2026-03-01 beta-3.0 1', '2026-03-02 beta-3.0 2', '2026-03-02 image-a-2 1']],
])('a report is split by %s', async (by, wanted) => {
  const { json } = await operator.get(`/reports/usage?${range}&by=${by}`);
  const rows = json['rows'] as Record<'day' | 'model' | 'generations', string | number | null>[];
  const shown = rows.map(({ day, model, generations }) =>
    [day, model, generations].filter((each) => each !== null).join(' '),
  );
  expect(shown).toEqual(wanted);
});

test('a report is also available as CSV', async () => {
  const response = await fetch(
    `${world.origin}/operator/v1/reports/usage.csv?${range}&by=day,account,model`,
    { headers: { authorization: `Bearer ${operator.operatorKey}` } },
  );
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect((await response.text()).split('\r\n').slice(1)).toEqual([
    '2026-03-01,acct_a,beta-3.0,1,1,0,10,0,10,USD,0.10,0.04 USD,0,0.06',
    '2026-03-02,acct_a,beta-3.0,2,1,1,20,4,16,USD,0.16,0.02 USD,0,0.14',
    '2026-03-02,acct_b,image-a-2,1,1,0,10,0,10,USD,0.10,,1,',
    '',
  ]);
});

test.each([
  ['', 'from'],
  ['from=2026-03-02&to=2026-03-01&by=day', 'to'],
  ['from=2026-03-01&to=2026-04-01&by=day', 'to'],
  ['from=2026-02-30&to=2026-03-01&by=day', 'from'],
  ['from=2026-03-01&to=2026-03-01&by=provider', 'by'],
])('a report of "%s" is refused for %s', async (query, param) => {
  const refused = errorOf(await operator.get(`/reports/usage?${query}`));
  expect(refused).toMatchObject({ status: 400, code: 'invalid_request', param });
});
