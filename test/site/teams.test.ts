import { beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor, mailsTo } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import type { Customer } from './support/useSecondFactor.ts';
import { sent } from './support/useStudio.ts';
import { joinPathIn, teamPath, type TeamWorld, useTeam } from './support/useTeam.ts';
import { createVisitor } from './support/visitor.ts';

const world = useTeam();
let { gateway, person, accountOf, invite, addMember } = {} as TeamWorld;
beforeAll(() => {
  ({ gateway, person, accountOf, invite, addMember } = world());
});

const select = (text: string) => /<select id="acts-for"[^]*?<\/select>/.exec(text)?.[0] ?? '';

describe('a team', () => {
  let owner: Customer;
  let member: Customer;
  beforeAll(async () => {
    owner = await person('owner');
    member = await person('member');
    await addMember(owner, member, 'member');
  });

  test('lists its members, and notifies its owner of new ones', async () => {
    const { members, invitations } = await accountOf(owner);
    expect(members).toEqual([
      {
        id: member.accountId,
        email: member.email,
        role: 'member',
        joinedAt: expect.any(Number),
        mailbox: expect.any(String),
      },
    ]);
    expect(invitations).toEqual([]);
    const mails = await mailsTo(gateway.dataDir, owner.email);
    expect(mails.at(-1)?.subject).toBe(`${member.email} joined your team`);
    expect((await owner.visitor.get(teamPath)).text).toContain(member.email);
  });

  test('is chosen in the header by those who belong to another account', async () => {
    expect(select((await owner.visitor.get('/studio')).text)).toBe('');
    const page = await member.visitor.get('/studio');
    expect(select(page.text)).toMatch(/value="acct_\w+" selected>\s*owner@example.com/);
    expect(select(page.text)).toContain('member@example.com (you)');
    const own = await member.visitor.post('/settings/acts-for', { account: member.accountId });
    expect([own.path, own.text]).toEqual(['/studio', expect.stringContaining('your own account')]);
    expect(select(own.text)).toMatch(/selected>\s*member@example.com/);
    const back = await member.visitor.post('/settings/acts-for', { account: owner.accountId });
    expect(back.text).toContain('Switched to owner@example.com');
  });

  test('shows a member work and keys, but neither credits nor people', async () => {
    const { visitor } = member;
    const studio = await visitor.get('/studio');
    expect(studio.text).not.toContain('href="/credits"');
    expect(studio.text).toContain('href="/history"');
    const paths = ['/history', '/settings/public-api', '/credits', '/credits/ledger.csv', teamPath];
    const pages = await Promise.all(paths.map((path) => visitor.get(path)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 403, 403, 200]);
    expect(pages[2]?.text).toContain('Your role (member)');
    expect(pages[4]?.text).not.toContain('Invite people');
  });

  test('leaves personal settings to the person', async () => {
    const page = await member.visitor.get('/settings/account');
    expect(page.text).toContain('Signed in as <strong>member@example.com</strong>');
    const factor = await member.visitor.get('/settings/account/second-factor');
    expect(factor.status).toBe(200);
    await member.visitor.post('/language', { language: 'de', path: '/' });
    const { notices } = gateway.models;
    const languages = await Promise.all(
      [member, owner].map(
        async ({ accountId }) => (await notices.findOne({ _id: accountId }).lean())?.language,
      ),
    );
    expect(languages).toEqual(['de', undefined]);
    await member.visitor.post('/language', { language: 'en', path: '/' });
    await member.visitor.post('/settings/account/mails', {});
    const { models } = gateway;
    expect(await models.notices.countDocuments({ _id: member.accountId })).toBe(1);
    expect(
      await models.notices.countDocuments({ _id: owner.accountId, changedKinds: 'keys' }),
    ).toBe(0);
  });

  test('does not take a form that was opened for another account', async () => {
    const { visitor } = member;
    await visitor.get('/studio');
    await visitor.post('/settings/acts-for', { account: owner.accountId });
    const form = await visitor.get('/history');
    const cookies = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    await visitor.post('/settings/acts-for', { account: member.accountId });
    const stale = await fetch(`${gateway.origin}/studio`, {
      method: 'POST',
      headers: {
        cookie: cookies,
        origin: gateway.origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ form_token: form.field('form_token'), do: 'update' }),
    });
    expect([stale.status, await stale.text()]).toEqual([
      403,
      expect.stringContaining('This form has expired'),
    ]);
    await visitor.get('/studio');
    await visitor.post('/settings/acts-for', { account: owner.accountId });
  });

  test('applies the role chosen by an owner immediately', async () => {
    const { visitor } = owner;
    await visitor.get(teamPath);
    const fields = { member: member.accountId, role: 'billing' };
    expect((await visitor.post(`${teamPath}/role`, fields)).text).toContain('Role changed');
    expect((await member.visitor.get('/credits')).status).toBe(200);
    expect((await member.visitor.get('/history')).status).toBe(403);
    // The page after a sign-in.
    expect((await member.visitor.get('/studio')).path).toBe('/credits');
    const wrong = await visitor.post(`${teamPath}/role`, { ...fields, role: 'king' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Choose a role.')]);
    await visitor.post(`${teamPath}/role`, { ...fields, role: 'member' });
  });

  test('speaks the language of the browser', async () => {
    const german = { headers: { 'accept-language': 'de' } };
    const page = await owner.visitor.send(teamPath, german);
    expect(page.text).toContain('Mitglieder einladen');
    expect(page.text).not.toContain('Invite people');
  });

  test('shows in its history which member made the key of a generation', async () => {
    const path = '/settings/public-api';
    const form_key = (await member.visitor.get(path)).field('form_key');
    const fields = { form_key, name: 'shop', models: ['alpha-2.0-mini'] };
    await member.visitor.post(`${path}/keys`, fields);
    const key = (await accountOf(owner)).keys.at(-1);
    const order = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A paper boat' };
    const form = await member.visitor.post('/studio', { do: 'update', ...order });
    const made = await member.visitor.post('/studio', { ...order, ...sent(form), do: 'create' });
    const id = /generation=(\w+)/.exec(made.path)?.[1] ?? '';
    const { generations } = gateway.collections;
    await generations.updateOne({ _id: id }, { $set: { channel: 'api', keyId: key?.id ?? '' } });
    for (const page of ['/history', `/generations/${id}`]) {
      const { text } = await owner.visitor.get(page);
      expect(text).toContain('key “shop”, created by member@example.com');
    }
  });

  test('keeps its last owner', async () => {
    const { visitor } = owner;
    await visitor.get(teamPath);
    for (const way of ['remove', 'leave', 'role']) {
      const fields = { member: owner.accountId, role: 'member' };
      const refused = await visitor.post(`${teamPath}/${way}`, fields);
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.stringContaining('remove the account owner'),
      ]);
    }
  });

  test('adds no one twice', async () => {
    const { visitor } = owner;
    await visitor.get(teamPath);
    for (const email of [member.email, owner.email.toUpperCase()]) {
      const refused = await visitor.post(`${teamPath}/invite`, { email, role: 'member' });
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.stringContaining('This person is already in the team.'),
      ]);
    }
  });
});

