import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { hourMs } from '@framegate/contract';
import { createDiskStore } from '../../../gateway/media/src/diskStore.ts';
import { createAccount } from '../../../gateway/src/application/accounts/createAccount.ts';
import { grantCredits } from '../../../gateway/src/application/credits/grantCredits.ts';
import { eraseGenerations } from '../../../gateway/src/application/generations/end/eraseGenerations.ts';
import { endSiteSessions } from '../../../gateway/src/application/staff/accountActions.ts';
import { openEnrolmentLink } from '../../../gateway/src/compose/staff.ts';
import { loadConfig } from '../../../gateway/src/config.ts';
import type { Account } from '../../../gateway/src/domain/accounts/account.ts';
import { formatApiKey, hashApiKey } from '../../../gateway/src/domain/accounts/apiKey.ts';
import type { AccessKind } from '../../../gateway/src/domain/signIn/access.ts';
import type { AccessEnd } from '../../../gateway/src/domain/signIn/accessEnds.ts';
import { hashLinkToken } from '../../../gateway/src/domain/signIn/signInLink.ts';
import { newToken, tokenHash } from '../../../gateway/src/domain/signIn/token.ts';
import { inviteMember, setMember } from '../../../gateway/src/domain/teams/team.ts';
import { monthNumberOf } from '../../../gateway/src/domain/time/utcMonth.ts';
import type { OperatorWorld } from '../../operator/support/operatorWorld.ts';
import type { Forger } from '../../signOn/support/forger.ts';
import { leave } from '../../signOn/support/signOnWorld.ts';
import { addFinished } from '../../site/support/addFinished.ts';
import { codeFor } from '../../site/support/mailbox.ts';
import { password } from '../../site/support/signUpVerified.ts';
import { factorPath, sendCode, turnOn } from '../../site/support/useSecondFactor.ts';
import { createVisitor, type Page, type Visitor } from '../../site/support/visitor.ts';
import { codeOf, givePasskey, openBrowser, openLink, sendEnrolment } from '../../staff/browse.ts';
import type { Authenticator } from '../../support/authenticator.ts';
import { requests } from '../../support/gateway.ts';
import { collectLog } from '../../support/mongod.ts';
import type { WorldPlan } from './worldPlan.ts';

/** Cheap, because there are many worlds. */
const cheapHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
/** A create request costs 30 credits. */
const costCredits = 30;
const order = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A paper boat' };
const keysPath = '/settings/public-api';
const teamPath = '/settings/team';
const accountPath = '/settings/account';

/** A world over HTTP. */
export interface AccessWorld {
  /** Whether each row opens something now; rows that the world lacks are absent. Can be called only once. */
  tries: Partial<Record<AccessKind, () => Promise<boolean>>>;
  act: (end: AccessEnd) => Promise<void>;
  /** Whether the act was done; two in parallel may have invalidated each other's codes. */
  isDone: (end: AccessEnd) => Promise<boolean>;
  /** Creates with the key that the person made in the team. @returns Whether it was accepted, or the error's code. */
  createInTeam: () => Promise<true | string>;
  /** Credits that this key has spent since the beginning. */
  spent: () => number;
}

