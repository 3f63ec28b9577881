import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/* The attack: one mailbox gets the credits of a new account many times, by other spellings or after an erasure. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '100' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

async function creditsOf(email: string): Promise<number> {
  const page = await signUpVerified(
    createVisitor(gateway.origin),
    gateway.dataDir,
    email,
    'a good pass phrase',
  );
  expect([page.path, /role="alert"[^>]*>([^<]+)/.exec(page.text)?.[1]]).toEqual([
    '/studio',
    undefined,
  ]);
  const account = await gateway.database.accounts.findByEmail(email);
  return account?.lots ? sum(account.lots.map(({ remaining }) => remaining)) : NaN;
}

test('a mailbox gets them once, whatever its spelling', async () => {
  expect(await creditsOf('mara.quist@gmail.com')).toBe(100);
  const others = ['mara.quist+1@gmail.com', 'm.araquist@gmail.com', 'maraquist@googlemail.com'];
  for (const email of others) expect([email, await creditsOf(email)]).toEqual([email, 0]);
  expect(await creditsOf('mara.quist@example.com')).toBe(100);
});

test('a mailbox gets them only once, even after its account was erased', async () => {
  const email = 'back@example.com';
  expect(await creditsOf(email)).toBe(100);
  const { database, clock } = gateway;
  const { id = '' } = (await database.accounts.findByEmail(email)) ?? {};
  await eraseAccount({ database, clock }, id);
  expect(await creditsOf(email)).toBe(0);
});

test('two spellings at the same moment get them once together', async () => {
  const both = await Promise.all([creditsOf('two+a@example.com'), creditsOf('two+b@example.com')]);
  expect(both.toSorted((a, b) => a - b)).toEqual([0, 100]);
});
