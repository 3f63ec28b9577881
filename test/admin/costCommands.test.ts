import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { generationDocument } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import { createFindOrders } from '../../gateway/src/adapters/mongo/staff/providerOrders.ts';
import type { CommandApp } from '../../gateway/src/commands/command.ts';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import { readCsv } from '../../gateway/src/compose/csvFile.ts';
import type { Attempt } from '../../gateway/src/domain/generations/attempt.ts';
import { firstGenerationId } from '../../gateway/src/domain/ids.ts';
import { plain } from '../support/plainCollection.ts';
import { acceptedBy, workGeneration } from '../support/workWorld.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

/* An invoice of 1,000 lines is compared with the orders at a provider. */

const day = (text: string) => Date.parse(`2026-11-${text}`);
const parameters = { duration_seconds: 5, resolution: '720p', generate_audio: true } as never;
const price = { currency: 'USD', micros: 123_456 };

let admin: AdminTest;
let folder: string;

/** A completed order of the provider `v`. */
const ordered = (at: number, taskId: string, more: Partial<Attempt> = {}) => {
  const attempt: Attempt = {
    ...acceptedBy('v', at),
    outcome: 'completed',
    taskId,
    cost: price,
    key: 'VENDOR_KEY',
    keyPrint: '0123456789ab',
    ...more,
  };
  const id = `${firstGenerationId(at - minuteMs).slice(0, 14)}${taskId}`;
  return workGeneration(id, 'acct_1', at - minuteMs, { parameters, attempts: [attempt] });
};

beforeAll(async () => {
  admin = await connectAdmin();
  folder = await mkdtemp(join(tmpdir(), 'framegate-invoice-'));
  const within = Array.from({ length: 998 }, (_, i) =>
    ordered(day('05') + i * minuteMs, `task-${i}`),
  );
  const all = [
    ...within,
    ordered(day('30T23:59:59Z'), 'last'),
    ordered(day('01') - 1, 'before'),
    ordered(day('20'), 'unbilled'),
    ordered(day('20'), 'free', { outcome: 'refused', isFree: true }),
    ordered(day('20'), 'unpriced', { cost: null }),
    ordered(day('20'), 'other', { provider: 'w' }),
    ordered(day('20'), 'reported', { charged: { currency: 'USD', micros: 250_000 } }),
    ordered(day('20'), 'found', { cost: null, charged: { currency: 'USD', micros: 40_000 } }),
    ordered(day('20'), 'nothing', { charged: { currency: 'USD', micros: 0 }, outcome: 'failed' }),
    ordered(day('21'), '=1+1', { reported: '{"usage":{"tokens":12}}', outcome: 'failed' }),
  ];
  await plain(admin.collections.generations).insertMany(all.map(generationDocument));
});
afterAll(async () => {
  await admin.close();
  await rm(folder, { recursive: true });
});

/** Runs a command line. @returns Its output or printed text. */
async function run(line: string) {
  const asked = parseCommandLine(line.split(' '));
  if (!('work' in asked)) throw new Error('it is no command of the database');
  let printed = '';
  const output = await asked.work({
    openOrders: async () => createFindOrders(admin.collections),
    readCsv,
    print: async (text: string) => void (printed += text),
  } as unknown as CommandApp);
  return { output, printed, isBad: asked.command.isBad?.(output) };
}
async function reconcile(invoice: string, more = '') {
  const path = join(folder, 'invoice.csv');
  await writeFile(path, invoice);
  const days = '--from 2026-11-01 --to 2026-11-30';
  return run(`costs reconcile ${path} --provider v ${days}${more}`);
}

const rows = Array.from({ length: 998 }, (_, i) => `task-${i},0.123456,USD`);
const invoiceOf = (...lines: string[]) => ['request_id,cost,currency', ...lines].join('\r\n');

test('1,000 lines are matched, and each deviation is listed', async () => {
  const changed = rows
    .with(7, 'task-7,0.50,USD')
    .with(8, 'task-8,0.10,USD')
    .with(9, 'task-9,0.12,USD')
    .with(10, 'task-10,0.10,USD\ntask-10,0.023456,USD');
  const more = ['last,0.123456,USD', 'before,0.123456,USD', 'free,0.20,USD', 'never,1.00,USD'];
  // By the provider's reports about them.
  more.push('reported,0.30,USD', 'found,0.04,USD');
  const { output, isBad } = await reconcile(invoiceOf(...changed, ...more, 'unpriced,9,USD'));
  const gen = expect.stringMatching(/^gen_/);
  expect(output).toEqual({
    provider: 'v',
    from: '2026-11-01',
    to: '2026-11-30',
    currency: 'USD',
    invoice: { count: 1006, total: '134.345632 USD' },
    orders: { count: 1004, total: '123.869456 USD' },
    matched: 1004,
    dearer: {
      count: 3,
      total: '0.626544 USD',
      lines: [
        {
          task_id: 'task-7',
          generation_id: gen,
          attempt: 1,
          estimate: '0.123456',
          invoiced: '0.50',
        },
        { task_id: 'free', generation_id: gen, attempt: 1, estimate: '0.00', invoiced: '0.20' },
        { task_id: 'reported', generation_id: gen, attempt: 1, reported: '0.25', invoiced: '0.30' },
      ],
    },
    // Less than half a cent is a rounding.
    cheaper: {
      count: 1,
      total: '0.023456 USD',
      lines: [expect.objectContaining({ task_id: 'task-8' })],
    },
    not_ordered: {
      count: 1,
      total: '1.00 USD',
      lines: [{ line: 1004, task_id: 'never', invoiced: '1.00' }],
    },
    not_invoiced: {
      count: 2,
      total: '0.246912 USD',
      lines: [
        {
          task_id: 'unbilled',
          generation_id: gen,
          attempt: 1,
          charge: 'charged',
          estimate: '0.123456',
        },
        expect.objectContaining({ task_id: '=1+1', charge: 'possible' }),
      ],
    },
    without_price: {
      count: 1,
      total: '9.00 USD',
      lines: [expect.objectContaining({ task_id: 'unpriced' })],
    },
    without_task_id: { count: 0, total: '0.00 USD', lines: [] },
  });
  expect(isBad).toBe(true);
});

