import { expireLots, pruneSpentLots } from '../domain/credits.ts';
import { ledgerEntry } from '../domain/ledger.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import type { WorkDeps } from './workDeps.ts';

/** Takes expired lots out of an account's balance, with a ledger entry (design section 6). */
export async function expireCredits(
  {
    database,
    clock,
    random,
    accountQueue,
  }: Pick<WorkDeps, 'database' | 'clock' | 'random' | 'accountQueue'>,
  accountId: string,
): Promise<void> {
  await accountQueue(accountId, async () => {
    const before = await database.accounts.find(accountId);
    const now = clock.now();
    const change = before && expireLots(before.lots, now);
    if (!change) return;
    const number = before.ledgerEntries + 1;
    const after = { ...before, lots: pruneSpentLots(change.lots), ledgerEntries: number };
    const entry = ledgerEntry({
      accountId,
      number,
      kind: 'expiry',
      movements: change.movements,
      requestId: random.newId('req'),
      at: now,
    });
    try {
      await database.transaction(async (stores) => {
        await stores.accounts.update(before, after);
        await stores.ledger.append(entry);
      });
    } catch (error) {
      // Changed meanwhile: the next round comes within seconds.
      if (!(error instanceof StaleWrite)) throw error;
    }
  });
}
