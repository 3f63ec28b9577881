import { isoTime } from '../time/isoTime.ts';
import { type Lot, type LotMovement, maxSpentLots } from './credits.ts';
import type { LedgerEntry } from './ledgerChain.ts';

/** The part of a ledger entry from which lots follow. */
export type LotEntry = Pick<LedgerEntry, 'kind' | 'at'> & { movements: readonly LotMovement[] };

/** The lots of an account according to its ledger. */
export interface RebuiltLots {
  /** @returns How the movements of the next entry contradict the lots, in words. */
  apply(entry: LotEntry): string[];
  /** All lots that the account must hold now, by id. */
  lots(): ReadonlyMap<string, Lot>;
}

/**
 * Rebuilds lots from the entries of an account, by the rules of `book`, `addCredits` and `refundCredits`: a grant and
 * an adjustment add to a lot or open it, a refund fills the lot that paid or opens one, and of the spent lots the
 * newest stay.
 * @param start The lots before the first entry that will be applied.
 */
export function rebuildLots(start: readonly Lot[]): RebuiltLots {
  const lots = new Map(start.map((lot) => [lot.id, { ...lot }]));
  let spent = start.filter(({ remaining }) => remaining === 0).length;

  function move(movement: LotMovement, { kind, at }: LotEntry): string[] {
    const { lotId, amount, kind: lotKind, expiresAt } = movement;
    const lot = lots.get(lotId);
    if (!lot) {
      const credits = Math.max(0, amount);
      lots.set(lotId, {
        id: lotId,
        kind: lotKind,
        amount: credits,
        remaining: amount,
        expiresAt,
        createdAt: at,
      });
      if (amount === 0) spent += 1;
      return amount < 0 ? [`takes lot ${lotId} to ${amount}`] : [];
    }
    const problems: string[] = [];
    if (lot.kind !== lotKind) {
      problems.push(`gives lot ${lotId} the kind ${lotKind}, but the ledger has ${lot.kind}`);
    }
    if (lot.expiresAt !== expiresAt) {
      problems.push(
        `gives lot ${lotId} the expiry ${timeOf(expiresAt)}, but the ledger has ${timeOf(lot.expiresAt)}`,
      );
    }
    const wasSpent = lot.remaining === 0;
    lot.remaining += amount;
    if (amount > 0 && kind !== 'refund') lot.amount += amount;
    if (lot.remaining === 0 && !wasSpent) spent += 1;
    if (lot.remaining !== 0 && wasSpent) spent -= 1;
    if (lot.remaining < 0) problems.push(`takes lot ${lotId} to ${lot.remaining}`);
    return problems;
  }

  /** Drops the oldest spent lots beyond those kept, as `pruneSpentLots` does. */
  function prune(): void {
    if (spent <= maxSpentLots) return;
    const all = [...lots.values()].filter(({ remaining }) => remaining === 0);
    const newestFirst = all.toSorted((a, b) => b.createdAt - a.createdAt);
    for (const { id } of newestFirst.slice(maxSpentLots)) lots.delete(id);
    spent = Math.min(spent, maxSpentLots);
  }

  return {
    apply(entry) {
      const problems: string[] = [];
      for (const movement of entry.movements) problems.push(...move(movement, entry));
      prune();
      return problems;
    },
    lots: () => lots,
  };
}

/** A time, or its absence, in words. */
export const timeOf = (ms: number | null): string => (ms === null ? 'never' : isoTime(ms));
