import { randomUUID } from 'node:crypto';
import { dayMs } from '@framegate/contract';
import type { CostliestRequest, CostliestRequests } from '../rows.ts';

const reason = 'x'.repeat(900);
/** Acts that are refused after their subject was read, because they need a code or the subject is in another state. */
const orRefused = [200, 303, 400, 401, 403, 404, 409, 410, 422] as const;

/** Confirmation page and form of each act. */
function acts(path: string, each: Readonly<Record<string, CostliestRequest>>): CostliestRequests {
  return Object.fromEntries(
    Object.entries(each).flatMap(([slug, costliest]) => [
      [`GET ${path}/:id/${slug}`, { ...(costliest.params && { params: costliest.params }) }],
      [
        `POST ${path}/:id/${slug}`,
        {
          ...costliest,
          form: (...args: Parameters<NonNullable<CostliestRequest['form']>>) => ({
            reason,
            form_id: randomUUID(),
            ...costliest.form?.(...args),
          }),
          responses: orRefused,
        },
      ],
    ]),
  );
}

const onSpare: CostliestRequest['params'] = ({ spare }) => ({ id: spare.accountId });
const month = () => ({
  from: new Date(Date.now() - 30 * dayMs).toISOString().slice(0, 10),
  to: new Date(Date.now()).toISOString().slice(0, 10),
});

