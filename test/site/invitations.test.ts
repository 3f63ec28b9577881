import { afterAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { isInvited, makeInvitation } from '../../gateway/src/domain/signIn/invitation.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { codeFor } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

const secret = 's'.repeat(40);
const key = { version: '1', secret };
const gateways: TestGateway[] = [];
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
});

async function start(SIGN_UP: string) {
  const gateway = await startTestGateway({ ROLE: 'api', SIGN_UP, SESSION_KEYS: `1:${secret}` });
  gateways.push(gateway);
  return { gateway, visitor: createVisitor(gateway.origin) };
}

test('an invitation is for one address, until its end, under a secret that is still known', () => {
  const made = makeInvitation('ada@example.com', 1_000, key);
  expect(isInvited(made, 'ada@example.com', 999, [{ version: '2', secret: 'x' }, key])).toBe(true);
  expect(made).not.toContain('ada');
  expect(isInvited(made, 'eve@example.com', 999, [key])).toBe(false);
  expect(isInvited(made, 'ada@example.com', 1_000, [key])).toBe(false);
  expect(isInvited(made.replace(/^1000/, '9000'), 'ada@example.com', 999, [key])).toBe(false);
  expect(isInvited(made, 'ada@example.com', 999, [{ version: '1', secret: 'x' }])).toBe(false);
  expect(isInvited('', 'ada@example.com', 0, [key])).toBe(false);
});

/** Public pages on creating an account. */
async function waysIn(visitor: Visitor) {
  const pages = await Promise.all(
    ['/', '/sign-in', '/docs', '/docs.md'].map((path) => visitor.get(path)),
  );
  const said = pages.map(({ text }) => text).join('\n');
  return {
    links: said.includes('/sign-up'),
    invitation: said.match(/invitation only|link in your/gi)?.length ?? 0,
  };
}

test('pages offer an account only where one can be made', async () => {
  const { visitor: open } = await start('open');
  expect(await waysIn(open)).toEqual({ links: true, invitation: 0 });
  const { visitor: closed } = await start('closed');
  expect(await waysIn(closed)).toEqual({ links: false, invitation: 0 });
  const { visitor: invited } = await start('invite');
  expect(await waysIn(invited)).toEqual({ links: false, invitation: expect.any(Number) });
  expect((await waysIn(invited)).invitation).toBeGreaterThanOrEqual(3);
});

test('with SIGN_UP=closed, page and form refuse an account', async () => {
  const { gateway, visitor } = await start('closed');
  const page = await visitor.get('/sign-up');
  expect([page.status, page.text.includes('Sign-up is closed')]).toEqual([403, true]);
  await visitor.get('/sign-in');
  const invitation = makeInvitation('ada@example.com', Date.now() + minuteMs, key);
  const refused = await visitor.post('/sign-up', { email: 'ada@example.com', invitation });
  expect([refused.status, refused.text.includes('Sign-up is closed')]).toEqual([403, true]);
  const { accounts } = gateway.database;
  expect(await accounts.findByEmail('ada@example.com')).toBeNull();
});

test('with SIGN_UP=invite, only an invitation gives an account, for its address', async () => {
  const { gateway, visitor } = await start('invite');
  const page = await visitor.get('/sign-up');
  expect([page.status, page.text.includes('Invitation only')]).toEqual([403, true]);
  const invitation = makeInvitation('ada@example.com', Date.now() + minuteMs, key);
  const form = await visitor.get(`/sign-up?invitation=${invitation}`);
  expect([form.status, form.field('invitation')]).toEqual([200, invitation]);
  const other = await visitor.post('/sign-up', { email: 'eve@example.com', invitation });
  expect([other.status, other.text.includes('for another email address')]).toEqual([400, true]);
  const asked = await visitor.post('/sign-up', { email: 'Ada@example.com', invitation });
  expect(asked.path).toMatch(/^\/confirm\//);
  const code = await codeFor(gateway.dataDir, 'ada@example.com');
  const done = await visitor.post(asked.path, { code, password });
  expect(done.path).toBe('/studio');
  const { accounts } = gateway.database;
  expect(await accounts.findByEmail('eve@example.com')).toBeNull();
});
