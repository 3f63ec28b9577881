import { maxGrantCredits } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { book, giveWithinMaximum } from '../../domain/credits/book.ts';
import { availableCredits, type LotChange, takeCredits } from '../../domain/credits/credits.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { type BookedEntry, bookEntry, bookOnce } from '../credits/grantCredits.ts';

/** A correction of a balance. */
export interface Adjustment {
  accountId: string;
  /** Credits: positive to add, negative to deduct. */
  amount: number;
  reason: string;
  /** The generation concerned; each gets at most one adjustment. */
  generationId: string | null;
  requestId: string;
  /** Identifies the request across all accounts; generated if absent. */
  reference?: string | undefined;
}

/**
 * Adds or deducts credits with an adjustment entry in one transaction (I1). Deducted credits come from the lots in the
 * usual order and never exceed the balance (I9). Done once per reference and per generation.
 * @throws Refusal `amount_zero`, `amount_invalid`, `insufficient_credits`, `reference_reused`,
 * `lots_full`, `balance_too_high`.
 * @throws DuplicateValueError if the generation already has an adjustment.
 * @throws UnknownOutcomeError if the database does not confirm the write.
 */
export async function adjustCredits(
  deps: Pick<App, 'database' | 'clock' | 'random'>,
  adjustment: Adjustment,
): Promise<BookedEntry> {
  const { accountId, amount, reason, generationId, requestId } = adjustment;
  if (!Number.isInteger(amount) || amount === 0) throw new Refusal('amount_zero');
  if (Math.abs(amount) > maxGrantCredits) {
    throw new Refusal('amount_invalid', {
      values: { min: -maxGrantCredits, max: maxGrantCredits },
    });
  }
  const nowMs = deps.clock.now();
  const lotId = deps.random.newId('lot');
  const reference = adjustment.reference ?? `adjustment ${deps.random.newId('req')}`;
  const write = () =>
    bookEntry(deps.database, accountId, (account) => {
      const lot = { id: lotId, kind: 'promotional' as const, expiresAt: null, createdAt: nowMs };
      const change =
        amount > 0
          ? giveWithinMaximum(account.lots, { ...lot, amount })
          : takeForStaff(account, -amount, nowMs);
      const names = { generationId, reason, requestId, reference };
      return book(account, change, { kind: 'adjustment', at: nowMs, ...names });
    });
  const requireSame = (entry: LedgerEntry): void => {
    const { kind, generationId: about } = entry;
    if (kind === 'adjustment' && about === generationId && entry.accountId === accountId) {
      if (entry.amount === amount) return;
    }
    throw new Refusal('reference_reused');
  };
  return bookOnce(deps.database, { reference, requestId }, requireSame, write);
}

/** Takes credits for staff. @throws Refusal `insufficient_credits`. */
export function takeForStaff({ lots }: Account, amount: number, nowMs: number): LotChange {
  const change = takeCredits(lots, amount, nowMs);
  if (change) return change;
  const available = availableCredits(lots, nowMs);
  throw new Refusal('insufficient_credits', {
    message: `The account has ${available} credits, not ${amount}: nothing was done.`,
    credits: { required: amount, available },
  });
}
