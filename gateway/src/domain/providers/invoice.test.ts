import { expect, test } from '@jest/globals';
import { parseInvoice } from './invoice.ts';

const rows = (text: string) => text.split('\n').map((line) => line.split(';'));

test('columns are found by their usual headings, or by given ones', () => {
  const lines = [
    { line: 2, task: 't1', micros: 1_250_420_000 },
    { line: 3, task: 't2', micros: -5_000 },
  ];
  const usual = 'Request ID;Model;Cost;Currency\n t1 ;m;$1,250.42;usd\nt2;m;-0.005;USD';
  expect(parseInvoice(rows(usual), {})).toEqual({ currency: 'USD', lines });
  const named = 'Ref;Id;Cost (USD)\nt1;9;1250.42 USD\nt2;9;-0.0049999';
  const columns = { task: 'Ref', amount: 'Cost (USD)' };
  expect(parseInvoice(rows(named), columns)).toEqual({ currency: null, lines });
});

test.each([
  ['', {}, 'has no column for the task. Its columns are "".'],
  ['Job;Sum\nt;1', { task: 'Job' }, 'has no column for the amount. Its columns are "Job", "Sum".'],
  ['Id;Cost\nt;1', { amount: 'Price' }, 'has no column "Price". Its columns are "Id", "Cost".'],
  [
    'Id;Cost\nt;1\nu;1.250,42',
    {},
    'Line 3 of the invoice: the amount must be a number such as 1250.42, but is "1.250,42"',
  ],
  [
    'Id;Cost\nt;',
    {},
    'Line 2 of the invoice: the amount must be a number such as 1250.42, but is ""',
  ],
  ['Id;Cost;Currency\nt;1;EUR\nu;1;USD', {}, 'amounts in EUR and USD: split it into one file'],
  ['Id;Cost;Currency\nt;1;\nu;1;USD', {}, 'amounts in no currency and USD'],
])('an invoice %j is refused', (text, columns, problem) => {
  expect(() => parseInvoice(rows(text), columns)).toThrow(problem);
});
