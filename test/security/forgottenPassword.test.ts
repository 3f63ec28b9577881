import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMailStore } from '../../gateway/src/adapters/mongo/mails/mailStore.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';

/*
 * The attack: someone asks for a new password for many addresses, and learns from the time of the response which of
 * them have an account. Instead of the time, the test compares the database's operations for a known and an unknown
 * address.
 */

let gateway: TestGateway;
beforeAll(async () => {
  // Emails wait in the queue: no one listens at this port, and no worker runs.
  gateway = await startTestGateway({ ROLE: 'api', SMTP_URL: 'smtp://127.0.0.1:9' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const collections = [
  'accountLookups',
  'accounts',
  'attempts',
  'confirmations',
  'mails',
  'sessions',
  'staffAudit',
];

/** Database commands while a separate browser sends a form about an address. */
async function operationsFor(email: string) {
  const visitor = createVisitor(gateway.origin);
  await visitor.get('/forgotten-password');
  const { db } = gateway;
  let path = '';
  const asked = await profile(db, collections, async () => {
    ({ path } = await visitor.post('/forgotten-password', { email }));
  });
  expect(path).toMatch(/^\/confirm\/cfm_/);
  const wrong = await profile(db, collections, () =>
    visitor.post(path, { code: '00000000', password: 'a whole new word' }),
  );
  return [...asked, ...wrong];
}

test('a known and an unknown address cost the same operations', async () => {
  const { accountId } = await gateway.addAccount({ email: 'known@example.com' });
  // A long-used account is large.
  const { accounts, mails } = gateway.collections;
  await plain(accounts).updateOne({ _id: accountId }, { $set: { padding: 'x'.repeat(100_000) } });
  const unknown = await operationsFor('nobody@example.com');
  const known = await operationsFor('known@example.com');
  const listed = (operations: typeof known) =>
    operations.map(({ collection, op }) => `${op} ${collection}`);
  expect(listed(known)).toEqual(listed(unknown));
  expect(listed(known)).toContain('insert mails');
  const asked = listed(known).indexOf('insert mails') + 1;
  for (const [index, { collection, bytes }] of known.slice(0, asked).entries()) {
    const difference = Math.abs(bytes - (unknown[index]?.bytes ?? 0));
    expect([collection, bytes, difference < 200]).toEqual([collection, bytes, true]);
  }
  expect((await mails.find().toArray()).map(({ to }) => to).sort()).toEqual([
    '',
    'known@example.com',
  ]);
});

test('for an unknown address nothing is sent or shown to staff', async () => {
  const { collections: all, models, clock } = gateway;
  await all.mails.deleteMany({});
  await operationsFor('nobody-else@example.com');
  const store = createMailStore(models);
  const tenMinutes = 600_000;
  expect(await store.findDue(clock.now() + 6 * tenMinutes, 10)).toEqual([]);
  expect(await store.findUndelivered(10)).toEqual([]);
  const [stored] = await all.mails.find().toArray();
  // Removed before it could be due.
  const { goneAt, nextAttemptAt } = stored as unknown as { goneAt: Date; nextAttemptAt: Date };
  expect(goneAt.getTime()).toBeLessThanOrEqual(clock.now() + tenMinutes);
  expect(nextAttemptAt.getTime()).toBeGreaterThan(goneAt.getTime() + tenMinutes);
});

test('a mailed code expires after ten minutes', async () => {
  const { collections: all, clock } = gateway;
  await all.confirmations.deleteMany({});
  const visitor = createVisitor(gateway.origin);
  await visitor.get('/forgotten-password');
  const asked = await visitor.post('/forgotten-password', { email: 'known@example.com' });
  const [{ _id, expiresAt } = { _id: '', expiresAt: new Date(0) }] = await all.confirmations
    .find()
    .toArray();
  const leftMs = expiresAt.getTime() - clock.now();
  expect(leftMs).toBeGreaterThan(500_000);
  expect(leftMs).toBeLessThanOrEqual(600_000);
  expect((await visitor.get(asked.path)).status).toBe(200);
  await all.confirmations.updateOne({ _id }, { $set: { expiresAt: new Date(clock.now()) } });
  expect((await visitor.get(asked.path)).status).toBe(410);
});
