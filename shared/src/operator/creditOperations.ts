import { pageQuery } from './fields.ts';
import type { OperatorOperation } from './operation.ts';
import {
  accountCreditsSchema,
  adjustSchema,
  grantSchema,
  ledgerEntrySchema,
  ledgerPage,
} from './schemas.ts';

/** Operations on credits. */
export const creditOperations = {
  getCredits: {
    method: 'GET',
    path: '/accounts/{account_id}/credits',
    tag: 'Credits',
    scope: 'credits:read',
    summary: 'Read the balance and lots',
    description: 'Includes spent lots for as long as the account keeps them.',
    status: 200,
    response: accountCreditsSchema,
    refusals: ['account_not_found'],
  },
  grantCredits: {
    method: 'POST',
    path: '/accounts/{account_id}/credits/grants',
    tag: 'Credits',
    scope: 'credits:write',
    summary: 'Grant credits',
    description:
      'Adds the credits to the lot of this kind and expiry, or opens a new lot, and returns the ledger entry. Repeating a grant with the same reference returns the first entry and grants nothing. An account can hold at most 1,000 lots with credits.',
    body: grantSchema,
    status: 201,
    response: ledgerEntrySchema,
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
      'Adds or removes credits, for example after a dispute, and returns the ledger entry. Each generation can be adjusted at most once.',
    body: adjustSchema,
    status: 201,
    response: ledgerEntrySchema,
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
    description: 'Sorted by entry number, oldest first.',
    query: pageQuery,
    status: 200,
    response: ledgerPage,
    refusals: ['account_not_found', 'cursor_invalid', 'feed_restored'],
  },
  listLedger: {
    method: 'GET',
    path: '/ledger',
    tag: 'Credits',
    scope: 'credits:read',
    summary: 'Follow the ledgers of all accounts',
    description:
      'Returns every entry once, in a fixed order; entries of one account are in the order of their numbers. Reading from cursor to cursor neither skips nor repeats entries, however many processes write. After a database restore, feed_restored names the cursor to resume from.',
    query: pageQuery,
    status: 200,
    response: ledgerPage,
    refusals: ['cursor_invalid', 'feed_restored'],
  },
} as const satisfies Record<string, OperatorOperation>;