test('an invoice that agrees gives status 0', async () => {
  const { output, isBad } = await reconcile(invoiceOf(...rows));
  expect([output['matched'], isBad]).toEqual([998, false]);
});

test('an invoice that cannot be compared is explained', async () => {
  const refusals = [
    [invoiceOf('task-1,1,USD', 'task-2,1,EUR'), '', 'amounts in EUR and USD'],
    [invoiceOf('task-1,1,EUR'), '', "The invoice is in EUR, but the route's costs are in USD"],
    [invoiceOf('task-1,1,EUR'), ' --currency USD', 'The invoice is in EUR, not USD.'],
    [
      'task_id,cost\ntask-1,1',
      '',
      'The invoice does not name its currency: add it, for example with --currency USD.',
    ],
    [
      'task_id,price per item\ntask-1,1',
      '',
      'no column for the amount. Its columns are "task_id", "price',
    ],
    ['task_id,cost\ntask-1,"1', '', 'invoice.csv: it is not valid CSV in UTF-8 (Quote Not Closed'],
  ] as const;
  for (const [invoice, more, problem] of refusals) {
    await expect(reconcile(invoice, more)).rejects.toThrow(problem);
  }
  await expect(
    run('costs reconcile /nowhere/a.csv --provider v --from 2026-11-01 --to 2026-11-02'),
  ).rejects.toThrow('/nowhere/a.csv: it cannot be read (ENOENT).');
});

test.each([
  ['costs reconcile --provider v --from 2026-11-01 --to 2026-11-02', '--invoice is missing.'],
  ['costs reconcile a.csv b.csv --provider v', 'Unexpected argument "b.csv".'],
  [
    'costs reconcile a.csv --provider v --from 2026-11-02 --to 2026-11-01',
    '--to is before --from.',
  ],
  ['costs export --from 2026-11-02', '--to is missing.'],
  ['costs export a.csv --from 2026-11-01 --to 2026-11-02', "Unexpected argument 'a.csv'"],
  [
    'costs reconcile a.csv --provider v --from 2026-11-01 --to 2026-11-02 --currency usd',
    '--currency must be three capital letters, such as USD, but is "usd"',
  ],
  [
    'costs reconcile a.csv --provider v --from 2026-11-01 --to 2026-11-02 --columns {"sum":"x"}',
    '--columns must map any of task, amount, currency to headings of the invoice',
  ],
])('%s is wrong usage', (line, problem) => {
  expect(() => parseCommandLine(line.split(' '))).toThrow(problem);
});

test('orders are exported with their units, one line each', async () => {
  const { printed } = await run('costs export --from 2026-11-21 --to 2026-11-30 --provider v');
  expect(printed.split('\r\n')).toEqual([
    'time,generation_id,attempt,model,provider,provider_model,task_id,key,key_fingerprint,seconds,images,resolution,audio,outcome,charge,currency,estimate,reported_cost,reported',
    expect.stringMatching(
      /^2026-11-21T00:00:00\.000Z,gen_\S+,1,m,v,up,'=1\+1,VENDOR_KEY,0123456789ab,5,,720p,yes,failed,possible,USD,0\.123456,,"\{""usage""/,
    ),
    expect.stringMatching(
      /^2026-11-30T23:59:59\.000Z,.*,last,.*,completed,charged,USD,0\.123456,,$/,
    ),
    '',
  ]);
  const { printed: ever } = await run(
    'costs export --from 1970-01-01 --to 2100-01-01 --provider w',
  );
  expect(ever.split('\r\n')).toHaveLength(3);
  const { printed: all } = await run('costs export --from 2026-11-20 --to 2026-11-20');
  expect(all.split('\r\n')).toHaveLength(9);
  expect(all).toMatch(/,charged,USD,,0\.04,\r\n.*,failed,none,USD,0\.123456,0\.00,\r\n/s);
});
