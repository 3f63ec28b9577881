import { expireLots, pruneSpentLots } from '../domain/credits.ts';
import { ledgerEntry } from '../domain/ledger.ts';
import type { WorkDeps } from './workDeps.ts';

/** Takes expired lots out of an account's balance, with a ledger entry. */
export async function expireCredits(
  { database, clock, random }: Pick<WorkDeps, 'database' | 'clock' | 'random'>,
  accountId: string,
): Promise<void> {
  await database.changeAccount(accountId, (account) => {
    const now = clock.now();
    const change = expireLots(account.lots, now);
    if (!change) return { after: account, result: undefined };
    const number = account.ledgerEntries + 1;
    return {
      after: { ...account, lots: pruneSpentLots(change.lots), ledgerEntries: number },
      entry: ledgerEntry({
        accountId,
        number,
        kind: 'expiry',
        movements: change.movements,
        requestId: random.newId('req'),
        at: now,
      }),
      result: undefined,
    };
  });
}
