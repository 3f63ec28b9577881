import type {
  AccountCredits,
  OperatorAccount,
  OperatorLedgerEntry,
  OperatorPlan,
  Page,
} from '@framegate/contract/operator';
import { mapInStretches } from '@framegate/limits';
import type { Account } from '../../domain/accounts/account.ts';
import { effectiveLimits, type Limits, namedLimits } from '../../domain/accounts/limits.ts';
import { availableCredits, compareLots, ownReference } from '../../domain/credits/credits.ts';
import { type LedgerEntry, shownEntryId } from '../../domain/credits/ledgerChain.ts';
import type { Plan } from '../../domain/credits/plan.ts';
import { formatCursor } from '../../domain/feed/cursor.ts';
import { isoTime, isoTimeOrNull } from '../../domain/time/isoTime.ts';
import type { ListedAccount } from '../ports/operator.ts';

/** Formats an account for the operator API. */
export function presentAccount(account: ListedAccount, defaultLimits: Limits): OperatorAccount {
  return {
    id: account.id,
    object: 'account',
    external_id: account.externalId,
    email: account.email,
    email_verified: account.isVerified,
    status: account.status,
    group: account.group,
    limits: namedLimits(effectiveLimits(account, defaultLimits)),
    created_at: isoTime(account.createdAt),
  };
}

/** An account's balance and lots at a time. */
export function presentCredits(account: Account, nowMs: number): AccountCredits {
  return {
    object: 'account_credits',
    account_id: account.id,
    unit: 'credits',
    available: availableCredits(account.lots, nowMs),
    in_flight: account.inFlightCredits,
    lots: account.lots.toSorted(compareLots).map((lot) => ({
      id: lot.id,
      kind: lot.kind,
      amount: lot.amount,
      remaining: lot.remaining,
      expires_at: isoTimeOrNull(lot.expiresAt),
      created_at: isoTime(lot.createdAt),
    })),
    as_of: isoTime(nowMs),
  };
}

/** @param position In the feed, where the entry was read there. */
export function presentEntry(
  entry: LedgerEntry,
  position: number | null = null,
): OperatorLedgerEntry {
  return {
    id: shownEntryId(entry),
    object: 'ledger_entry',
    account_id: entry.accountId,
    number: entry.number,
    kind: entry.kind,
    amount: entry.amount,
    movements: entry.movements.map(({ lotId, kind, amount, expiresAt }) => ({
      lot_id: lotId,
      kind,
      amount,
      expires_at: isoTimeOrNull(expiresAt),
    })),
    generation_id: entry.generationId,
    reason: entry.reason,
    reference: ownReference(entry.reference),
    request_id: entry.requestId,
    created_at: isoTime(entry.at),
    hash: entry.hash,
    position,
  };
}

/** Formats a plan for the operator API. */
export function presentPlan(accountId: string, plan: Plan): OperatorPlan {
  return {
    id: plan.id,
    object: 'plan',
    account_id: accountId,
    name: plan.name,
    credits: plan.credits,
    started_at: isoTime(plan.startedAt),
    months: plan.months,
    next_at: isoTimeOrNull(plan.nextAt),
    ended_at: isoTimeOrNull(plan.endedAt),
  };
}

/**
 * One page of a list.
 * @param listed One item more than the page holds, if there is one.
 * @param options.begin Cursor of the page's start, where a feed without new items continues; null for a list that ends.
 */
export async function presentPage<Item, Shown>(
  listed: readonly Item[],
  options: {
    list: string;
    limit: number;
    begin: string | null;
    cursorValueOf: (item: Item) => string | number;
    present: (item: Item) => Shown;
  },
): Promise<Page<Shown>> {
  const items = listed.slice(0, options.limit);
  const hasMore = listed.length > items.length;
  const last = items.at(-1);
  const isOver = !hasMore && options.begin === null;
  const next =
    last === undefined || isOver
      ? options.begin
      : formatCursor(options.list, String(options.cursorValueOf(last)));
  const data = await mapInStretches(items, options.present);
  return { object: 'list', data, has_more: hasMore, next };
}
