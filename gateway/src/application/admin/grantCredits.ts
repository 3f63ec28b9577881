import { balanceOf, pruneSpentLots, type Lot, type LotKind } from '../../domain/credits.ts';
import { ledgerEntry } from '../../domain/ledger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { Random } from '../ports/random.ts';
import { AdminProblem } from './adminProblem.ts';
import { byId, changeAccount } from './changeAccount.ts';

/** Most credits that one grant may bring. */
export const grantCreditsMax = 1_000_000_000_000;

/** A grant; `expiresAt` in ms since the epoch, null for never. */
export interface GrantCommand {
  accountId: string;
  amountCredits: number;
  kind: LotKind;
  expiresAt: number | null;
  reason: string | null;
}

/**
 * Opens a lot of credits and writes its ledger entry in the same transaction (I1).
 * @throws AdminProblem when the amount or the expiry makes no sense.
 */
export async function grantCredits(
  deps: { database: Database; clock: Clock; random: Random },
  command: GrantCommand,
): Promise<Lot> {
  const { amountCredits: amount, kind, expiresAt } = command;
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > grantCreditsMax) {
    throw new AdminProblem(`A grant is a whole number from 1 to ${grantCreditsMax} credits.`);
  }
  const now = deps.clock.now();
  if (expiresAt !== null && expiresAt <= now) {
    throw new AdminProblem(
      `${new Date(expiresAt).toISOString()} is past: the database's clock says ${new Date(now).toISOString()}.`,
    );
  }
  const id = deps.random.newId('lot');
  const lot: Lot = { id, kind, amount, remaining: amount, expiresAt, createdAt: now };
  await changeAccount(deps.database, byId(deps.database, command.accountId), (account) => {
    if (!Number.isSafeInteger(balanceOf(account.lots) + amount)) {
      throw new AdminProblem('The account would hold more credits than can be counted.');
    }
    const number = account.ledgerEntries + 1;
    const entry = ledgerEntry({
      accountId: account.id,
      number,
      kind: 'grant',
      movements: [{ lotId: id, kind, amount, expiresAt }],
      reason: command.reason,
      requestId: deps.random.newId('req'),
      at: now,
    });
    const lots = pruneSpentLots([...account.lots, lot]);
    return { after: { ...account, lots, ledgerEntries: number }, entry };
  });
  return lot;
}
