import { beforeAll, describe, expect, test } from '@jest/globals';
import { requests } from '../support/gateway.ts';
import { mailsTo } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import { shownKey } from './support/useKeyPages.ts';
import { type Customer, factorPath, turnOn } from './support/useSecondFactor.ts';
import { joinPathIn, teamPath, type TeamWorld, useTeam } from './support/useTeam.ts';

/* A team's name, its invitations and its requirements for members. */

const world = useTeam();
let { gateway, person, accountOf, join, addMember } = {} as TeamWorld;
let owner: Customer;
let member: Customer;
beforeAll(async () => {
  ({ gateway, person, accountOf, join, addMember } = world());
  owner = await person('owner');
  member = await person('member');
  await addMember(owner, member, 'member');
});

const settings = `${teamPath}/settings`;
const send = async ({ visitor }: Customer, form: string, fields: Record<string, string>) => {
  await visitor.get('/settings/account');
  return visitor.post(`${teamPath}/${form}`, fields);
};
const lastTextTo = async (email: string) =>
  ((await mailsTo(gateway.dataDir, email)).at(-1)?.text ?? '').replace(/=\r?\n/g, '');

describe('a name', () => {
  test('appears in the switcher, on the page of the team, in emails and in invitations', async () => {
    const done = await send(owner, 'name', { name: ' Acme  Films ' });
    expect([done.path, done.text]).toEqual([settings, expect.stringContaining('Team name saved.')]);
    const named = 'Acme Films (owner@example.com)';
    expect((await member.visitor.get('/studio')).text).toMatch(
      /selected>Acme Films \(owner@example\.com\)<\/option>/,
    );
    expect((await member.visitor.get(teamPath)).text).toContain(named);
    const guest = await person('guest');
    await send(owner, 'invite', { email: guest.email, role: 'member' });
    const mail = await lastTextTo(guest.email);
    expect(mail).toContain(`join the team ${named}`);
    expect((await guest.visitor.get(joinPathIn(mail))).text).toContain(named);
    await join(guest.visitor, joinPathIn(mail));
    await send(owner, 'remove', { member: guest.accountId });
    expect(await lastTextTo(guest.email)).toContain(`from the team ${named}`);
  });

  test('cannot be a link, and can be removed', async () => {
    const wrong = await send(owner, 'name', { name: 'https://evil.example' });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('Use up to 40 characters'),
    ]);
    expect((await accountOf(owner)).teamName).toBe('Acme Films');
    await send(owner, 'name', { name: '' });
    expect((await member.visitor.get(teamPath)).text).not.toContain('Acme');
  });
});

describe('several invitations', () => {
  test('go with one role and limit to all, and each address has its result', async () => {
    const fields = { role: 'editor', monthly_credits: '1,000' };
    const email = 'a@example.com, b@example.com\nmember@example.com;no-address';
    const page = await send(owner, 'invite', { ...fields, email });
    expect(page.status).toBe(200);
    expect(page.text).toContain('a@example.com: invited');
    expect(page.text).toContain('b@example.com: invited');
    expect(page.text).toContain(
      'member@example.com: not invited. This person is already in the team.',
    );
    expect(page.text).toContain('no-address: not invited. Enter an email address');
    expect(page.text).toMatch(/<textarea[^>]*name="email"[^>]*>\s*member@example.com\nno-address</);
    const { invitations } = await accountOf(owner);
    expect(invitations?.map((each) => [each.email, each.role, each.monthlyCredits])).toEqual([
      ['a@example.com', 'editor', 1_000],
      ['b@example.com', 'editor', 1_000],
    ]);
    const path = joinPathIn(await lastTextTo('b@example.com'));
    const joined = await person('b');
    await join(joined.visitor, path);
    expect((await accountOf(owner)).members?.at(-1)).toMatchObject({
      role: 'editor',
      monthlyCredits: 1_000,
    });
  });

  test('are all sent, or none if the form is invalid', async () => {
    const sent = await send(owner, 'invite', {
      email: 'c@example.com d@example.com',
      role: 'member',
    });
    expect(sent.text).toContain('Invitations sent to c@example.com, d@example.com.');
    const many = Array.from({ length: 11 }, (_, index) => `m${index}@example.com`).join(',');
    for (const [fields, problem] of [
      [{ email: many, role: 'member' }, 'at most 10 email addresses'],
      [{ email: 'e@example.com', role: 'king' }, 'Choose a role.'],
      [
        { email: 'e@example.com', role: 'member', monthly_credits: '-1' },
        'whole number of credits',
      ],
    ] as const) {
      const wrong = await send(owner, 'invite', fields);
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining(problem)]);
    }
    const { invitations } = await accountOf(owner);
    expect(invitations?.map((each) => each.email)).toEqual([
      'a@example.com',
      'c@example.com',
      'd@example.com',
    ]);
  });

  test('keep their limit when they are sent again', async () => {
    await send(owner, 'invite', { email: 'a@example.com', role: 'member' });
    const kept = (await accountOf(owner)).invitations?.find(
      (each) => each.email === 'a@example.com',
    );
    expect(kept).toMatchObject({ role: 'member', monthlyCredits: 1_000 });
    await send(owner, 'invite', { email: 'a@example.com', role: 'member', monthly_credits: '' });
    const open = (await accountOf(owner)).invitations?.find(
      (each) => each.email === 'a@example.com',
    );
    expect(open).not.toHaveProperty('monthlyCredits');
  });
});