/** The staff console. */
export const consoleRequests: CostliestRequests = {
  'GET /staff/sign-in': {},
  'POST /staff/sign-in': {
    what: 'guesses of one password',
    form: () => ({ email: 'admin@attack.example', password: randomUUID(), code: '123456' }),
    responses: [200, 400, 401, 403],
  },
  'POST /staff/sign-out-everywhere': { callers: ['anonymous'] },
  'POST /staff/sign-out': { callers: ['anonymous'] },
  'GET /staff/sign-in/oidc': { responses: [303, 404] },
  'GET /staff/sign-in/oidc/callback': {
    query: () => ({ code: 'x'.repeat(500), state: 'y'.repeat(200) }),
    responses: [303, 400, 404],
  },
  'GET /staff/sign-in/oidc/code': { responses: [200, 303, 404] },
  'POST /staff/sign-in/oidc/code': {
    form: () => ({ proof: 'x'.repeat(500), code: '123456' }),
    responses: [200, 303, 400, 401, 403, 404, 409],
  },
  'GET /staff/enrol': {},
  'POST /staff/enrol': {
    form: () => ({ token: 'x'.repeat(64), password: randomUUID(), code: '123456' }),
    responses: [200, 400, 404, 410],
  },
  'GET /staff': {},
  'POST /staff/search': [
    {
      what: '50 ids',
      form: ({ victim }) => ({ q: victim.generationIds.slice(0, 50).join(' ') }),
    },
    {
      what: 'an email to be compared with all prompts',
      form: ({ victim }) => ({ q: `${victim.accountId} ${'a boat in the harbour '.repeat(440)}` }),
    },
  ],
  'GET /staff/hosts': {},
  'GET /staff/prices': {},
  'GET /staff/credit-requests': {},
  'GET /staff/unknown': {},
  'GET /staff/generations': [
    { query: () => ({ state: 'completed', since: 'month' }) },
    {
      what: 'a code that nothing has',
      query: () => ({ state: 'failed', code: 'provider_timeout', model: 'zzzz' }),
    },
    { what: 'by customer', query: () => ({ state: 'completed', by: 'customer' }) },
  ],
  'GET /staff/generations.csv': { query: () => ({ state: 'completed' }), connections: 4 },
  'POST /staff/goodwill/confirm': {
    form: ({ victim }) => ({ account: [victim.accountId], reason, basis: 'lost', amount: '100' }),
    responses: orRefused,
  },
  'POST /staff/goodwill': {
    form: ({ victim }) => ({ give: [`${victim.accountId} 10`], reason, form_id: randomUUID() }),
    responses: orRefused,
  },
  'POST /staff/goodwill/undo': {
    form: ({ victim }) => ({ account: [victim.accountId], reason, given_by: randomUUID() }),
    responses: orRefused,
  },
  'POST /staff/customer-mails': {
    form: ({ victim }) => ({
      id: [victim.accountId],
      reason,
      form_id: randomUUID(),
      template: 'troubleOver',
    }),
    responses: orRefused,
  },
  'POST /staff/refunds': {
    form: ({ victim }) => ({ id: victim.generationIds, reason, form_id: randomUUID() }),
    responses: orRefused,
  },
  'GET /staff/charts': { query: () => ({ range: 'month' }) },
  'GET /staff/jobs': { query: () => ({ state: 'failed' }) },
  'GET /staff/jobs/:id': { params: () => ({ id: '0'.repeat(24) }), responses: [404] },
  'GET /staff/audit': { query: () => ({ term: 'nothing at all' }) },
  'GET /staff/audit.csv': { connections: 4 },
  'GET /staff/costs': { query: month },
  'GET /staff/costs.csv': { query: month, connections: 4 },
  'GET /staff/credits.csv': { query: () => ({ from: '2025-01' }), connections: 4 },
  'GET /staff/mails': {},
  'GET /staff/routes': {},
  'POST /staff/routes': {
    form: () => ({ action: 'rest', target: 'nothing', hours: '1', reason }),
    responses: orRefused,
  },
  'GET /staff/passkeys': {},
  'POST /staff/passkeys/begin': { form: () => ({ name: 'x'.repeat(64) }), responses: orRefused },
  'POST /staff/passkeys/make': { form: () => ({ name: 'x'.repeat(64) }), responses: orRefused },
  'POST /staff/passkeys/remove': { form: () => ({ id: 'x'.repeat(64) }), responses: orRefused },
  'GET /staff/people': {},
  'POST /staff/people': {
    form: () => ({ email: 'a@b.example', role: 'viewer', form_id: randomUUID() }),
    responses: orRefused,
  },
  'POST /staff/people/:id/end': { form: () => ({ reason }), responses: orRefused },
  'GET /staff/proposals': {},
  'POST /staff/proposals/:id/confirm': { responses: orRefused },
  'POST /staff/proposals/:id/refuse': { form: () => ({ reason }), responses: orRefused },
  // Only present where customers are invited; at this gateway they sign up by themselves.
  'GET /staff/invitations': { responses: [404] },
  'POST /staff/invitations': { responses: [404] },
  'POST /staff/invitations/revoke': { responses: [404] },
  'GET /staff/generations/:id': {},
  'POST /staff/generations/:id/reveal': { form: () => ({ reason }) },
  'POST /staff/generations/:id/refused': { form: () => ({ reason }), responses: orRefused },
  'POST /staff/generations/:id/refused/:index': { form: () => ({ reason }), responses: orRefused },
  'GET /staff/accounts/:id': {},
  ...acts('/staff/generations', {
    'poll-now': {},
    'retry-download': {},
    'resolve-unknown': { form: () => ({ found: 'no' }) },
    'fail-and-refund': {},
    'take-down': {},
    'deliver-anyway': { form: () => ({ charge: 'yes', credits: '1' }) },
    note: {},
  }),
  ...acts('/staff/accounts', {
    goodwill: { form: () => ({ amount: '10' }) },
    grant: { form: () => ({ amount: '10', kind: 'purchased' }) },
    adjust: { form: () => ({ amount: '-10' }) },
    'approve-host': {
      form: ({ victim }) => ({ key: victim.keyId, host: `${randomUUID()}.example.com` }),
    },
    'refuse-host': {
      form: ({ victim }) => ({ key: victim.keyId, host: `${randomUUID()}.example.com` }),
    },
    'revoke-key': { params: onSpare, form: ({ spare }) => ({ key: spare.keyId }) },
    mail: { form: () => ({ template: 'troubleOver' }) },
    note: {},
    limits: { form: () => ({ running: '7' }) },
    'end-sessions': { params: onSpare },
    'remove-second-factor': { params: onSpare },
    suspend: { params: onSpare },
    resume: { params: onSpare },
    'withdraw-erasure': { params: onSpare },
    'decline-credits': { params: onSpare },
    erase: { params: onSpare, form: ({ spare }) => ({ confirm: spare.accountId }) },
  }),
};
