import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checkpointFiles } from '../../gateway/src/adapters/system/checkpointFiles.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { verifySince } from '../../gateway/src/application/credits/audit/verifySince.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';
import { type AdminTest, connectAdmin } from './connect.ts';
import { damages } from './ledgerDamages.ts';
import { changeEntry, type Seed, seedLedger } from './seedLedger.ts';
import { end, spend } from './spending.ts';
import { stateDamages } from './stateDamages.ts';

let admin: AdminTest;
let folder: string;
let beforeSeed: string;
let seed: Seed;
beforeAll(async () => {
  admin = await connectAdmin();
  folder = await mkdtemp(join(tmpdir(), 'framegate-checkpoints-'));
  beforeSeed = await checkpoint('before');
});
afterAll(async () => {
  await admin.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  seed = await seedLedger(admin);
});

const wanted = (path: string) => ({ writer: checkpointFiles.writer(path), at: admin.clock.now() });

/** Checks everything, and writes a checkpoint. @returns Its path. */
async function checkpoint(name: string): Promise<string> {
  const path = join(folder, name);
  await verifyLedger(admin, null, wanted(path));
  return path;
}

const since = async (path: string) => verifySince(admin, await checkpointFiles.open(path));
const textsOf = ({ problems }: Awaited<ReturnType<typeof verifyLedger>>) =>
  problems.map(({ invariant, document, problem }) => `${invariant} ${document}: ${problem}`);

describe('damage after a checkpoint is found as by a full check', () => {
  const onlyWhole = [
    'an account is gone',
    'nobody works on an unfinished generation',
    'a key counts less than it spent',
    'a key counts in an earlier month',
    'a key has no count',
    'a reference that no entry has',
  ];
  const found = [...damages, ...stateDamages].filter(([name]) => !onlyWhole.includes(name));
  test.each(found)('%s', async (_name, damage) => {
    await damage(seed);
    const whole = textsOf(await verifyLedger(admin));
    expect(whole).not.toEqual([]);
    expect(textsOf(await since(beforeSeed)).toSorted()).toEqual(whole.toSorted());
  });
});

test('checkpoints follow each other, and checked entries are not read again', async () => {
  const first = await checkpoint('first');
  await end(admin, seed.open, 'failed');
  await end(admin, await spend(admin, seed.accountId, 20), 'completed');
  const second = join(folder, 'second');
  const next = await verifySince(admin, await checkpointFiles.open(first), wanted(second));
  expect(next).toMatchObject({ accounts: 2, problems: [] });
  const read = await profile(admin.db, ['ledger'], async () => {
    expect(await since(second)).toMatchObject({ problems: [] });
  });
  expect(read.filter(({ plan }) => plan.includes('{ _id: 1 }'))).toEqual([]);
  // The new entry of an account whose earlier entries were checked.
  await spend(admin, seed.accountId, 10);
  await changeEntry(admin, { number: 9 }, { $inc: { amount: 1 } });
  expect(textsOf(await since(second))).toContain(
    `I1 ledger/${seed.accountId}.000000000009: says -9, its movements add up to -10`,
  );
});

test('unfinished generations are read once, also for the next checkpoint', async () => {
  const path = await checkpoint('once');
  let reads = 0;
  const ledgerAudit: typeof admin.ledgerAudit = {
    runInSnapshot: (accountId, work) =>
      admin.ledgerAudit.runInSnapshot(accountId, (snapshot) =>
        work({
          ...snapshot,
          listUnfinished() {
            reads += 1;
            return snapshot.listUnfinished();
          },
        }),
      ),
  };
  const next = wanted(join(folder, 'once more'));
  const found = await verifySince({ ledgerAudit }, await checkpointFiles.open(path), next);
  expect(found.problems).toEqual([]);
  expect(reads).toBe(1);
  const { open } = await checkpointFiles.open(join(folder, 'once more'));
  expect(open).toEqual([seed.open.id]);
});

test('a missing account is reported', async () => {
  const path = await checkpoint('gone');
  await admin.collections.accounts.deleteOne({ _id: seed.otherId });
  expect(textsOf(await since(path))).toEqual([
    `I1 accounts/${seed.otherId}: was there at the checkpoint and is gone`,
  ]);
});

test('a generation that was unfinished at the checkpoint and is gone is reported', async () => {
  const { id } = await spend(admin, seed.accountId, 3);
  const path = await checkpoint('open');
  await admin.collections.generations.deleteOne({ _id: id });
  await admin.collections.ledger.deleteOne({ generationId: id });
  expect(textsOf(await since(path))).toContain(
    `I4 generations/${id}: was unfinished and does not exist`,
  );
});

test('a ledger with a problem makes no checkpoint, and no other file is accepted as one', async () => {
  const before = await readdir(folder);
  await plain(admin.collections.ledger).updateOne({}, { $inc: { amount: 1 } });
  const path = await checkpoint('wrong');
  expect(await readdir(folder)).toEqual(before);
  await expect(checkpointFiles.open(path)).rejects.toThrow('cannot be opened');
  for (const text of ['', '{}\n', 'no JSON', '{"format":"another","at":1,"open":[]}\n']) {
    await writeFile(path, text);
    await expect(checkpointFiles.open(path)).rejects.toThrow('not a checkpoint');
  }
  await rm(path);
});