describe('a required second factor', () => {
  const video = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A boat' };
  let apiKey: string;
  const create = () => requests(gateway.origin, apiKey).post('/v1/videos', video);
  const makeKey = async (name: string) => {
    const form_key = (await member.visitor.get('/settings/public-api')).field('form_key');
    const fields = { form_key, name, models: ['alpha-2.0-mini'] };
    return shownKey(await member.visitor.post('/settings/public-api/keys', fields));
  };

  test('must first be turned on by the owner who requires it', async () => {
    apiKey = await makeKey('shop');
    const early = await send(owner, 'factor', { needed: 'yes' });
    expect([early.status, early.text]).toEqual([
      403,
      expect.stringContaining('Turn on your own two-factor authentication first'),
    ]);
    const { recoveryCodes } = await turnOn(owner);
    const code = recoveryCodes[0] ?? '';
    expect((await owner.visitor.get(settings)).text).toMatch(
      /Not turned on yet: member@example.com/,
    );
    const done = await send(owner, 'factor', { needed: 'yes', code });
    expect(done.text).toContain('This team now requires two-factor authentication.');
    expect((await owner.visitor.get('/studio')).status).toBe(200);
  });

  test('limits people without one to their own account, with advice', async () => {
    const { visitor } = member;
    for (const path of ['/studio', '/history', '/settings/public-api', teamPath]) {
      const page = await visitor.get(path);
      expect([path, page.status]).toEqual([path, 403]);
      expect(page.text).toContain('To use owner@example.com, turn on');
      expect(page.text).toContain(`href="${factorPath}"`);
      expect(page.text).not.toContain('class="balance"');
    }
    await visitor.get('/settings/account');
    expect((await visitor.post('/studio', { ...video, do: 'create' })).status).toBe(403);
    expect((await visitor.get(factorPath)).status).toBe(200);
    await visitor.post('/settings/acts-for', { account: member.accountId });
    expect((await visitor.get('/studio')).status).toBe(200);
    await visitor.post('/settings/acts-for', { account: owner.accountId });
  });

  test('applies to the makers of keys, who are admitted once they have it', async () => {
    const refused = await create();
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('lacks the two-factor authentication that the team requires'),
    ]);
    await turnOn(member);
    expect((await create()).status).toBe(202);
    expect((await member.visitor.get('/studio')).status).toBe(200);
  });

  test('applies to its owners, and ends with the password', async () => {
    const { customerFactors } = gateway.collections;
    await customerFactors.deleteOne({ _id: owner.accountId });
    expect((await owner.visitor.get('/history')).status).toBe(403);
    const { recoveryCodes } = await turnOn(owner);
    const code = recoveryCodes[0] ?? '';
    await send(owner, 'factor', { needed: 'no', current_password: password, code });
    await customerFactors.deleteOne({ _id: member.accountId });
    expect((await member.visitor.get('/studio')).status).toBe(200);
  });
});
