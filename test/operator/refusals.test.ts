import { expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { keyLimits } from '../../gateway/src/domain/accounts/keyLimits.ts';
import { maxLots } from '../../gateway/src/domain/credits/book.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import {
  type InternalRefusalCode,
  internalRefusals,
} from '../../gateway/src/domain/refusalCodes.ts';
import { teamLimits } from '../../gateway/src/domain/teams/team.ts';
import { presentRefusal } from '../../gateway/src/http/respondToErrors.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

/* Programs can branch on every refusal, which names the field at fault. */

const { world, operator } = useOperatorWorld();

const past = new Date(Date.now() - dayMs).toISOString();
const farAhead = new Date(Date.now() + 400 * dayMs).toISOString();
const grant = { amount: 5, kind: 'purchased' };

/** Posts below the account. */
const post = async (accountId: string, path: string, body: object) =>
  operator.post(`/accounts/${accountId}${path}`, body);

async function newKey(accountId: string, body: object = {}): Promise<string> {
  const { json } = await post(accountId, '/keys', { name: 'app', ...body });
  return `/keys/${String(json['id'])}`;
}

/** A value for every name. */
const anyValues = new Proxy(
  {},
  { get: (_, name) => (name === 'actualKind' ? 'text' : 1), has: () => true },
);

interface Case {
  status: number;
  code: string;
  param: string | null;
  ask: (accountId: string) => ReturnType<typeof operator.post>;
}

