import { randomUUID } from 'node:crypto';
import { dayMs } from '@framegate/contract';
import { image, video } from '../../../test/support/bodies.ts';
import type { CostliestRequest, CostliestRequests } from '../rows.ts';
import { longPrompt } from './api.ts';

const reason = 'x'.repeat(200);
const because: CostliestRequest = { json: () => ({ reason }) };
const onSpare: CostliestRequest['params'] = ({ spare }) => ({
  account_id: spare.accountId,
  key_id: spare.keyId,
});
const address = () => `${randomUUID()}@customers.example`;
const month = () => {
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  return { from: day(30), to: day(0), by: 'day,account,model' };
};

const at = '/operator/v1';
const account = `${at}/accounts/:account_id`;

/** The operator API. */
export const operatorRequests: CostliestRequests = {
  [`POST ${at}/accounts`]: { json: () => ({ external_id: randomUUID(), email: address() }) },
  [`PUT ${at}/accounts/by-external-id/:external_id`]: {
    params: () => ({ external_id: randomUUID() }),
    json: () => ({ email: address() }),
  },
  [`GET ${at}/accounts`]: [
    { query: () => ({ limit: '500' }) },
    {
      what: '100 names',
      query: () => Object.fromEntries(Array.from({ length: 100 }, (_, name) => [`n${name}`, ''])),
      responses: [400],
    },
    {
      what: '2,000 names',
      query: () => Object.fromEntries(Array.from({ length: 2_000 }, (_, name) => [`n${name}`, ''])),
      responses: [400],
    },
  ],
  [`GET ${account}`]: {},
  [`POST ${account}/suspend`]: { ...because, params: onSpare },
  [`POST ${account}/resume`]: { ...because, params: onSpare },
  [`POST ${account}/limits`]: { json: () => ({ running: 7, waiting: 50 }), params: onSpare },
  [`POST ${account}/erase`]: { ...because, params: onSpare, responses: [200, 409] },
  [`POST ${account}/erasure/withdraw`]: { ...because, params: onSpare, responses: [200, 404, 409] },
  [`GET ${account}/erasure`]: { params: onSpare, responses: [200, 404] },
  [`POST ${account}/group`]: { json: () => ({ group: null, reason }) },
  [`POST ${account}/sign-in-links`]: { json: () => ({ return_to: '/studio', reason }) },
  [`GET ${account}/credits`]: {},
  [`POST ${account}/credits/grants`]: {
    json: () => ({ amount: 1, kind: 'purchased', reason, reference: randomUUID() }),
  },
  [`POST ${account}/credits/adjustments`]: {
    json: () => ({ amount: -1, reason, reference: randomUUID() }),
  },
  [`GET ${account}/ledger`]: { query: () => ({ limit: '500' }) },
  [`GET ${at}/ledger`]: { query: () => ({ limit: '500' }) },
  [`GET ${account}/plan`]: { responses: [200, 404] },
  [`POST ${account}/plan`]: {
    json: () => ({ name: 'x', credits: 10, reason }),
    responses: [201, 409],
  },
  [`POST ${account}/plan/change`]: { json: () => ({ credits: 20, reason }), responses: [200, 404] },
  [`POST ${account}/plan/end`]: { ...because, responses: [200, 404] },
  [`POST ${account}/keys`]: {
    json: () => ({
      name: 'x'.repeat(60),
      hosts: Array.from({ length: 20 }, (_, index) => `host-${index}.example.com`),
    }),
    responses: [201, 400, 409],
  },
  [`GET ${account}/keys`]: {},
  [`POST ${account}/keys/:key_id/rotate`]: { ...because, responses: [201, 404, 409] },
  [`POST ${account}/keys/:key_id/revoke`]: { ...because, params: onSpare, responses: [200, 404] },
  [`POST ${account}/keys/:key_id/hosts`]: {
    json: () => ({ host: `${randomUUID()}.example.com`, reason }),
    responses: [200, 400, 404, 409],
  },
  [`GET ${account}/members`]: {},
  [`POST ${account}/members`]: {
    json: ({ victim }) => ({ member_account_id: victim.memberIds.editor, role: 'editor', reason }),
  },
  [`POST ${account}/members/:member_id/remove`]: {
    json: () => ({ keys: 'keep', reason }),
    params: ({ victim }) => ({ member_id: victim.memberIds.billing }),
    responses: [200, 404],
  },
  [`POST ${account}/quotes`]: { json: () => ({ model: 'alpha-2.0-fast', parameters: {} }) },
  [`POST ${account}/videos`]: {
    json: () => video({ model: 'alpha-2.0-fast', prompt: longPrompt }),
  },
  [`POST ${account}/images`]: { json: () => image({ prompt: longPrompt }) },
  [`GET ${account}/generations`]: [
    { query: () => ({ limit: '500' }) },
    { what: 'a state that few have', query: () => ({ limit: '500', status: 'failed' }) },
  ],
  [`GET ${at}/generations/:generation_id`]: {},
  [`POST ${at}/generations/:generation_id/fail`]: { ...because, responses: [200, 409] },
  [`POST ${at}/generations/:generation_id/take-down`]: {
    ...because,
    params: ({ spare }) => ({ generation_id: spare.generationIds[0] ?? '' }),
  },
  [`GET ${at}/catalogue/versions`]: { query: () => ({ limit: '500' }) },
  [`GET ${at}/events`]: [
    { what: 'from the beginning', query: () => ({ limit: '500' }), connections: 8 },
    {
      what: '100 requests wait',
      query: () => ({ limit: '1', wait_seconds: '2' }),
      connections: 100,
    },
  ],
  [`GET ${at}/reports/usage`]: { query: month, connections: 8 },
  [`GET ${at}/reports/usage.csv`]: { query: month, connections: 8 },
  [`GET ${at}/openapi.json`]: {},
};
