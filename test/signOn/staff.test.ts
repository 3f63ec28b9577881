import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { openEnrolmentLink } from '../../gateway/src/compose/staff.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { password } from '../site/support/signUpVerified.ts';
import type { Visitor } from '../site/support/visitor.ts';
import { codeOf, givePasskey } from '../staff/browse.ts';
import { askedIn, makeAuthenticator } from '../support/authenticator.ts';
import { type SignOnWorld, startSignOnWorld } from './support/signOnWorld.ts';

const path = '/staff/sign-in/oidc';
const groups = { OIDC_STAFF_ADMIN_GROUPS: 'ops', OIDC_STAFF_SUPPORT_GROUPS: 'help,desk' };
const somebody = (own: string[]) => {
  const id = randomUUID();
  return { sub: id, email: `${id}@example.com`, email_verified: true, groups: own };
};
const accountOf = async (world: SignOnWorld, { email }: { email: string }) => {
  const { accounts } = world.gateway.models;
  return accounts.findOne({ email }).lean();
};

describe('if the provider is trusted with the second factor', () => {
  let world: SignOnWorld;
  beforeAll(async () => {
    world = await startSignOnWorld({ SIGN_IN: 'oidc', OIDC_STAFF_FACTORS: '*', ...groups });
  });
  afterAll(() => world.stop());

  test('groups give the role, and the highest of several', async () => {
    const support = somebody(['desk', 'others']);
    const visitor = world.open();
    expect((await visitor.get('/staff/sign-in')).text).toContain('Sign in with Example ID');
    const page = await world.signIn(visitor, support, `${path}?next=/staff/audit`);
    expect(page.path).toBe('/staff/audit');
    expect(await accountOf(world, support)).toMatchObject({ staffRole: 'support' });
    const admin = somebody(['help', 'ops']);
    expect((await world.signIn(world.open(), admin, path)).path).toBe('/staff');
    expect(await accountOf(world, admin)).toMatchObject({ staffRole: 'admin' });
  });

  test('a person who leaves the groups loses role and sessions, with an entry in the audit log', async () => {
    const person = somebody(['ops']);
    const visitor = world.open();
    await world.signIn(visitor, person, path);
    expect((await visitor.get('/staff/audit')).status).toBe(200);
    const refused = await world.signIn(world.open(), { ...person, groups: ['others'] }, path);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('None of your groups has access to the console');
    expect((await visitor.get('/staff/audit')).path).toMatch(/^\/staff\/sign-in/);
    const account = await accountOf(world, person);
    expect(account).toMatchObject({ staffRole: null });
    const log = await world.gateway.models.staffAudit
      .find({ targets: account?._id ?? '', action: 'change staff role' })
      .lean();
    expect(log.map(({ result }) => result)).toEqual([
      'The groups at the sign-in provider give the role of none; it was admin.',
    ]);
  });

  test('a customer whose groups change becomes staff, and others stay customers', async () => {
    const person = somebody([]);
    const visitor = world.open();
    expect((await world.signIn(visitor, person)).path).toBe('/studio');
    expect((await world.signIn(visitor, person, path)).status).toBe(403);
    expect(await accountOf(world, person)).toMatchObject({ staffRole: null });
    await world.signIn(visitor, { ...person, groups: ['desk'] }, path);
    expect(await accountOf(world, person)).toMatchObject({ staffRole: 'support' });
  });

  test('an account with the same address is not entered', async () => {
    const person = somebody(['ops']);
    await world.gateway.addAccount({ email: person.email });
    const refused = await world.signIn(world.open(), person, path);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('linked to this sign-in');
    const { accounts } = world.gateway.models;
    expect(await accounts.findOne({ email: person.email }).lean()).toMatchObject({
      staffRole: null,
    });
  });

  test('a suspended account does not enter', async () => {
    const person = somebody(['ops']);
    await world.signIn(world.open(), person, path);
    const { accounts } = world.gateway.models;
    await accounts.updateOne({ email: person.email }, { $set: { status: 'suspended' } });
    expect((await world.signIn(world.open(), person, path)).status).toBe(403);
  });

  test('a sign-on of the site does not enter the console', async () => {
    const person = somebody(['ops']);
    const visitor = world.open();
    world.provider.person = person;
    const begun = await fetch(`${world.gateway.origin}/sign-in/oidc`, { redirect: 'manual' });
    for (const line of begun.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      visitor.cookies.set(name, value);
    }
    const back = await world.provider.visit(begun.headers.get('location') ?? '');
    const page = await visitor.get(`${path}/callback${back.search}`);
    expect(page.status).toBe(410);
    expect((await visitor.get('/staff')).path).toMatch(/^\/staff\/sign-in/);
  });

  test('passwords are unavailable', async () => {
    const visitor = world.open();
    for (const page of ['/staff/sign-in', '/sign-in']) {
      expect((await visitor.get(page)).text).not.toContain('type="password"');
      const fields = { email: 'a@example.com', password, code: '1' };
      expect((await visitor.post(page, fields)).path).toBe(page);
    }
    for (const page of ['/sign-up', '/forgotten-password', '/confirm/cfm_x']) {
      expect((await visitor.get(page)).path).toBe('/sign-in');
    }
  });

  test('a sign-out offers the sign-out of the provider', async () => {
    const visitor = world.open();
    await world.signIn(visitor, somebody(['ops']), path);
    const page = await visitor.post('/staff/sign-out');
    expect(page.text).toContain('Sign out of Example ID too');
    expect((await visitor.get('/staff')).path).toMatch(/^\/staff\/sign-in/);
  });
});

