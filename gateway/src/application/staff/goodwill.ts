import { hourMs, maxGrantCredits, sum } from '@framegate/contract';
import { book } from '../../domain/credits/book.ts';
import { takeFromLot } from '../../domain/credits/credits.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { StaffRole } from '../../domain/staff/staffRights.ts';
import type { App } from '../app.ts';
import { bookEntry, bookOnce } from '../credits/grantCredits.ts';
import type { CustomerEnds, LineFilter } from '../ports/staffQueries.ts';
import { requireSupportAmount } from './supportAllowance.ts';

/** How the goodwill of several customers is measured: as a percentage of each one's loss, or one amount for all. */
export const goodwillBases = ['lost', 'same'] as const;
/** The basis on which goodwill is measured. */
export type GoodwillBasis = (typeof goodwillBases)[number];

/** Highest percentage of a customer's loss. */
const maxPercent = 1_000;

/** Credits for a customer, with the generations that they make up for. */
export interface GoodwillGift extends Pick<CustomerEnds, 'accountId' | 'count' | 'costCredits'> {
  email: string;
  amount: number;
}

/** Goodwill for several customers, before it is given. */
export interface GoodwillPlan {
  gifts: GoodwillGift[];
  total: number;
  /** Whether all generations of the filter were counted, rather than the newest ones. */
  isWhole: boolean;
}

/**
 * Computes goodwill for the chosen customers of a list. A share is rounded up to whole credits; customers who lost none
 * get none.
 * @param amount Percent of the credits of each customer's generations in the list, or credits for each.
 * @param role The role of the person who gives it: support may give only so much at once.
 * @throws Refusal `amount_invalid`, `support_amount_too_high`.
 */
export async function planGoodwill(
  { staffQueries }: Pick<App, 'staffQueries'>,
  {
    filter,
    basis,
    amount,
    ids,
    role,
  }: {
    filter: LineFilter;
    ids: readonly string[];
    basis: GoodwillBasis;
    amount: number;
    role: StaffRole;
  },
): Promise<GoodwillPlan> {
  const max = basis === 'lost' ? maxPercent : maxGrantCredits;
  if (amount < 1 || amount > max) {
    throw new Refusal('amount_invalid', { values: { min: 1, max } });
  }
  const [{ customers, isWhole }, owners] = await Promise.all([
    staffQueries.countByCustomer(filter),
    staffQueries.findOwners(ids),
  ]);
  const gifts = ids.flatMap((accountId): GoodwillGift[] => {
    const email = owners.get(accountId)?.email;
    if (email === undefined) return [];
    const ends = customers.find((each) => each.accountId === accountId);
    const { count = 0, costCredits = 0 } = ends ?? {};
    const credits = basis === 'lost' ? Math.ceil((costCredits * amount) / 100) : amount;
    return credits === 0 ? [] : [{ accountId, email, count, costCredits, amount: credits }];
  });
  if (role === 'support') for (const gift of gifts) requireSupportAmount(gift.amount);
  return { gifts, total: sum(gifts.map((gift) => gift.amount)), isWhole };
}

/** How long goodwill can be taken back, in ms. */
export const undoWithinMs = hourMs;

/**
 * Takes back unspent goodwill credits: an adjustment of their own lot, made once.
 * @param undo.grantReference Reference of the grant.
 * @returns The result for the audit log.
 * @throws Refusal `goodwill_not_found`, `goodwill_too_late`, `goodwill_spent`.
 * @throws UnknownOutcomeError if the database does not confirm the write.
 */
export async function undoGoodwill(
  deps: Pick<App, 'database' | 'clock'>,
  undo: { accountId: string; grantReference: string; reason: string; requestId: string },
): Promise<string> {
  const { database, clock } = deps;
  const { accountId, grantReference, requestId } = undo;
  const grant = await database.ledger.findByReference(grantReference);
  if (grant?.accountId !== accountId || grant.kind !== 'grant') {
    throw new Refusal('goodwill_not_found');
  }
  const nowMs = clock.now();
  if (nowMs > grant.at + undoWithinMs) throw new Refusal('goodwill_too_late');
  const lotId = grant.movements[0]?.lotId ?? '';
  const reference = `undo ${grantReference}`;
  const reason = `goodwill undone: ${undo.reason}`;
  const write = () =>
    bookEntry(database, accountId, (account) => {
      const change = takeFromLot(account.lots, lotId, grant.amount);
      if (change === null) throw new Refusal('goodwill_spent');
      const names = { generationId: null, reason, requestId, reference };
      return book(account, change, { kind: 'adjustment', at: nowMs, ...names });
    });
  // The reference names the grant, so an entry under it belongs to this undo.
  const { entry } = await bookOnce(database, { reference, requestId }, () => undefined, write);
  const spent = grant.amount + entry.amount;
  const spentNote =
    spent === 0 ? '' : ` ${spent} had already been spent and stay with the customer.`;
  return `${-entry.amount} of ${grant.amount} credits were taken back.${spentNote}`;
}
