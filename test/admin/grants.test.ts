import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import {
  grantCredits,
  UnknownOutcomeError,
} from '../../gateway/src/application/credits/grantCredits.ts';
import {
  type Database,
  DatabaseUnavailableError,
} from '../../gateway/src/application/ports/database.ts';
import { giveGoodwill } from '../../gateway/src/application/staff/accountActions.ts';
import { adjustCredits } from '../../gateway/src/application/staff/adjustCredits.ts';
import type { CommandApp } from '../../gateway/src/commands/command.ts';
import { parseCommandLine } from '../../gateway/src/commands/parseCommandLine.ts';
import { describeWithHint } from '../../gateway/src/commands/refusalHints.ts';
import { CommandError } from '../../gateway/src/domain/installation/commandError.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(() => admin.close());

const entriesOf = (accountId: string) => admin.database.ledger.find(accountId);
const amountsOf = async (accountId: string) =>
  (await entriesOf(accountId)).map(({ amount }) => amount);

/** A database that does not acknowledge changes, although it commits those of `done`. */
function silent(done: boolean): Database {
  return {
    ...admin.database,
    async changeAccount(accountId, decide) {
      if (done) await admin.database.changeAccount(accountId, decide);
      throw new DatabaseUnavailableError('no response');
    },
  };
}

/** Runs a command line as `npm run admin` does, on this database. */
async function run(words: readonly string[], database = admin.database) {
  const asked = parseCommandLine(words);
  if (!('work' in asked)) throw new Error('it asks for help');
  const advised: string[] = [];
  const adviseIfStopped = (advice: string) => void advised.push(advice);
  const deps = { ...admin, database, adviseIfStopped } as unknown as CommandApp;
  const output = await asked.work(deps).catch((error: unknown) => {
    if (error instanceof CommandError) return { problem: error.message };
    if (error instanceof Refusal) return { problem: describeWithHint(error) };
    throw error;
  });
  return { output: output as Record<string, unknown>, advised };
}
const grantLine = (accountId: string, ...more: string[]) => [
  ...['credits', 'grant', '--account', accountId, '--amount', '500', '--kind', 'purchased'],
  ...more,
];