describe('a member of staff without a factor of the console', () => {
  let world: SignOnWorld;
  beforeAll(async () => {
    world = await startSignOnWorld({ OIDC_STAFF_FACTORS: '*', ...groups });
  });
  afterAll(() => world.stop());
  const make = '/staff/passkeys/make';

  test('adds a passkey within ten minutes of the sign-in, and acts with it', async () => {
    const { origin, collections } = world.gateway;
    const customer = await world.gateway.addAccount({ credits: 0 });
    const act = `/staff/accounts/${customer.accountId}/goodwill`;
    const fields = { amount: '10', reason: 'a test' };
    const visitor = world.open();
    const person = somebody(['ops']);
    await world.signIn(visitor, person, path);
    await visitor.get(act);
    expect((await visitor.post(act, { ...fields, code: '123456' })).status).toBe(409);

    const { staffSessions } = collections;
    const account = await accountOf(world, person);
    const own = { accountId: account?._id ?? '' };
    const { createdAt } = (await staffSessions.findOne(own)) ?? { createdAt: new Date() };
    const earlier = new Date(createdAt.getTime() - 11 * minuteMs);
    await staffSessions.updateOne(own, { $set: { createdAt: earlier } });
    await visitor.get('/staff/passkeys');
    const late = await visitor.post('/staff/passkeys/begin', { name: 'Mine' });
    expect([late.status, askedIn(late.text).has(make)]).toEqual([409, false]);
    await staffSessions.updateOne(own, { $set: { createdAt } });

    const begun = await visitor.post('/staff/passkeys/begin', { name: 'Mine' });
    const passkey = makeAuthenticator();
    const asked = askedIn(begun.text).get(make)?.asked ?? { challenge: '' };
    const made = { name: 'Mine', passkey: passkey.make(asked, origin) };
    expect((await visitor.post(make, made)).path).toBe('/staff/passkeys');
    const form = askedIn((await visitor.get(act)).text).get(act)?.asked ?? { challenge: '' };
    const done = await visitor.post(act, { ...fields, passkey: passkey.use(form, origin) });
    expect([done.status, done.path]).toEqual([200, `/staff/accounts/${customer.accountId}?done`]);
  });
});

describe('where the provider is not trusted with the second factor', () => {
  let world: SignOnWorld;
  beforeAll(async () => {
    world = await startSignOnWorld({ OIDC_STAFF_FACTORS: 'mfa', ...groups });
  });
  afterAll(() => world.stop());

  /** Enrols a staff member. @returns The secret of the app. */
  async function enrol(accountId: string, visitor: Visitor): Promise<string> {
    const parts = { ...world.gateway, config: loadConfig(world.gateway.env) };
    const link = await openEnrolmentLink(parts, { accountId, setsPassword: true });
    await visitor.get('/staff/enrol');
    const token = link.slice(link.indexOf('#') + 1);
    const page = await visitor.post('/staff/enrol', { token });
    const secret = (/id="secret">([^<]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const fields = { token, code: codeOf(secret), password: 'a long word of staff' };
    await visitor.post('/staff/enrol', fields);
    return secret;
  }

  test('an accepted value of amr enters immediately, and others need a code of the app', async () => {
    const person = somebody(['ops']);
    const strong = await world.signIn(world.open(), { ...person, amr: ['pwd', 'mfa'] }, path);
    expect(strong.path).toBe('/staff');
    const visitor = world.open();
    const asked = await world.signIn(visitor, { ...person, amr: ['pwd'] }, path);
    expect(asked.text).toContain('Confirm your identity');
    expect((await visitor.get('/staff')).path).toMatch(/^\/staff\/sign-in/);
    const proof = asked.field('proof');
    const refused = await visitor.post(`${path}/code`, { proof, code: '000000' });
    expect(refused.status).toBe(400);

    const account = await accountOf(world, person);
    const secret = await enrol(account?._id ?? '', world.open());
    const again = world.open();
    const page = await world.signIn(again, { ...person, amr: ['pwd'] }, path);
    // The enrolment's time step is used; the next one also works.
    const code = codeOf(secret, 1);
    const inside = await again.post(`${path}/code`, { proof: page.field('proof'), code });
    expect(inside.path).toBe('/staff');

    const passkey = await givePasskey(world.gateway, account?._id ?? '');
    const third = world.open();
    const last = await world.signIn(third, { ...person, amr: ['pwd'] }, path);
    const { asked: form } = askedIn(last.text).get(`${path}/code`) ?? { asked: { challenge: '' } };
    const response = {
      proof: last.field('proof'),
      passkey: passkey.use(form, world.gateway.origin),
    };
    expect((await third.post(`${path}/code`, response)).path).toBe('/staff');
  });

  test('passwords still work, and a proof of another kind does not', async () => {
    const visitor = world.open();
    expect((await visitor.get('/staff/sign-in')).text).toContain('type="password"');
    const refused = await visitor.post(`${path}/code`, { proof: 'acct_x.1.y', code: '000000' });
    expect(refused.status).toBe(410);
  });
});
