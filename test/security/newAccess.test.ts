import { beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor, mailsTo } from '../site/support/mailbox.ts';
import { password } from '../site/support/signUpVerified.ts';
import { shownKey } from '../site/support/useKeyPages.ts';
import { type Customer, turnOn } from '../site/support/useSecondFactor.ts';
import { teamPath, type TeamWorld, useTeam } from '../site/support/useTeam.ts';
import { createVisitor, type Page } from '../site/support/visitor.ts';
import { codeOf } from '../staff/browse.ts';

/*
 * The attack: someone at another person's unlocked browser, however recent its session, gains access that outlives the
 * session: a key, an owner's place in the team, a higher limit, another address.
 */

const world = useTeam();
let { gateway, person, accountOf, addMember } = {} as TeamWorld;
beforeAll(() => {
  ({ gateway, person, accountOf, addMember } = world());
});

const keysPath = '/settings/public-api';
const accountPath = '/settings/account';

async function keyForm({ visitor }: Customer) {
  const form_key = (await visitor.get(keysPath)).field('form_key');
  return { form_key, name: 'a key', models: 'image-b-2' };
}

/** A customer with a member and a key, and all ways to new access. */
async function addOwner(name: string) {
  const [owner, member] = [await person(name), await person(`${name}-member`)];
  await addMember(owner, member, 'member');
  await owner.visitor.post(`${keysPath}/keys`, await keyForm(owner));
  const { keys } = await accountOf(owner);
  const friend = `${name}-friend@example.com`;
  const ofMember = { member: member.accountId };
  const doors: Record<string, (proof: Record<string, string>) => Promise<Page>> = {
    async 'a key'(proof) {
      return owner.visitor.post(`${keysPath}/keys`, { ...(await keyForm(owner)), ...proof });
    },
    async 'another key'(proof) {
      const { form_key } = await keyForm(owner);
      const fields = { form_key, overlap: '1', ...proof };
      return owner.visitor.post(`${keysPath}/keys/${keys[0]?.id}/rotate`, fields);
    },
    'an invitation': (proof) =>
      owner.visitor.post(`${teamPath}/invite`, { email: friend, role: 'owner', ...proof }),
    'a higher role': (proof) =>
      owner.visitor.post(`${teamPath}/role`, { ...ofMember, role: 'owner', ...proof }),
    'a higher limit': (proof) =>
      owner.visitor.post(`${teamPath}/limit`, { ...ofMember, monthly_credits: '77', ...proof }),
    'an address': (proof) =>
      owner.visitor.post(`${accountPath}/email`, { email: friend, ...proof }),
  };
  const state = async () => {
    const { keys: accountKeys, members, invitations = [] } = await accountOf(owner);
    return JSON.stringify([
      accountKeys,
      members,
      invitations,
      (await mailsTo(gateway.dataDir, friend)).length,
    ]);
  };
  return { owner, doors, state };
}

