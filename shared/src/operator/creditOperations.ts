import { pageQuery } from './fields.ts';
import {
  accountCreditsSchema,
  adjustSchema,
  grantSchema,
  ledgerEntrySchema,
  ledgerPage,
} from './schemas.ts';
import type { OperatorOperation } from './operation.ts';

/** Operations on credits. */
export const creditOperations = {
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
      'Adds to the lot of this kind and expiry, or opens one, and answers the ledger entry. The same grant under the same reference answers the first entry and grants nothing. An account holds at most 1,000 lots with credits.',
    body: grantSchema,
    status: 201,
    answer: ledgerEntrySchema,
    refusals: [
      'account_not_found',
      'balance_too_high',
      'expiry_past',
      'key_limit_reached',
      'lots_full',
      'reference_reused',
    ],
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
    refusals: [
      'account_not_found',
      'balance_too_high',
      'insufficient_credits',
      'key_limit_reached',
      'lots_full',
      'reference_reused',
    ],
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
    refusals: ['account_not_found', 'cursor_invalid', 'feed_restored'],
  },
  listLedger: {
    method: 'GET',
    path: '/ledger',
    tag: 'Credits',
    scope: 'credits:read',
    summary: 'Follow the ledger of all accounts',
    description:
      'Every entry once, in an order that never changes; entries of one account in the order of their numbers. Whoever reads from cursor to cursor misses nothing and gets nothing twice, however many processes write. After a restore of the database, feed_restored names the cursor from which to read again.',
    query: pageQuery,
    status: 200,
    answer: ledgerPage,
    refusals: ['cursor_invalid', 'feed_restored'],
  },
} as const satisfies Record<string, OperatorOperation>;
