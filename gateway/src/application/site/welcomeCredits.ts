import type { Account } from '../../domain/account.ts';
import { ledgerEntry, pruneSpentLots, welcomeReason } from '../../domain/credits.ts';
import { welcomeReference } from '../../domain/mailbox.ts';
import { changeAccount, type AccountChange } from '../accounts/accounts.ts';
import { DuplicateValue } from '../ports/database.ts';
import type { SiteDeps } from './siteDeps.ts';

type WelcomeDeps = Pick<SiteDeps, 'database' | 'clock' | 'random' | 'secrets' | 'signupCredits'>;

/**
 * Changes an account whose address has just been proved: it counts as verified, and gets the operator's sign-up credits.
 * A mailbox gets them once, under any of its spellings and also after its account was erased, because the reference of
 * their ledger entry is of the mailbox and stays.
 * @param target.email The proved address.
 */
export async function changeVerified(
  deps: WelcomeDeps,
  target: Parameters<typeof changeAccount>[1] & { email: string },
  change: (account: Account) => AccountChange,
): Promise<AccountChange> {
  const [reference = '', ...former] = deps.secrets.map((each) =>
    welcomeReference(target.email, each),
  );
  const verify = (gives: boolean) =>
    changeAccount(deps.database, target, (account) => {
      const changed = change(account);
      const { after } = changed;
      const verified = { ...after, verified: true };
      if (!gives || after.verified) return { ...changed, after: verified };
      return { ...changed, ...withWelcomeCredits(deps, verified, reference) };
    });
  if (deps.signupCredits === 0) return verify(false);
  for (const each of [reference, ...former]) {
    if ((await deps.database.ledger.findByReference(each)) !== null) return verify(false);
  }
  try {
    return await verify(true);
  } catch (error) {
    // Another account of the same mailbox was faster.
    if (!(error instanceof DuplicateValue && error.index === 'accountReference')) throw error;
    return verify(false);
  }
}

function withWelcomeCredits(deps: WelcomeDeps, account: Account, reference: string): AccountChange {
  const now = deps.clock.now();
  const lot = {
    id: deps.random.newId('lot'),
    kind: 'promotional' as const,
    amount: deps.signupCredits,
    expiresAt: null,
  };
  const number = account.ledgerEntries + 1;
  const entry = ledgerEntry({
    accountId: account.id,
    number,
    kind: 'grant',
    movements: [{ lotId: lot.id, kind: lot.kind, amount: lot.amount, expiresAt: null }],
    reason: welcomeReason,
    requestId: deps.random.newId('req'),
    reference,
    at: now,
  });
  const lots = pruneSpentLots([...account.lots, { ...lot, remaining: lot.amount, createdAt: now }]);
  return { after: { ...account, lots, ledgerEntries: number }, entry };
}
