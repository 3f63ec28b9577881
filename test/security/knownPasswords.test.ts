import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import type { Passwords } from '../../gateway/src/application/ports/system.ts';
import { findNewPasswordProblem } from '../../gateway/src/application/signIn/newPassword.ts';
import { enrol, openEnrolment } from '../../gateway/src/application/staff/enrolment.ts';
import { composePasswords } from '../../gateway/src/compose/passwords.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { passwordProblem } from '../../gateway/src/domain/signIn/password.ts';
import { codeFor } from '../site/support/mailbox.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { openStaff } from '../staff/openStaff.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: someone tries the passwords that most people have, ten of them at each account.
 */

const refusal = /This password is too common/;
const good = 'correct horse battery';
let gateway: TestGateway;
let opened: Awaited<ReturnType<typeof openStaff>>;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  opened = await openStaff(gateway);
});
afterAll(async () => {
  await opened.close();
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

test.each(['password', '12345678', 'password1', 'PassWord123', ' qwertyuiop ', 'iloveyou1'])(
  'a new account with %p is refused',
  async (password) => {
    const email = `new${password.trim().toLowerCase()}@example.com`;
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-up');
    const asked = await visitor.post('/sign-up', { email });
    const code = await codeFor(gateway.dataDir, email);
    const refused = await visitor.post(asked.path, { code, password });
    expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(refusal)]);
    expect(await gateway.database.accounts.findByEmail(email)).toMatchObject({
      isVerified: false,
      passwordHash: null,
    });
  },
);

test('a changed or reset password is refused as well', async () => {
  const email = 'old@example.com';
  const visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, email, good);
  await visitor.get('/settings/account');
  const changed = await visitor.post('/settings/account/password', {
    current_password: good,
    password: 'password123',
  });
  expect([changed.status, changed.text]).toEqual([400, expect.stringMatching(refusal)]);

  const other = createVisitor(gateway.origin);
  await other.get('/forgotten-password');
  const asked = await other.post('/forgotten-password', { email });
  const code = await codeFor(gateway.dataDir, email);
  const reset = await other.post(asked.path, { code, password: 'password123' });
  expect([reset.status, reset.text]).toEqual([400, expect.stringMatching(refusal)]);
});

test('a password of staff is refused by the command and by the link', async () => {
  const { database, clock } = gateway;
  const deps = { database, clock, random: gateway.random, passwords: argon2Passwords };
  const member = { email: 'sam@example.com', isVerified: true, staffRole: 'support' as const };
  const password = 'password1234';
  await expect(createAccount(deps, { ...member, password })).rejects.toMatchObject({
    code: 'password_known',
  });
  const { id: accountId } = await createAccount(deps, { ...member, password: null });
  const token = await openEnrolment(opened.staff, { accountId, setsPassword: true });
  const from = { address: '127.0.0.1', requestId: 'req_1', deviceCookies: '' };
  await expect(
    enrol(opened.staff, {
      token,
      password,
      code: '000000',
      from,
      name: '',
      passkey: '',
      use: { form: '', holder: '' },
    }),
  ).rejects.toMatchObject({ code: 'password_known' });
});

test('a long password of common words is accepted', async () => {
  expect(await argon2Passwords.isKnown(good)).toBe(false);
});

test.each(['Framegate2026!', 'zebra@example.com', 'zebra2026!', '127.0.0.1-ab'])(
  'names of this place and of the address count as one character: %p',
  async (password) => {
    const email = 'zebra@example.com';
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-up');
    const asked = await visitor.post('/sign-up', { email });
    const code = await codeFor(gateway.dataDir, email);
    const refused = await visitor.post(asked.path, { code, password });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/too easy to guess/),
    ]);
    const longer = `${password} and a ladder`;
    expect(passwordProblem(longer, { email, isStaff: false, words: ['framegate'] })).toBeNull();
  },
);

describe('a service of leaked passwords', () => {
  const leaked = 'a paper boat at sea';
  const digest = createHash('sha1').update(leaked).digest('hex').toUpperCase();
  const padding = createHash('sha1').update(good).digest('hex').toUpperCase();
  const asked: string[] = [];
  let isDown = false;
  const service = createServer((incoming, response) => {
    asked.push(incoming.url ?? '');
    if (isDown) response.writeHead(500);
    response.end(
      `0018A45C4D1DEF81644B54AB7F969B88D65:3\r\n${digest.slice(5)}:17\r\n${padding.slice(5)}:0`,
    );
  });
  const warned: string[] = [];
  let passwords: Passwords;
  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    const LEAKED_PASSWORDS_URL = `http://127.0.0.1:${port}/range/`;
    const log = { warn: (_fields: object, message: string) => void warned.push(message) };
    passwords = composePasswords({
      config: loadConfig({ ...gateway.env, LEAKED_PASSWORDS_URL }),
      log,
    });
  });
  afterAll(() => {
    service.close();
  });

  test('receives five digits of the hash, and its known passwords are refused', async () => {
    const owner = { email: 'new@example.com', isStaff: false };
    expect(await findNewPasswordProblem({ passwords }, leaked, owner)).toMatchObject({
      code: 'password_known',
    });
    expect(await findNewPasswordProblem({ passwords }, good, owner)).toBeNull();
    expect(asked).toEqual([`/range/${digest.slice(0, 5)}`, `/range/${padding.slice(0, 5)}`]);
  });

  test('delays no one while it is down', async () => {
    isDown = true;
    expect(await passwords.isKnown(leaked)).toBe(false);
    expect(await passwords.isKnown('password123')).toBe(true);
    expect(warned).toEqual(['leaked-password service did not respond']);
  });
});