describe('an invitation', () => {
  let owner: Customer;
  beforeAll(async () => {
    owner = await person('host');
  });

  test('opens without a sign-in, names its address, and is kept until after the sign-in', async () => {
    const path = await invite(owner, 'newcomer@example.com', 'billing');
    const stranger = createVisitor(gateway.origin);
    const page = await stranger.get(path);
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('newcomer@example.com'),
    ]);
    expect(page.text).toContain(`/sign-in?next=${encodeURIComponent(path)}`);
    const newcomer = await person('newcomer');
    const signedIn = createVisitor(gateway.origin);
    await signedIn.get('/sign-in');
    const { email } = newcomer;
    const back = await signedIn.post('/sign-in', {
      email,
      password,
      next: path,
    });
    expect([back.path, back.text]).toEqual([path, expect.stringContaining('Join team')]);
    expect((await signedIn.post(path)).path).toBe('/credits');
  });

  test('has a code for people without an account: one email, one page, and then the invitation', async () => {
    const email = 'fresh@example.com';
    const path = await invite(owner, email, 'member');
    const [mail] = await mailsTo(gateway.dataDir, email);
    const question = /\/confirm\/cfm_\w+\?next=%2Fsettings%2Fjoin%2F\w+%2F[0-9a-f]{64}/;
    const [page = ''] =
      question.exec((mail?.text ?? '').replace(/=\r?\n/g, '').replaceAll('=3D', '=')) ?? [];
    const visitor = createVisitor(gateway.origin);
    const form = await visitor.get(page);
    const fields = {
      code: mail?.code ?? '',
      password,
      next: form.field('next'),
    };
    const joining = await visitor.post(page.replace(/\?.*/, ''), fields);
    expect([joining.path, joining.text]).toEqual([path, expect.stringContaining('Join team')]);
    expect(await mailsTo(gateway.dataDir, email)).toHaveLength(1);
    expect((await visitor.post(path)).text).toContain('Switched to');
    // People with an account get no code.
    const known = await person('known');
    await invite(owner, known.email, 'member');
    expect((await mailsTo(gateway.dataDir, known.email)).at(-1)?.code).toBe('');
  });

  test('is kept, with its address, until after a sign-up that begins on its page', async () => {
    const email = 'starts@example.com';
    const path = await invite(owner, email, 'member');
    const visitor = createVisitor(gateway.origin);
    const page = await visitor.get(path);
    const asked = await visitor.post('/sign-up', {
      email: page.field('email'),
      next: page.field('next'),
    });
    const fields = {
      code: await codeFor(gateway.dataDir, email),
      password,
      next: asked.field('next'),
    };
    expect((await visitor.post(asked.path.replace(/\?.*/, ''), fields)).path).toBe(path);
  });

  test('is sent again with a new link, which ends the former one, and no link works after a revocation', async () => {
    const guest = await person('guest');
    const first = await invite(owner, guest.email, 'member');
    const second = await invite(owner, guest.email, 'member');
    expect(second).not.toBe(first);
    const { invitations = [] } = await accountOf(owner);
    expect(invitations.filter(({ email }) => email === guest.email)).toHaveLength(1);
    expect((await guest.visitor.get(first)).status).toBe(410);
    await owner.visitor.get(teamPath);
    const { text } = await owner.visitor.post(`${teamPath}/revoke`, { email: guest.email });
    expect(text).toContain('Invitation revoked.');
    expect((await guest.visitor.get(second)).status).toBe(410);
    await guest.visitor.get('/studio');
    expect((await guest.visitor.post(second)).status).toBe(403);
    expect((await accountOf(owner)).members?.map(({ email }) => email)).not.toContain(guest.email);
  });

  test('goes only to an address, and not repeatedly to one mailbox', async () => {
    await owner.visitor.get(teamPath);
    const wrong = await owner.visitor.post(`${teamPath}/invite`, { email: 'x', role: 'member' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('field-email')]);
    const fields = { email: 'often@example.com', role: 'member' };
    const responses = [];
    for (let time = 0; time < 6; time += 1) {
      responses.push((await owner.visitor.post(`${teamPath}/invite`, fields)).status);
    }
    expect(responses).toEqual([200, 200, 200, 200, 200, 429]);
    const mails = await mailsTo(gateway.dataDir, 'often@example.com');
    expect(mails).toHaveLength(5);
    expect(joinPathIn(mails[0]?.text ?? '')).not.toBe('');
  });
});