/** Builds a world in the database, with sessions from real sign-ins. */
export async function buildWorld(
  { gateway, operator, erase }: Pick<OperatorWorld, 'gateway' | 'operator' | 'erase'>,
  forger: Forger,
  plan: WorldPlan,
  end: AccessEnd,
): Promise<AccessWorld> {
  const { database, clock, collections } = gateway;
  const tag = randomUUID();
  const deps = { database, clock, random: gateway.random };
  const nowMs = clock.now();
  const find = async (id: string) =>
    (await database.accounts.find(id)) ?? Promise.reject(new Error(id));
  const change = (id: string, changed: (account: Account) => Account) =>
    database.changeAccount(id, (account) => ({ after: changed(account), result: null }));
  const addPerson = async (name: string, more: Partial<Account> = {}) => {
    const command = { email: `${name}-${tag}@example.com`, password: null, isVerified: true };
    const passwords = { isKnown: () => Promise.resolve(false) } as never;
    const { id, email } = await createAccount(
      { ...deps, passwords },
      { ...command, staffRole: null },
    );
    const passwordHash = await cheapHash;
    await change(id, (account) => ({ ...account, passwordHash, ...more }));
    const credits = { accountId: id, amountCredits: 1_000, kind: 'purchased' as const };
    await grantCredits(deps, { ...credits, expiresAt: null, reason: null });
    return { id, email };
  };
  const addKey = async (accountId: string, more: object = {}) => {
    const bytes = gateway.random.bytes(64);
    const apiKey = formatApiKey(Buffer.from(bytes));
    const { pepper } = gateway;
    const key = {
      id: gateway.random.newId('key'),
      name: 'key',
      models: null,
      hosts: [],
      hash: hashApiKey(apiKey, pepper),
      pepperVersion: pepper.version,
      prefix: apiKey.slice(0, 14),
      lastFour: apiKey.slice(-4),
      createdAt: nowMs,
      revokedAt: null,
      ...more,
    };
    await change(accountId, (account) => ({ ...account, keys: [...account.keys, key] }));
    return { id: key.id, apiKey };
  };
  const invite = async (teamId: string, email: string) => {
    const token = randomUUID().replaceAll('-', '').repeat(2);
    const invited = { id: tokenHash(token), email, role: 'member' as const };
    await change(teamId, (account) => inviteMember({ ...account, members: [] }, invited, nowMs));
    return `/settings/join/${teamId}/${token}`;
  };
  const limitOf = (left: number | undefined) =>
    left === undefined
      ? {}
      : { monthlyCredits: 100, monthSpent: { month: monthNumberOf(nowMs), credits: 100 - left } };

  const subject = `sub ${tag}`;
  const identities = [{ issuer: forger.issuer, subject, linkedAt: nowMs }];
  const person = await addPerson('eva', {
    ...(plan.hasIdentity && { identities }),
    ...(end === 'move the email' && { externalId: tag }),
  });
  const [owner, helper, guest] = [
    await addPerson('owner'),
    await addPerson('helper'),
    await addPerson('guest'),
  ];
  // People join last, because `invite` requires a person who is not a member.
  const received = plan.isInvited ? await invite(owner.id, person.email) : null;
  const sent = await invite(person.id, guest.email);
  const joined = async (
    of: { id: string; email: string },
    teamId: string,
    role: WorldPlan['role'],
    left?: number,
  ) => {
    await change(teamId, (team) => {
      const { invitations = [] } = team;
      const placed = setMember(team, { ...of, role }, nowMs);
      const members = (placed.members ?? []).map((each) => ({ ...each, ...limitOf(left) }));
      return { ...placed, members, invitations };
    });
    await change(of.id, (account) => ({ ...account, teams: [teamId] }));
  };
  await joined(person, owner.id, plan.role, plan.left);
  if (plan.hasHelper) await joined(helper, person.id, 'member');
  const own = await addKey(person.id);
  const ofHelper = plan.hasHelper ? await addKey(person.id, { madeBy: helper }) : null;
  const inTeam = await addKey(owner.id, { madeBy: person, ...limitOf(plan.keyLeft) });

  const signIn = async (email: string, actsFor?: string) => {
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-in');
    const page = await visitor.post('/sign-in', { email, password });
    if (actsFor !== undefined) {
      await visitor.get(accountPath);
      await visitor.post('/settings/acts-for', { account: actsFor });
    }
    return { visitor, page };
  };
  /** The acting session, which some acts keep. */
  const session = (await signIn(person.email)).visitor;
  const ownerSession = (await signIn(owner.email)).visitor;
  const helperSession = plan.hasHelper ? (await signIn(helper.email, person.id)).visitor : null;
  const guestSession = (await signIn(guest.email)).visitor;
  const factor = plan.hasFactor ? await turnOn({ visitor: session }) : null;
  const codes = [...(factor?.recoveryCodes ?? [])];
  const code = () => codes.pop() ?? '';
  const proof = factor && (await signIn(person.email));
  const other = await enterAnew();
  await session.get(accountPath);
  const teamSession = await enterAnew();
  await teamSession.get(accountPath);
  await teamSession.post('/settings/acts-for', { account: owner.id });

  /** Signs in by a new link, and chooses to keep everything if a choice is pending. */
  async function enterAnew(): Promise<Visitor> {
    const visitor = createVisitor(gateway.origin);
    await useLink(visitor, await addLink());
    if ((await visitor.get('/studio')).path === '/settings/access') {
      await visitor.post('/settings/access', {});
    }
    return visitor;
  }
  async function addLink() {
    const token = randomUUID();
    const expiresAt = new Date(Date.now() + 600_000);
    const link = { returnTo: null, expiresAt, usedAt: null, accountId: person.id };
    await collections.signInLinks.insertOne({ _id: hashLinkToken(token), ...link });
    return token;
  }
  /** Signs in by a link, with a code if there is a factor. */
  async function useLink(visitor: Visitor, token: string): Promise<Page> {
    await visitor.get(`/sign-in/link?token=${token}`);
    const page = await visitor.post('/sign-in/link', { token });
    return page.field('proof') === '' ? page : sendCode(visitor, page, code());
  }
  /** Links do not sign in staff. */
  async function enterByPassword(): Promise<Visitor> {
    const { visitor, page } = await signIn(person.email);
    if (page.field('proof') !== '') await sendCode(visitor, page, code());
    return visitor;
  }
  async function openEnrolment(): Promise<string> {
    const parts = { ...deps, config: loadConfig(gateway.env), models: gateway.models };
    const staff = { accountId: person.id, setsPassword: false };
    const { pathname, hash: fragment } = new URL(await openEnrolmentLink(parts, staff));
    return pathname + fragment;
  }
  const isIn = async (visitor: Visitor) =>
    !/^\/sign-in/.test((await visitor.get(accountPath)).path);

  const mark = session.cookies.get('fg_browser') ?? '';
  const staffCookie = newToken(gateway.random);
  let passkey: Authenticator | null = null;
  let enrolment = '';
  if (plan.isStaff) {
    await change(person.id, (account) => ({ ...account, staffRole: 'support' }));
    const times = { createdAt: new Date(), seenAt: new Date() };
    const expiresAt = new Date(Date.now() + hourMs);
    const kept = { _id: tokenHash(staffCookie), accountId: person.id, ...times, expiresAt };
    await collections.staffSessions.insertOne(kept);
    // Its person keeps another session.
    passkey = await givePasskey(gateway, person.id);
    await givePasskey(gateway, person.id);
    enrolment = await openEnrolment();
  }
  const finished = await addFinished(gateway, person.id);
  const shown = await requests(gateway.origin, own.apiKey).get(`/v1/generations/${finished}`);
  const [fileUrl = ''] = /http[^"]+\/outputs\/[^"]+/.exec(JSON.stringify(shown.json)) ?? [];

  const confirmationId = `cfm_${tag}`;
  await collections.confirmations.insertOne({
    _id: confirmationId,
    purpose: 'reset',
    accountId: person.id,
    email: person.email,
    codeHash: 'x',
    attemptsLeft: 5,
    expiresAt: new Date(Date.now() + 600_000),
    usedAt: null,
  });
  const link = await addLink();
  const shared = plan.hasLink ? newToken(gateway.random) : null;
  if (shared !== null) {
    const _id = await addFinished(gateway, person.id);
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 600_000) };
    const fields = { accountId: person.id, salt: 'salt', showsPrompt: false, ...times };
    await collections.shares.insertOne({ _id, tokenHash: tokenHash(shared), ...fields });
  }

  let accepted = 0;
  const createWith = async (apiKey: string): Promise<true | string> => {
    const { status, json } = await requests(gateway.origin, apiKey).post('/v1/videos', order);
    const { code: problem = String(status) } = (json['error'] ?? {}) as { code?: string };
    if (status === 202 && apiKey === inTeam.apiKey) accepted += 1;
    return status === 202 || problem;
  };
  // A key with a reached limit counts as open; too many unknown keys get a different refusal.
  const keyIsOpen = async (apiKey: string) => {
    const made = await createWith(apiKey);
    return made === true || made === 'key_limit_reached';
  };
  const createOnSite = async (visitor: Visitor) => {
    const form = await visitor.post('/studio', { do: 'update', ...order });
    const shown_credits = form.field('shown_credits');
    const form_key = form.field('form_key');
    const made = await visitor.post('/studio', { ...order, form_key, shown_credits, do: 'create' });
    return made.path.startsWith('/studio?generation=');
  };
  const mayJoin = async (visitor: Visitor, path: string) => {
    await visitor.get(path);
    return (await visitor.post(path)).status === 200;
  };

  const tries: AccessWorld['tries'] = {
    async password() {
      const { visitor, page } = await signIn((await find(person.id)).email);
      return page.field('proof') !== '' || isIn(visitor);
    },
    ...(plan.hasIdentity && {
      async identity() {
        const visitor = createVisitor(gateway.origin);
        const { searchParams } = new URL(await leave(gateway.origin, visitor, '/sign-in/oidc'));
        const nonce = searchParams.get('nonce') ?? '';
        forger.next = { claims: { sub: subject, email: `new-${tag}@example.com` } };
        const state = searchParams.get('state') ?? '';
        const page = await visitor.get(`/sign-in/oidc/callback?code=${nonce}&state=${state}`);
        if (page.field('proof') !== '') return true;
        return (await visitor.get(accountPath)).text.includes((await find(person.id)).email);
      },
    }),
    ...(factor && {
      'second factor': async () =>
        (await collections.customerFactors.countDocuments({ _id: person.id })) > 0,
      async 'recovery codes'() {
        const found = await collections.customerFactors.findOne({ _id: person.id });
        return (found?.['recoveryHashes'] ?? []).length > 0;
      },
      async 'password proof'() {
        await proof?.visitor.get('/sign-in');
        if (!proof) return false;
        await sendCode(proof.visitor, proof.page, code());
        return isIn(proof.visitor);
      },
    }),
    'mailed code': async () =>
      (await createVisitor(gateway.origin).get(`/confirm/${confirmationId}`)).status === 200,
    async 'sign-in link'() {
      const visitor = createVisitor(gateway.origin);
      await useLink(visitor, link);
      return isIn(visitor);
    },
    'site session': () => createOnSite(other),
    'URL of a file': async () => (await fetch(fileUrl)).status === 200,
    ...(plan.isStaff && {
      async 'console session'() {
        const browser = openBrowser(gateway.origin);
        browser.cookies.set('fg_staff', staffCookie);
        return (await browser.get('/staff')).status === 200;
      },
      async passkey() {
        const browser = openBrowser(gateway.origin);
        browser.passkey = passkey;
        await browser.get('/staff/sign-in');
        const { email } = await find(person.id);
        const page = await browser.send('/staff/sign-in', { email, password });
        return page.location === '/staff';
      },
      'enrolment link': async () =>
        (await openLink(openBrowser(gateway.origin), enrolment)).status === 200,
    }),
    async 'remembered browser'() {
      const fields = { email: (await find(person.id)).email, password: 'a wrong one' };
      const [known, stranger] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
      known.cookies.set('fg_browser', mark);
      const statuses: number[] = [];
      for (const visitor of [stranger, stranger, known]) {
        await visitor.get('/sign-in');
        statuses.push((await visitor.post('/sign-in', fields)).status);
        // Simulates a stranger who failed in each way until each must wait.
        if (visitor === stranger) {
          await collections.attempts.updateMany({}, { $set: { count: 1e6 } });
        }
      }
      await collections.attempts.deleteMany({});
      expect(statuses.slice(0, 2)).toEqual([400, 429]);
      return statuses[2] !== 429;
    },
    'operator key': async () => (await operator.get('/accounts?limit=1')).status === 200,
    'own key': () => keyIsOpen(own.apiKey),
    ...(shared !== null && {
      'shared link': async () => (await fetch(`${gateway.origin}/shared/${shared}`)).status === 200,
    }),
    ...(helperSession &&
      ofHelper && {
        member: () => createOnSite(helperSession),
        'key of a member': () => keyIsOpen(ofHelper.apiKey),
      }),
    'invitation sent': () => mayJoin(guestSession, sent),
    async 'place in a team'() {
      const again = plan.isStaff ? await enterByPassword() : await enterAnew();
      await again.get(accountPath);
      await again.post('/settings/acts-for', { account: owner.id });
      const pages = [await again.get(teamPath), await teamSession.get(teamPath)];
      return pages.some(({ text }) => text.includes(`<strong>${owner.email}</strong>`));
    },
    ...(plan.role !== 'billing' && { 'key made in a team': () => keyIsOpen(inTeam.apiKey) }),
    ...(received !== null &&
      !plan.isStaff && {
        async 'invitation received'() {
          const visitor = await enterAnew();
          return (await isIn(visitor)) && mayJoin(visitor, received);
        },
      }),
  };

  const acts: Record<AccessEnd, () => Promise<unknown>> = {
    async 'leave a team'() {
      await teamSession.get(teamPath);
      await teamSession.post(`${teamPath}/leave`);
    },
    async 'remove from a team'() {
      await ownerSession.get(teamPath);
      await ownerSession.post(`${teamPath}/remove`, { member: person.id, keys: 'keep' });
    },
    async 'demote in a team'() {
      await ownerSession.get(teamPath);
      await ownerSession.post(`${teamPath}/role`, { member: person.id, role: 'billing' });
    },
    suspend: () => operator.post(`/accounts/${person.id}/suspend`, { reason: 'model' }),
    async 'reset the password'() {
      const visitor = createVisitor(gateway.origin);
      await visitor.get('/forgotten-password');
      const asked = await visitor.post('/forgotten-password', { email: person.email });
      const mailed = await codeFor(gateway.dataDir, person.email);
      await visitor.post(asked.path, { code: mailed, password: 'another good one' });
    },
    async 'change the password'() {
      await session.get(accountPath);
      const fields = { current_password: password, password: 'another good one' };
      await session.post(`${accountPath}/password`, fields);
    },
    'move the email': () => {
      const email = `moved-${tag}@example.com`;
      return operator.call('PUT', `/accounts/by-external-id/${tag}`, {
        email,
        email_verified: true,
      });
    },
    async 'change the email'() {
      await session.get(`${accountPath}/email`);
      const email = `own-${tag}@example.com`;
      await session.post(`${accountPath}/email`, {
        email,
        current_password: password,
        code: code(),
      });
      const new_code = await codeFor(gateway.dataDir, email);
      const old_code = await codeFor(gateway.dataDir, person.email);
      await session.post(`${accountPath}/email/codes`, { new_code, old_code });
    },
    async 'unlink an identity'() {
      await session.get(accountPath);
      await session.post(`${accountPath}/unlink`, { current_password: password, code: code() });
    },
    async 'rotate a key'() {
      const form_key = (await ownerSession.get(`${keysPath}/keys/${inTeam.id}`)).field('form_key');
      const fields = { form_key, overlap: '24', current_password: password };
      await ownerSession.post(`${keysPath}/keys/${inTeam.id}/rotate`, fields);
    },
    async 'begin the second factor'() {
      codes.push(...(await turnOn({ visitor: session })).recoveryCodes);
    },
    async 'sign out everywhere'() {
      await session.get(accountPath);
      const fields = { session: 'all', current_password: password, code: code() };
      await session.post(`${accountPath}/sessions`, fields);
    },
    'sign out of the site': () => endSiteSessions({ database }, person.id),
    async 'end the second factor'() {
      await session.get(factorPath);
      await session.post(`${factorPath}/off`, { current_password: password, code: code() });
    },
    async erase() {
      await erase(person.id);
      const { log } = collectLog();
      const media = createDiskStore(join(gateway.dataDir, 'media'));
      const work = { database, clock, log, media };
      await eraseGenerations(work, new AbortController().signal, person.id);
    },
    async 'enrol staff'() {
      const opened = await openEnrolment();
      const browser = openBrowser(gateway.origin);
      const { html } = await openLink(browser, opened);
      const secret = (/id="secret">([^<]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
      // A parallel one has replaced the link.
      if (secret === '') return;
      const fields = { password, code: codeOf(secret) };
      await sendEnrolment(browser, opened, fields);
    },
    async 'remove a passkey'() {
      const browser = openBrowser(gateway.origin);
      browser.cookies.set('fg_staff', staffCookie);
      browser.passkey = passkey;
      await browser.get('/staff/passkeys');
      await browser.send('/staff/passkeys/remove', { id: passkey?.id ?? '' });
    },
  };
  return {
    tries,
    act: async (which) => {
      await acts[which]();
    },
    isDone: async (which) =>
      which !== 'change the email' || (await find(person.id)).email.startsWith('own-'),
    createInTeam: () => createWith(inTeam.apiKey),
    spent: () => accepted * costCredits,
  };
}
