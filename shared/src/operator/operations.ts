import type Joi from 'joi';
import type { AnyErrorCode } from './errorCodes.ts';
import type { OperatorScope } from './scopes.ts';
import {
  accountCreditsSchema,
  accountPage,
  accountQuery,
  accountSchema,
  adjustSchema,
  changeLimitsSchema,
  createAccountSchema,
  grantSchema,
  ledgerEntrySchema,
  ledgerPage,
  pageQuery,
  reasonSchema,
  upsertAccountSchema,
} from './schemas.ts';

/** One operation of the operator API. Those other than GET write, and need an Idempotency-Key. */
export interface OperatorOperation {
  method: 'GET' | 'POST' | 'PUT';
  /** Below the base address, with parameters in braces. */
  path: `/${string}`;
  tag: string;
  scope: OperatorScope;
  summary: string;
  description: string;
  query?: Joi.ObjectSchema;
  body?: Joi.ObjectSchema;
  /** Status of success. */
  status: 200 | 201;
  answer: Joi.Schema;
  /** Codes of its own, in addition to those of every operation of its method. */
  refusals: readonly AnyErrorCode[];
}

/** Every operation by its id, in the order of the documentation. Routes, validation and documents follow it. */
export const operatorOperations = {
  createAccount: {
    method: 'POST',
    path: '/accounts',
    tag: 'Accounts',
    scope: 'accounts:write',
    summary: 'Create an account',
    description:
      'The account has no credits and no password: its owner may choose one at the site, by a mailed code.',
    body: createAccountSchema,
    status: 201,
    answer: accountSchema,
    refusals: ['email_taken', 'external_id_taken'],
  },
  upsertAccount: {
    method: 'PUT',
    path: '/accounts/by-external-id/{external_id}',
    tag: 'Accounts',
    scope: 'accounts:write',
    summary: 'Create or change the account of a customer of yours',
    description:
      'Creates the account if none has this external id; otherwise gives it this e-mail address. Either way the answer is the account.',
    body: upsertAccountSchema,
    status: 200,
    answer: accountSchema,
    refusals: ['email_taken'],
  },
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    tag: 'Accounts',
    scope: 'accounts:read',
    summary: 'List accounts, or find one',
    description:
      'In the order of their making. With external_id or email at most one account; accounts of staff are not listed.',
    query: accountQuery,
    status: 200,
    answer: accountPage,
    refusals: ['cursor_invalid'],
  },
  getAccount: {
    method: 'GET',
    path: '/accounts/{account_id}',
    tag: 'Accounts',
    scope: 'accounts:read',
    summary: 'Read an account',
    description: 'The limits are those in force: its own, or the defaults of the gateway.',
    status: 200,
    answer: accountSchema,
    refusals: ['account_not_found'],
  },
  suspendAccount: {
    method: 'POST',
    path: '/accounts/{account_id}/suspend',
    tag: 'Accounts',
    scope: 'accounts:write',
    summary: 'Suspend an account',
    description: 'It creates no more generations; those under way continue to their end.',
    body: reasonSchema,
    status: 200,
    answer: accountSchema,
    refusals: ['account_not_found'],
  },
  resumeAccount: {
    method: 'POST',
    path: '/accounts/{account_id}/resume',
    tag: 'Accounts',
    scope: 'accounts:write',
    summary: 'Resume an account',
    description: 'A suspended account may create generations again.',
    body: reasonSchema,
    status: 200,
    answer: accountSchema,
    refusals: ['account_not_found'],
  },
  changeLimits: {
    method: 'POST',
    path: '/accounts/{account_id}/limits',
    tag: 'Accounts',
    scope: 'accounts:write',
    summary: 'Set limits of an account',
    description: 'Limits that are not named stay as they are.',
    body: changeLimitsSchema,
    status: 200,
    answer: accountSchema,
    refusals: ['account_not_found'],
  },
  getCredits: {
    method: 'GET',
    path: '/accounts/{account_id}/credits',
    tag: 'Credits',
    scope: 'credits:read',
    summary: 'Read balance and lots',
    description: 'Spent lots are shown as long as the account keeps them.',
    status: 200,
    answer: accountCreditsSchema,
    refusals: ['account_not_found'],
  },
  grantCredits: {
    method: 'POST',
    path: '/accounts/{account_id}/credits/grants',
    tag: 'Credits',
    scope: 'credits:write',
    summary: 'Grant credits',
    description:
      'Opens a lot and answers its ledger entry. The same grant under the same reference answers the first entry and grants nothing.',
    body: grantSchema,
    status: 201,
    answer: ledgerEntrySchema,
    refusals: ['account_not_found', 'reference_reused'],
  },
  adjustCredits: {
    method: 'POST',
    path: '/accounts/{account_id}/credits/adjustments',
    tag: 'Credits',
    scope: 'credits:write',
    summary: 'Adjust credits',
    description:
      'Gives or takes credits, such as after a dispute, and answers the ledger entry. A generation is adjusted once at most.',
    body: adjustSchema,
    status: 201,
    answer: ledgerEntrySchema,
    refusals: ['account_not_found', 'insufficient_credits', 'reference_reused'],
  },
  listAccountLedger: {
    method: 'GET',
    path: '/accounts/{account_id}/ledger',
    tag: 'Credits',
    scope: 'credits:read',
    summary: 'Read the ledger of an account',
    description: 'By number, oldest first.',
    query: pageQuery,
    status: 200,
    answer: ledgerPage,
    refusals: ['account_not_found', 'cursor_invalid'],
  },
  listLedger: {
    method: 'GET',
    path: '/ledger',
    tag: 'Credits',
    scope: 'credits:read',
    summary: 'Follow the ledger of all accounts',
    description:
      'Every entry once, in an order that never changes; entries of one account in the order of their numbers. Whoever reads from cursor to cursor misses nothing and gets nothing twice, however many processes write.',
    query: pageQuery,
    status: 200,
    answer: ledgerPage,
    refusals: ['cursor_invalid'],
  },
} as const satisfies Record<string, OperatorOperation>;

export type OperatorOperationId = keyof typeof operatorOperations;

type Operations = typeof operatorOperations;

/** The validated body of an operation. */
export type BodyOf<Id extends OperatorOperationId> = Operations[Id] extends {
  body: Joi.ObjectSchema<infer Body>;
}
  ? Body
  : undefined;

/** The validated query of an operation. */
export type QueryOf<Id extends OperatorOperationId> = Operations[Id] extends {
  query: Joi.ObjectSchema<infer Query>;
}
  ? Query
  : undefined;

/** The parameters in the path of an operation. */
export type ParamsOf<Id extends OperatorOperationId> = Record<
  NamesIn<Operations[Id]['path']>,
  string
>;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Codes of every operation. */
const always: readonly AnyErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'insufficient_scope',
  'address_not_allowed',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

/** Codes of every write. */
const ofWrites: readonly AnyErrorCode[] = [
  'invalid_json',
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'body_too_large',
  'unsupported_media_type',
];

/** All codes that an operation may answer. */
export function refusalsOfOperation({ method, refusals }: OperatorOperation): AnyErrorCode[] {
  return [...always, ...(method === 'GET' ? [] : ofWrites), ...refusals];
}