describe('monthly limits', () => {
  const order = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A paper boat' };
  let owner: Customer;
  let member: Customer;
  beforeAll(async () => {
    owner = await person('payer');
    member = await person('spender');
    await addMember(owner, member, 'member');
  });
  const create = async ({ visitor }: Customer) => {
    const form = await visitor.post('/studio', { do: 'update', ...order });
    return visitor.post('/studio', { ...order, ...sent(form), do: 'create' });
  };
  const limit = async (monthly_credits: string) => {
    await owner.visitor.get(teamPath);
    const fields = { member: member.accountId, monthly_credits };
    return owner.visitor.post(`${teamPath}/limit`, fields);
  };

  test('limit only the member at the site, from the next create', async () => {
    expect((await limit('40')).text).toContain('can now spend 40 credits per month');
    expect((await create(member)).path).toMatch(/^\/studio\?generation=/);
    expect((await owner.visitor.get(teamPath)).text).toMatch(/max="40"\s+value="30"/);
    expect((await member.visitor.get(teamPath)).text).toContain('30 of 40');
    const refused = await create(member);
    expect([refused.status, refused.text]).toEqual([
      402,
      expect.stringContaining(
        'can spend 40 credits per month and has 10 left until the month ends',
      ),
    ]);
    expect((await create(owner)).path).toMatch(/^\/studio\?generation=/);
    expect((await limit('')).text).toContain('no longer has a monthly limit');
    expect((await create(member)).path).toMatch(/^\/studio\?generation=/);
  });

  test.each(['0', '-1', 'many'])('of a member are not %s', async (typed) => {
    const wrong = await limit(typed);
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('whole number of credits'),
    ]);
  });

  test('of a key are set on its page, and pass to its replacement', async () => {
    const { visitor } = owner;
    const path = '/settings/public-api';
    const form_key = (await visitor.get(path)).field('form_key');
    const fields = { form_key, name: 'monthly', models: ['alpha-2.0-mini'] };
    await visitor.post(`${path}/keys`, fields);
    const key = (await accountOf(owner)).keys.at(-1);
    const page = `${path}/keys/${key?.id}`;
    await visitor.get(page);
    const set = await visitor.post(`${page}/month`, { monthly_credits: '1,200' });
    expect(set.text).toContain('can now spend 1,200 credits per month');
    expect(set.text).toContain('0 of 1,200');
    const wrong = await visitor.post(`${page}/month`, { monthly_credits: 'x' });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('whole number of credits'),
    ]);
    const again = (await visitor.get(page)).field('form_key');
    await visitor.post(`${page}/rotate`, { form_key: again, overlap: '24' });
    expect((await accountOf(owner)).keys.at(-1)).toMatchObject({
      name: 'monthly',
      monthlyCredits: 1_200,
    });
    await visitor.get(page);
  });
});
