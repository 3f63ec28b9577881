import { expect, test } from '@jest/globals';
import {
  accountIdOf,
  formatRecoveryCode,
  hashRecoveryCode,
  isProof,
  makeProof,
} from './secondFactor.ts';

const account = {
  id: 'acct_01k00000000000000000000000',
  email: 'eva@example.com',
  passwordHash: 'hash',
  identities: [{ issuer: 'https://id.example', subject: 'eva', linkedAt: 1 }],
};
const [former, newer] = [
  { version: '1', secret: 'a'.repeat(32) },
  { version: '2', secret: 'b'.repeat(32) },
];

test('a proof of the password is valid until its expiry, also under a key that makes no new ones', () => {
  const proof = makeProof(account, 'site', 1_000, former);
  expect(accountIdOf(proof)).toBe(account.id);
  expect(isProof(proof, account, 'site', 999, [newer, former])).toBe(true);
  expect(isProof(proof, account, 'console', 999, [newer, former])).toBe(false);
  expect(isProof(proof, account, 'site', 1_000, [newer, former])).toBe(false);
  expect(isProof(proof, account, 'site', 999, [newer])).toBe(false);
  expect(isProof(proof.replace('.1000.', '.9000.'), account, 'site', 999, [former])).toBe(false);
  expect(isProof(proof, { ...account, passwordHash: 'new' }, 'site', 999, [former])).toBe(false);
  expect(isProof(proof, { ...account, passwordHash: null }, 'site', 999, [former])).toBe(false);
  expect(isProof(proof, { ...account, identities: [] }, 'site', 999, [former])).toBe(false);
  expect(isProof(proof, { ...account, email: 'x@example.com' }, 'site', 999, [former])).toBe(false);
  expect(isProof(proof, { ...account, id: 'acct_other' }, 'site', 999, [former])).toBe(false);
});

test.each(['', 'acct_1', 'acct_1.5', 'acct_1.x.y', `key_1.5.${'a'.repeat(43)}`, 'a.b.c.d'])(
  '"%s" is not a proof',
  (text) => {
    expect(accountIdOf(text)).toBeNull();
    expect(isProof(text, account, 'site', 0, [former])).toBe(false);
  },
);

test('a recovery code matches however it is typed, and only for its account', () => {
  const code = formatRecoveryCode(
    Uint8Array.from([1, 0, 33, 7, 8, 200, 100, 3, 2, 1, 9, 255, 0, 1, 77]),
  );
  expect(code).toMatch(/^([0-9a-z]{4}-){5}[0-9a-z]{4}$/);
  const hash = hashRecoveryCode(account.id, code);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`;
  expect(hashRecoveryCode(account.id, typed)).toBe(hash);
  expect(hashRecoveryCode('acct_other', code)).not.toBe(hash);
  for (const text of ['', '123456', `${code}0`, code.slice(1), 'abcd-efgh-jkmn-pqrs-tvwx-yz0u']) {
    expect([text, hashRecoveryCode(account.id, text)]).toEqual([text, null]);
  }
});
