import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditThreads } from '../../gateway/src/application/credits/audit/auditPage.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { createLedgerThreads } from '../../gateway/src/compose/ledgerThreads.ts';
import { type AdminTest, connectAdmin } from '../admin/connect.ts';
import { damages } from '../admin/ledgerDamages.ts';
import { type Seed, seedLedger } from '../admin/seedLedger.ts';
import { plain } from '../support/plainCollection.ts';

let admin: AdminTest;
let threads: AuditThreads;
let checked = 0;
beforeAll(async () => {
  admin = await connectAdmin();
  const real = createLedgerThreads(admin.uri, { count: 1, afterPages: 0 });
  threads = {
    ...real,
    start(moment) {
      const thread = real.start(moment);
      const check: typeof thread.check = async (page) => {
        checked += 1;
        return thread.check(page);
      };
      return { ...thread, check };
    },
  };
});
afterAll(() => admin.close());

/** Seeds a ledger of several pages: accounts before and after those of the seed. */
async function seedPages(): Promise<Seed> {
  const seed = await seedLedger(admin);
  const sample = await admin.collections.accounts.findOne({ _id: seed.otherId });
  const own = {
    lots: [],
    ledgerEntries: 0,
    ledgerHash: null,
    inFlightCredits: 0,
    running: 0,
    waiting: 0,
  };
  const copies = ['acct_0', 'acct_z'].flatMap((start) =>
    Array.from({ length: 400 }, (_, number) => {
      const id = `${start}${String(number).padStart(5, '0')}`;
      return { ...sample, ...own, _id: id, email: `${id}@people.example` };
    }),
  );
  await plain(admin.collections.accounts).insertMany(copies);
  await admin.collections.accountLookups.insertMany(
    copies.map(({ _id: accountId, email }) => ({ _id: `email ${email}`, accountId })),
  );
  return seed;
}

const kinds = ['I1', 'I2', 'I4', 'I9'].map((invariant) => {
  const found = damages.find(([, , problems]) =>
    problems.some((each) => each.startsWith(invariant)),
  );
  if (!found) throw new Error(`no damage breaks ${invariant}`);
  return [invariant, ...found] as const;
});

test.each(kinds)(
  'threads find violations of %s as one thread does: %s',
  async (invariant, _, damage) => {
    await damage(await seedPages());
    const alone = await verifyLedger(admin);
    expect(alone.accounts).toBe(802);
    expect(alone.problems.map((problem) => problem.invariant)).toContain(invariant);
    checked = 0;
    expect(await verifyLedger({ ...admin, threads })).toEqual(alone);
    expect(checked).toBeGreaterThanOrEqual(2);
  },
);

test('a check whose thread loses the snapshot ends with a sentence for the operator', async () => {
  const past = { ...threads, start: () => threads.start('1.1') };
  await expect(verifyLedger({ ...admin, threads: past })).rejects.toThrow(
    'The database built an index during the check. Run the check again.',
  );
});
