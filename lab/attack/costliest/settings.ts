import { randomUUID } from 'node:crypto';
import type { CostliestRequest, CostliestRequests } from '../rows.ts';

/** Statuses of forms that ask for a proof: checking the wrong password is costly, and nothing changes. */
const notProven = [200, 303, 400, 401, 403, 409, 422] as const;
const wrongProof = { current_password: 'the wrong password', code: '123456' };

const unproven = (fields: Record<string, string | readonly string[]> = {}): CostliestRequest => ({
  form: () => ({ ...wrongProof, ...fields }),
  guesses: true,
  // Even if the guesses of an earlier row are still counted.
  responses: [...notProven, 429],
});

const hosts = Array.from({ length: 20 }, (_, index) => `host-${index}.example.com`).join('\n');
const addresses = (count: number) =>
  Array.from({ length: count }, () => `${randomUUID()}@example.com`).join('\n');
const named = 'x'.repeat(64);

/**
 * A person's settings, keys and team. Forms that would end the attacker's session or account are sent without a proof.
 */
export const settingsRequests: CostliestRequests = {
  'POST /settings/account/link': { responses: [...notProven, 404] },
  'POST /settings/account/unlink': { responses: [...notProven, 404] },
  'GET /settings/account': {},
  'POST /settings/account/password': unproven({ password: 'x'.repeat(200) }),
  'POST /settings/account/mails': { form: () => ({ credits_below: '1000' }) },
  'POST /settings/account/sessions': {
    form: () => ({ session: 'x'.repeat(64) }),
    responses: notProven,
  },
  'GET /settings/access': {},
  'POST /settings/access': unproven({
    key: Array.from({ length: 100 }, () => 'key_00000000000000000000000000'),
  }),
  'GET /settings/account/erasure': {},
  'POST /settings/account/erasure': unproven({ confirm: 'nobody@example.com' }),
  'POST /settings/account/erasure/keep': { responses: notProven },
  'GET /settings/account/export': {},
  'POST /settings/account/export': {
    form: ({ password }) => ({ current_password: password }),
    responses: [200, 403, 409],
    connections: 8,
  },
  'GET /settings/account/email': {},
  'POST /settings/account/email': unproven({ email: 'new@example.com' }),
  'GET /settings/account/email/codes': { responses: [200, 303] },
  'POST /settings/account/email/codes': {
    form: () => ({ new_code: '7K4M2Q9X', old_code: '7K4M2Q9X' }),
    responses: [...notProven, 410],
  },
  'GET /settings/account/second-factor': {},
  'POST /settings/account/second-factor/on': unproven({ setup: 'x'.repeat(200) }),
  'POST /settings/account/second-factor/recovery-codes': unproven(),
  'POST /settings/account/second-factor/off': unproven(),
  'GET /settings/public-api': {},
  'GET /settings/public-api/keys/:keyId': { callers: ['customer'] },
  'POST /settings/public-api/keys': {
    form: ({ password }) => ({
      current_password: password,
      form_key: randomUUID(),
      name: named,
      hosts,
      daily_credits: '1000',
    }),
    responses: notProven,
  },
  'POST /settings/public-api/keys/:keyId/rotate': unproven({ overlap: '24', form_key: 'x' }),
  'POST /settings/public-api/keys/:keyId/revoke': {
    params: () => ({ keyId: 'key_00000000000000000000000000' }),
    responses: [...notProven, 404],
  },
  'POST /settings/public-api/keys/:keyId/limit': {
    ...unproven({ daily_credits: '1000000' }),
    callers: ['customer'],
  },
  'POST /settings/public-api/keys/:keyId/month': unproven({ monthly_credits: '1000000' }),
  'POST /settings/public-api/keys/:keyId/hosts': {
    form: () => ({ host: `${randomUUID()}.example.com` }),
    callers: ['customer'],
    responses: notProven,
  },
  'GET /settings/team': {},
  'POST /settings/team/invite': {
    form: ({ password }) => ({ current_password: password, email: addresses(20), role: 'member' }),
    responses: notProven,
  },
  'POST /settings/team/revoke': {
    form: () => ({ email: 'nobody@example.com' }),
    responses: [...notProven, 404],
  },
  'POST /settings/team/role': {
    form: ({ password }, { memberIds }) => ({
      current_password: password,
      member: memberIds.editor,
      role: 'editor',
    }),
    responses: notProven,
  },
  'POST /settings/team/limit': {
    form: ({ password }, { memberIds }) => ({
      current_password: password,
      member: memberIds.editor,
      monthly_credits: '1000000',
    }),
    responses: notProven,
  },
  'POST /settings/team/remove': unproven({ member: 'acct_00000000000000000000000000' }),
  'POST /settings/team/keys': unproven({ member: 'acct_00000000000000000000000000' }),
  'POST /settings/team/leave': { responses: notProven },
  'POST /settings/acts-for': {
    form: () => ({ account: 'acct_00000000000000000000000000' }),
    responses: [...notProven, 404],
  },
  'GET /settings/team/log': {},
  'GET /settings/team/settings': {},
  'POST /settings/team/name': { form: () => ({ name: named }), responses: notProven },
  'POST /settings/team/factor': unproven({ needed: '' }),
};
