import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeMember, setMember } from '../../gateway/src/domain/teams/team.ts';
import { codeOf } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { password } from './support/signUpVerified.ts';
import { path, shownKey } from './support/useKeyPages.ts';
import {
  type Customer,
  type Factor,
  factorPath,
  newCustomer,
  turnOn,
} from './support/useSecondFactor.ts';

/** A model with real-person mode, and one without. */
const [withMode, without] = ['alpha-2.0-pro', 'image-b-2'];
const wanted = 'requires two-factor authentication';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', REAL_PERSON_NEEDS_SECOND_FACTOR: 'true' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

async function createKey(
  { visitor }: Customer,
  name: string,
  models: string | string[],
  { recoveryCodes: [code = ''] }: Pick<Factor, 'recoveryCodes'> = { recoveryCodes: [] },
) {
  const form_key = (await visitor.get(path)).field('form_key');
  return visitor.post(`${path}/keys`, { form_key, name, models, code });
}

async function allModels({ visitor }: Customer): Promise<string[]> {
  const { text } = await visitor.get(path);
  return [...text.matchAll(/name="models" value="([^"]+)"/g)].map(([, id]) => String(id));
}

test('a key for real-person mode is made once the account has a second factor', async () => {
  const customer = await newCustomer(gateway, 'real@example.com');
  expect((await customer.visitor.get(path)).text).toContain(`href="${factorPath}"`);
  for (const models of [[withMode, without], await allModels(customer)]) {
    const refused = await createKey(customer, 'refused', models);
    expect([refused.status, refused.text.includes(wanted)]).toEqual([403, true]);
  }
  expect(shownKey(await createKey(customer, 'pictures', without))).not.toBe('');
  const factor = await turnOn(customer);
  const { secret } = factor;
  expect((await customer.visitor.get(path)).text).not.toContain(`href="${factorPath}"`);
  expect(shownKey(await createKey(customer, 'people', withMode, factor))).not.toBe('');

  // The factor stays while the key exists.
  const { visitor, accountId } = customer;
  await visitor.get(factorPath);
  const turnOff = () =>
    visitor.post(`${factorPath}/off`, { current_password: password, code: codeOf(secret, 1) });
  const held = await turnOff();
  expect([held.status, held.text.includes('Revoke these first: people')]).toEqual([409, true]);
  const account = await gateway.database.accounts.find(accountId);
  const key = account?.keys.find(({ name }) => name === 'people');
  await visitor.post(`${path}/keys/${key?.id}/revoke`);
  expect((await turnOff()).path).toBe('/settings/account');
});

test('an earlier key keeps working, and can be replaced only with a second factor', async () => {
  const customer = await newCustomer(gateway, 'before@example.com');
  const factor = await turnOn(customer);
  const apiKey = shownKey(await createKey(customer, 'before', withMode, factor));
  const { customerFactors } = gateway.collections;
  // As if it had been made before the operator required it.
  await customerFactors.deleteOne({ _id: customer.accountId });
  const { visitor, accountId } = customer;
  const account = await gateway.database.accounts.find(accountId);
  const keyPath = `${path}/keys/${account?.keys[0]?.id}`;
  const form_key = (await visitor.get(keyPath)).field('form_key');
  const refused = await visitor.post(`${keyPath}/rotate`, { form_key, overlap: '0' });
  expect([refused.status, refused.text.includes(wanted)]).toEqual([403, true]);
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await fetch(`${gateway.origin}/v1/models`, { headers })).status).toBe(200);
  const [code = ''] = (await turnOn(customer)).recoveryCodes;
  const again = (await visitor.get(keyPath)).field('form_key');
  const made = await visitor.post(`${keyPath}/rotate`, { form_key: again, overlap: '0', code });
  expect(shownKey(made)).not.toBe('');
});

test('the factor also stays while a key that the person made in a team exists', async () => {
  const owner = await newCustomer(gateway, 'team@example.com');
  const member = await newCustomer(gateway, 'member@example.com');
  const { database } = gateway;
  const { accountId: id, email, visitor } = member;
  await database.changeAccount(owner.accountId, (account) => ({
    after: setMember(account, { id, email, role: 'member' }, 0),
    result: null,
  }));
  await database.changeAccount(id, (account) => ({
    after: { ...account, teams: [owner.accountId] },
    result: null,
  }));
  const factor = await turnOn(member);
  const { secret } = factor;
  await visitor.get('/settings/account');
  await visitor.post('/settings/acts-for', { account: owner.accountId });
  expect(shownKey(await createKey(member, 'people', withMode, factor))).not.toBe('');
  await visitor.get(factorPath);
  const turnOff = () =>
    visitor.post(`${factorPath}/off`, { current_password: password, code: codeOf(secret, 1) });
  const held = await turnOff();
  expect([held.status, held.text.includes('Revoke these first: people')]).toEqual([409, true]);
  // The person's remaining work belongs to the team.
  await database.changeAccount(owner.accountId, (account) => ({
    after: removeMember(account, id, 0),
    result: null,
  }));
  // The first page afterwards reports the loss of the team.
  expect((await visitor.get('/studio')).status).toBe(403);
  await visitor.get(factorPath);
  expect((await turnOff()).path).toBe('/settings/account');
});