describe('credits grant', () => {
  test('the same key grants once, then returns the same lot as a replay, even to concurrent calls', async () => {
    const account = await admin.newAccount();
    const line = grantLine(account, '--idempotency-key', 'order-1', '--reason', 'order 1');
    const first = (await run(line)).output;
    expect(first).toMatchObject({ idempotency_key: 'order-1', replayed: false });
    const again = await Promise.all([run(line), run(line), run(line)]);
    for (const { output } of again) expect(output).toEqual({ ...first, replayed: true });
    expect(await entriesOf(account)).toMatchObject([{ amount: 500, reason: 'order 1' }]);

    const other = await admin.newAccount();
    const race = grantLine(other, '--idempotency-key', 'order-2');
    const raced = await Promise.all(Array.from({ length: 8 }, () => run(race)));
    expect(new Set(raced.map(({ output }) => output['lot_id'])).size).toBe(1);
    expect(raced.filter(({ output }) => output['replayed'] === false)).toHaveLength(1);
    expect(await amountsOf(other)).toEqual([500]);
  });

  test('the same key with other values is refused, and grants nothing', async () => {
    const [account, other] = [await admin.newAccount(), await admin.newAccount()];
    const key = ['--idempotency-key', 'order-3'];
    const until = ['--expires', '2099-01-01T00:00:00Z'];
    await run(grantLine(account, ...key, ...until));
    const lines = {
      account: grantLine(other, ...key, ...until),
      amount: grantLine(account, ...key, ...until, '--amount', '501'),
      'credit kind': grantLine(account, ...key, ...until, '--kind', 'promotional'),
      expiry: grantLine(account, ...key),
    };
    for (const [word, line] of Object.entries(lines)) {
      expect((await run(line)).output['problem']).toContain(`with a different ${word}.`);
    }
    expect([...(await amountsOf(account)), ...(await amountsOf(other))]).toEqual([500]);
  });

  test('a repeated grant is answered even if it has expired since', async () => {
    const account = await admin.newAccount();
    const expiresAt = admin.clock.now() + 1000;
    const grant = { accountId: account, amountCredits: 5, kind: 'purchased' as const };
    const command = { ...grant, expiresAt, reason: null, reference: 'soon over' };
    const granted = await grantCredits(admin, command);
    const later = { ...admin, clock: { ...admin.clock, now: () => expiresAt + 1 } };
    expect(await grantCredits(later, command)).toEqual({ ...granted, wasReplayed: true });
  });

  test('a commit of unknown result is reported as done when the ledger shows it', async () => {
    const account = await admin.newAccount();
    const { output } = await run(grantLine(account), silent(true));
    expect(output).toMatchObject({ replayed: false, lot_id: expect.stringMatching(/^lot_/) });
    expect(await amountsOf(account)).toEqual([500]);
  });

  test.each([
    ['was not done', 0],
    ['was done although no look-up could show it', 1],
  ])('a grant that %s is reported as unknown, with the line to repeat', async (_what, before) => {
    const account = await admin.newAccount();
    const blind: Database = {
      ...silent(before === 1),
      ledger: {
        ...admin.database.ledger,
        findByReference: async () => {
          if (before === 0) return null;
          if ((await entriesOf(account)).length === 0) return null;
          throw new DatabaseUnavailableError('no response either');
        },
      },
    };
    const { output, advised } = await run(grantLine(account, '--reason', "Ada's order"), blind);
    const problem = String(output['problem']);
    expect(problem).toContain('We do not know whether');
    expect(problem).toContain(advised[0]);
    expect(await amountsOf(account)).toHaveLength(before);

    const repeat = /-- (credits grant .*)$/.exec(problem)?.[1] ?? '';
    const words = [...repeat.matchAll(/'((?:[^']|'\\'')*)'|[^\s']+/g)].map(([word, quoted]) =>
      quoted === undefined ? word : quoted.replaceAll("'\\''", "'"),
    );
    expect((await run(words)).output).toMatchObject({ replayed: before === 1 });
    expect(await entriesOf(account)).toMatchObject([{ amount: 500, reason: "Ada's order" }]);
  });

  test.each([
    ['--idempotency-key', 'two words'],
    ['--idempotency-key', ''],
    ['--reason', ' '],
  ])('refuses %s "%s" before anything is opened', (flag, value) => {
    expect(() => parseCommandLine(grantLine('acct_1', flag, value))).toThrow(flag);
  });
});

describe('a booking of staff with one form', () => {
  const reason = 'a late video';

  test('is made once, and reported as unknown only while the ledger does not show it', async () => {
    const accountId = await admin.newAccount();
    const attempts = { count: async () => ({ count: 0, endsAt: 0 }) };
    const goodwill = (database: Database) =>
      giveGoodwill(
        {
          ...admin,
          database,
          attempts,
          secondPersonCredits: 10_000,
        } as unknown as Parameters<typeof giveGoodwill>[0],
        {
          accountId,
          amount: 10,
          reason,
          reference: 'form a',
          by: { role: 'admin', email: 'a@framegate.example' },
        },
      );
    await expect(goodwill(silent(false))).rejects.toBeInstanceOf(UnknownOutcomeError);
    await goodwill(silent(true));
    await goodwill(admin.database);
    const adjust = (database: Database, amount: number) =>
      adjustCredits(
        { ...admin, database },
        {
          accountId,
          amount,
          reason,
          generationId: null,
          requestId: 'req_1',
          reference: 'form b',
        },
      );
    await expect(adjust(silent(false), -3)).rejects.toBeInstanceOf(UnknownOutcomeError);
    await adjust(silent(true), -3);
    await adjust(admin.database, -3);
    await expect(adjust(admin.database, -4)).rejects.toMatchObject({ code: 'reference_reused' });
    expect(await amountsOf(accountId)).toEqual([10, -3]);
    expect((await verifyLedger(admin)).problems).toEqual([]);
  });
});