describe('new access requires a proof each time', () => {
  test('by the password, even right after the sign-in, and typed values stay', async () => {
    const { doors, state } = await addOwner('thief');
    const before = await state();
    for (const [index, [door, open]] of Object.entries(doors).entries()) {
      const refused = await open({ current_password: index % 2 === 0 ? '' : 'wrong one' });
      expect([door, refused.status]).toEqual([door, 400]);
      expect(refused.text).toContain('Wrong password.');
      expect([door, await state()]).toEqual([door, before]);
    }
    const limit = await doors['a higher limit']?.({ current_password: '' });
    expect(limit?.text).toContain('value="77"');
    const invitation = await doors['an invitation']?.({ current_password: '' });
    expect(invitation?.text).toContain('thief-friend@example.com</textarea>');
    expect(invitation?.text).toMatch(/<option value="owner" selected/);
    for (const [door, open] of Object.entries(doors)) {
      const done = await open({ current_password: password });
      expect([door, done.status]).toEqual([door, 200]);
    }
  });

  test('also by the second factor, if there is one', async () => {
    const { owner, doors, state } = await addOwner('factor');
    const { recoveryCodes, secret } = await turnOn(owner);
    const before = await state();
    for (const [index, [door, open]] of Object.entries(doors).entries()) {
      const code = index % 2 === 0 ? '' : '000000';
      const refused = await open({ current_password: password, code });
      expect([door, refused.status]).toEqual([door, 400]);
      expect(refused.text).toContain('This code doesn&#39;t work.');
    }
    expect(await state()).toBe(before);
    const form = { ...(await keyForm(owner)), code: codeOf(secret, 1) };
    // Sent twice, as by a double click, it shows its key twice, though each code works once.
    const send = () => owner.visitor.post(`${keysPath}/keys`, form);
    const made = [shownKey(await send()), shownKey(await send())];
    expect([made[0], made[0] === '']).toEqual([made[1], false]);
    const code = recoveryCodes[0] ?? '';
    expect((await doors['a higher role']?.({ current_password: password, code }))?.status).toBe(
      200,
    );
  });

  test('by a mailed code for a person without a password, once', async () => {
    const { owner, doors, state } = await addOwner('nopass');
    const { accounts } = gateway.collections;
    await accounts.updateOne({ _id: owner.accountId }, { $set: { passwordHash: null } });
    const before = await state();
    for (const open of Object.values(doors)) {
      const asked = await open({});
      expect([asked.status, asked.text]).toEqual([400, expect.stringContaining('emailed a code')]);
    }
    const code = await codeFor(gateway.dataDir, owner.email);
    const wrong = await doors['a key']?.({ mailed_code: '0000 0000' });
    expect([wrong?.status, wrong?.field('name')]).toEqual([400, 'a key']);
    expect(await state()).toBe(before);
    const made = await doors['a key']?.({ mailed_code: code });
    expect(made && shownKey(made)).not.toBe('');
    expect((await doors['an invitation']?.({ mailed_code: code }))?.status).toBe(400);
  });
});

describe('another address', () => {
  async function ask(owner: Customer, email: string) {
    await owner.visitor.get(`${accountPath}/email`);
    const page = await owner.visitor.post(`${accountPath}/email`, { email });
    expect(page.path).toBe(`${accountPath}/email/codes`);
    return codeFor(gateway.dataDir, owner.email);
  }
  const confirm = ({ visitor }: Customer, new_code: string, old_code: string) =>
    visitor.post(`${accountPath}/email/codes`, { new_code, old_code });

  test('takes effect once both mailboxes have confirmed it, and voids earlier emails', async () => {
    const owner = await person('moves');
    const other = createVisitor(gateway.origin);
    await other.get('/sign-in');
    await other.post('/sign-in', { email: owner.email, password });
    const forgotten = createVisitor(gateway.origin);
    await forgotten.get('/forgotten-password');
    const reset = await forgotten.post('/forgotten-password', { email: owner.email });
    const resetCode = await codeFor(gateway.dataDir, owner.email);
    const oldCode = await ask(owner, 'moved@example.com');
    const newCode = await codeFor(gateway.dataDir, 'moved@example.com');
    for (const [one, two] of [
      [newCode, newCode],
      [oldCode, oldCode],
      [newCode, ''],
      [oldCode, newCode],
    ] as const) {
      expect((await confirm(owner, one, two)).status).toBe(400);
      expect((await accountOf(owner)).email).toBe(owner.email);
    }
    const done = await confirm(owner, newCode, oldCode);
    expect([done.path, done.text]).toEqual([
      accountPath,
      expect.stringContaining('moved@example.com'),
    ]);
    expect((await other.get('/studio')).path).toMatch(/^\/sign-in/);
    const used = { code: resetCode, password: 'another good one' };
    expect((await forgotten.post(reset.path, used)).status).toBe(410);
    expect((await mailsTo(gateway.dataDir, owner.email)).at(-1)?.subject).toContain(
      'email was changed',
    );
    await other.post('/sign-in', { email: 'moved@example.com', password });
    expect((await other.get('/studio')).path).toBe('/studio');
  });

  test('with an account learns nothing and gets no code', async () => {
    const [owner, taken] = [await person('wants'), await person('taken')];
    const oldCode = await ask(owner, taken.email);
    const mail = (await mailsTo(gateway.dataDir, taken.email)).at(-1);
    expect(mail?.text).toContain('nothing was changed');
    expect((await confirm(owner, oldCode, oldCode)).status).toBe(400);
    expect((await accountOf(owner)).email).toBe(owner.email);
  });
});
