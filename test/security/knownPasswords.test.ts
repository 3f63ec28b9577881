import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createAccount } from '../../gateway/src/application/accounts/accounts.ts';
import { enrol, openEnrolment } from '../../gateway/src/application/staff/enrolment.ts';
import { codeFor } from '../site/support/mailbox.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openStaff } from '../staff/openStaff.ts';

/*
 * The attack: somebody tries the passwords that most people have, ten of them at each account.
 */

const refusal = /This password is too common/;
const good = 'correct horse battery';
let bed: TestGateway;
let opened: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  bed = await startTestGateway({ ROLE: 'api' });
  opened = await openStaff(bed);
});
afterAll(async () => {
  await opened.close();
  await bed.stop();
  expect(bed.errors).toEqual([]);
});

test.each(['password', '12345678', 'password1', 'PassWord123', ' qwertyuiop ', 'iloveyou1'])(
  'a new account with %p is refused',
  async (password) => {
    const email = `new${password.trim().toLowerCase()}@example.com`;
    const visitor = createVisitor(bed.origin);
    await visitor.get('/sign-up');
    const asked = await visitor.post('/sign-up', { email });
    const code = await codeFor(bed.dataDir, email);
    const refused = await visitor.post(asked.path, { code, password });
    expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(refusal)]);
    expect(await bed.gateway.database.database.accounts.findByEmail(email)).toMatchObject({
      verified: false,
      passwordHash: null,
    });
  },
);

test('so is a changed one, and one that a mailed code resets', async () => {
  const email = 'old@example.com';
  const visitor = createVisitor(bed.origin);
  await signUpVerified(visitor, bed.dataDir, email, good);
  await visitor.get('/settings/account');
  const changed = await visitor.post('/settings/account/password', {
    current_password: good,
    password: 'password123',
  });
  expect([changed.status, changed.text]).toEqual([400, expect.stringMatching(refusal)]);

  const other = createVisitor(bed.origin);
  await other.get('/forgotten-password');
  const asked = await other.post('/forgotten-password', { email });
  const code = await codeFor(bed.dataDir, email);
  const reset = await other.post(asked.path, { code, password: 'password123' });
  expect([reset.status, reset.text]).toEqual([400, expect.stringMatching(refusal)]);
});

test('so is one of staff, by the command and by the link', async () => {
  const { database, clock } = bed.gateway.database;
  const deps = { database, clock, random: bed.gateway.random, passwords: argon2Passwords };
  const member = { email: 'sam@example.com', verified: true, staffRole: 'support' as const };
  const password = 'password1234';
  await expect(createAccount(deps, { ...member, password })).rejects.toThrow(refusal);
  const { id: accountId } = await createAccount(deps, { ...member, password: null });
  const token = await openEnrolment(opened.staff, { accountId, setsPassword: true });
  const from = { address: '127.0.0.1', requestId: 'req_1', marks: '' };
  await expect(
    enrol(opened.staff, {
      ...{ token, password, code: '000000', from },
      ...{ name: '', passkey: '', use: { form: '', holder: '' } },
    }),
  ).rejects.toMatchObject({
    fields: { password: expect.stringMatching(refusal) },
  });
});

test('a long one of common words is good', async () => {
  expect(await argon2Passwords.isKnown(good)).toBe(false);
});
