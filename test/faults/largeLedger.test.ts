import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AdminTest, connectAdmin } from '../admin/connect.ts';
import { runNode } from '../support/runNode.ts';
import { entriesEach, fillLedger } from './fillLedger.ts';
import { isWholeRun } from './wholeRun.ts';

const accountsCount = Math.ceil((isWholeRun() ? 1_000_000 : 5_000) / entriesEach);
/** Far less than the documents in total, and than the product may use. */
const heapMegabytes = 128;

let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(async () => {
  await admin.close();
});

test('the ledger is verified in bounded memory, and a single wrong document is found', async () => {
  await fillLedger(admin, accountsCount);
  const verify = async () => {
    const before = performance.now();
    const { status, stdout, stderr } = await runNode(
      [`--max-old-space-size=${heapMegabytes}`, 'gateway/src/admin.ts', 'ledger', 'verify'],
      { MONGODB_URI: admin.uri },
    );
    const seconds = Math.round((performance.now() - before) / 100) / 10;
    if (isWholeRun()) process.stdout.write(`ledger verify: ${seconds} s\n${stdout}\n`);
    return { status, text: stdout + stderr };
  };
  expect(await verify()).toMatchObject({ status: 0 });
  const middle = `acct_large_${String(accountsCount >> 1).padStart(8, '0')}`;
  const tooMuch: Record<string, unknown> = { $inc: { 'lots.0.remaining': 1 } };
  await admin.collections.accounts.updateOne({ _id: middle }, tooMuch);
  const { status, text } = await verify();
  expect(status).toBe(1);
  expect(text).toContain(middle);
  expect(text.match(/acct_large_\d+/g)?.every((id) => id === middle)).toBe(true);
}, 900_000);