const hostsOf = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.app`);
const accounts = () => world.gateway.collections.accounts;

const cases: readonly Case[] = [
  {
    status: 409,
    code: 'keys_full',
    param: null,
    async ask(id) {
      for (let count = 0; count < keyLimits.live; count += 1) await newKey(id);
      return post(id, '/keys', { name: 'one more' });
    },
  },
  {
    status: 409,
    code: 'account_hosts_full',
    param: null,
    async ask(id) {
      await newKey(id, { hosts: hostsOf(keyLimits.hostsPerKey) });
      return post(id, '/keys', { name: 'b', hosts: hostsOf(keyLimits.hostsPerKey) });
    },
  },
  {
    status: 409,
    code: 'key_hosts_full',
    param: 'host',
    async ask(id) {
      const key = await newKey(id, { hosts: hostsOf(keyLimits.hostsPerKey) });
      return post(id, `${key}/hosts`, { host: 'one.more.app' });
    },
  },
  {
    status: 400,
    code: 'host_invalid',
    param: 'hosts[1]',
    ask: (id) => post(id, '/keys', { name: 'a', hosts: ['a.example', 'localhost'] }),
  },
  {
    status: 400,
    code: 'host_invalid',
    param: 'host',
    ask: async (id) => post(id, `${await newKey(id)}/hosts`, { host: '*.co.uk' }),
  },
  {
    status: 404,
    code: 'model_not_found',
    param: 'models',
    ask: (id) => post(id, '/keys', { name: 'a', models: ['alpha-9'] }),
  },
  {
    status: 400,
    code: 'key_name_missing',
    param: 'name',
    ask: (id) => post(id, '/keys', { name: ' ' }),
  },
  {
    status: 409,
    code: 'team_owner_stays',
    param: null,
    async ask(id) {
      await accounts().updateOne({ _id: id }, { $set: { isVerified: true } });
      return post(id, '/members', { member_account_id: id, role: 'member' });
    },
  },
  {
    status: 409,
    code: 'team_full',
    param: null,
    async ask(id) {
      const members = Array.from({ length: teamLimits.members }, (_, index) => ({
        id: `acct_${index}`,
        email: `m${index}@team.example`,
        role: 'member' as const,
        joinedAt: new Date(),
      }));
      await accounts().updateOne({ _id: id }, { $set: { members } });
      const person = await world.addCustomer();
      await accounts().updateOne({ _id: person }, { $set: { isVerified: true } });
      return post(id, '/members', { member_account_id: person, role: 'member' });
    },
  },
  {
    status: 409,
    code: 'key_revoked',
    param: null,
    async ask(id) {
      const key = await newKey(id);
      await post(id, `${key}/revoke`, {});
      return post(id, `${key}/rotate`, {});
    },
  },
  {
    status: 400,
    code: 'expiry_past',
    param: 'expires_at',
    ask: (id) => post(id, '/credits/grants', { ...grant, expires_at: past }),
  },
  {
    status: 422,
    code: 'reference_reused',
    param: 'reference',
    async ask(id) {
      await post(id, '/credits/grants', { ...grant, reference: `order-${id}` });
      return post(id, '/credits/grants', { ...grant, amount: 6, reference: `order-${id}` });
    },
  },
  {
    status: 409,
    code: 'lots_full',
    param: 'expires_at',
    async ask(id) {
      const lots = Array.from({ length: maxLots }, (_, index) => ({
        id: `lot_${index}`,
        kind: 'purchased' as const,
        amount: 1,
        remaining: 1,
        expiresAt: new Date(Date.now() + (index + 1) * dayMs),
        createdAt: new Date(),
      }));
      await accounts().updateOne({ _id: id }, { $set: { lots } });
      return post(id, '/credits/grants', grant);
    },
  },
  {
    status: 402,
    code: 'insufficient_credits',
    param: null,
    ask: (id) => post(id, '/credits/adjustments', { amount: -1, reason: 'dispute' }),
  },
  {
    status: 400,
    code: 'invalid_request',
    param: 'generation_id',
    ask: (id) =>
      post(id, '/credits/adjustments', { amount: 1, reason: 'late', generation_id: 'gen_1' }),
  },
  {
    status: 400,
    code: 'plan_start_invalid',
    param: 'starts_at',
    ask: (id) => post(id, '/plan', { name: 'Pro', credits: 5, starts_at: farAhead }),
  },
  {
    status: 409,
    code: 'plan_runs',
    param: null,
    async ask(id) {
      await post(id, '/plan', { name: 'Pro', credits: 5 });
      return post(id, '/plan', { name: 'Pro', credits: 5 });
    },
  },
  { status: 404, code: 'plan_not_found', param: null, ask: (id) => post(id, '/plan/end', {}) },
  {
    status: 409,
    code: 'email_taken',
    param: 'email',
    async ask(id) {
      const { json } = await operator.get(`/accounts/${id}`);
      return operator.post('/accounts', { email: json['email'] });
    },
  },
  {
    status: 403,
    code: 'account_suspended',
    param: null,
    async ask(id) {
      await post(id, '/suspend', {});
      return post(id, '/images', { model: 'image-b-2', prompt: 'x' });
    },
  },
  {
    status: 409,
    code: 'generations_unfinished',
    param: null,
    async ask(id) {
      await post(id, '/credits/grants', { ...grant, amount: 100 });
      await post(id, '/images', { model: 'image-b-2', prompt: 'x' });
      return world.erase(id);
    },
  },
];

test.each(Object.keys(internalRefusals) as InternalRefusalCode[])(
  '%s is named in the details',
  (code) => {
    const refusal = new Refusal(
      ...([code, { values: anyValues }] as unknown as ConstructorParameters<typeof Refusal>),
    );
    const { details } = presentRefusal(refusal, 'req_1', true).error;
    expect(details).toMatchObject([
      { code, param: { param: null, ...internalRefusals[code] }.param },
    ]);
  },
);

test.each(cases)('$code at $param', async ({ status, code, param, ask }) => {
  const response = await ask(await world.addCustomer());
  const { details, message } = (response.json as { error: { details: object[]; message: string } })
    .error;
  expect(errorOf(response)).toMatchObject({ status, code, param });
  expect(details).toEqual(param === null ? [] : [expect.objectContaining({ param })]);
  expect(message).not.toMatch(/npm run admin| --\w/);
});
