import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { adjustCredits } from '../../gateway/src/application/staff/adjustCredits.ts';
import type { CommandApp } from '../../gateway/src/commands/command.ts';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import type { LedgerEntry } from '../../gateway/src/domain/credits/ledgerChain.ts';
import { rebuildLots } from '../../gateway/src/domain/credits/rebuildLots.ts';
import { formatMonth, monthNumberOf } from '../../gateway/src/domain/time/utcMonth.ts';
import { plain } from '../support/plainCollection.ts';
import { type AdminTest, connectAdmin } from './connect.ts';
import { type Seed, seedLedger } from './seedLedger.ts';

/* The accountant's export agrees with the ledger. */

let admin: AdminTest;
let seed: Seed;
let current: number;
beforeAll(async () => {
  admin = await connectAdmin();
  seed = await seedLedger(admin);
  current = monthNumberOf(admin.clock.now());
  await adjustCredits(admin, {
    accountId: seed.accountId,
    amount: -20,
    reason: 'paid twice',
    generationId: null,
    requestId: 'req_1',
  });
});
afterAll(() => admin.close());

type Row = Record<string, string>;

async function run(line: string): Promise<Row[]> {
  const asked = parseCommandLine(line.split(' '));
  if (!('work' in asked)) throw new Error('it is no command of the database');
  let printed = '';
  const print = async (text: string) => void (printed += text);
  await asked.work({ database: admin.database, print } as unknown as CommandApp);
  const [heading = '', ...lines] = printed.trimEnd().split('\r\n');
  const names = heading.split(',');
  return lines.map((each) =>
    Object.fromEntries(each.split(',').map((value, at) => [names[at] ?? '', value])),
  );
}

const sumOf = (rows: readonly Row[], column: string) => sum(rows.map((row) => Number(row[column])));

test('equals the verified ledger to the credit', async () => {
  const month = formatMonth(current);
  const rows = await run(`credits export --from ${month} --to ${month}`);
  expect((await verifyLedger(admin)).problems).toEqual([]);
  for (const accountId of [seed.accountId, seed.otherId]) {
    const entries = await admin.database.ledger.find(accountId);
    const rebuilt = rebuildLots([]);
    for (const entry of entries) rebuilt.apply(entry);
    const lots = [...rebuilt.lots().values()];
    const own = rows.filter(({ account }) => account === accountId);
    for (const kind of ['promotional', 'purchased']) {
      const held = lots.filter((lot) => lot.kind === kind);
      const open = sum(held.map(({ remaining }) => remaining));
      expect([
        kind,
        sumOf(
          own.filter((row) => row['kind'] === kind),
          'open',
        ),
      ]).toEqual([kind, open]);
    }
    const of = (kind: LedgerEntry['kind']) =>
      sum(entries.filter((entry) => entry.kind === kind).map(({ amount }) => amount));
    expect(['granted', 'spent', 'refunded', 'adjusted'].map((name) => sumOf(own, name))).toEqual([
      of('grant'),
      -of('charge'),
      of('refund'),
      of('adjustment'),
    ]);
    expect(new Set(own.map(({ email }) => email))).toEqual(
      new Set([accountId === seed.accountId ? 'first@people.example' : 'second@people.example']),
    );
  }
  expect(sumOf(rows, 'granted')).toBe(650);
});

test('carries credits over months, and reads one account alone', async () => {
  // All entries of the account but its last one are from two months ago.
  const { ledger } = admin.collections;
  const entries = await admin.database.ledger.find(seed.accountId);
  const before = new Date();
  before.setUTCMonth(before.getUTCMonth() - 2, 15);
  const earlier = entries.slice(0, -1).map(({ id }) => id);
  await plain(ledger).updateMany({ _id: { $in: earlier } }, { $set: { at: before } });
  const [from, to] = [formatMonth(current - 2), formatMonth(current)];
  const rows = await run(`credits export --from ${from} --to ${to} --account ${seed.accountId}`);
  expect(new Set(rows.map(({ account }) => account))).toEqual(new Set([seed.accountId]));
  const own = rows.filter(({ kind }) => kind === 'purchased');
  expect(own.map(({ month }) => month)).toEqual(
    [current - 2, current - 1, current].map(formatMonth),
  );
  expect(own.map(({ opening }) => opening)).toEqual(['0', own[0]?.['open'], own[1]?.['open']]);
  expect(own[1]).toMatchObject({ granted: '0', spent: '0', opening: own[1]?.['open'] });
  const last = rows.filter(({ month }) => month === to);
  expect([sumOf(last, 'adjusted'), sumOf(last, 'granted')]).toEqual([entries.at(-1)?.amount, 0]);
});

test.each([
  ['--from 2026-13 --to 2026-12', '--from must be a month, such as 2026-11, but is "2026-13"'],
  ['--from 2026-12 --to 2026-11', '--to is before --from.'],
  ['--from 2020-01 --to 2026-11', 'One export can cover at most 3 years.'],
])('%s is refused', async (flags, message) => {
  await expect(async () => run(`credits export ${flags}`)).rejects.toThrow(message);
});
