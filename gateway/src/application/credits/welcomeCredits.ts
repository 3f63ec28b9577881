import type { Account } from '../../domain/accounts/account.ts';
import { welcomeReference } from '../../domain/accounts/mailbox.ts';
import { book, giveCredits } from '../../domain/credits/book.ts';
import { welcomeReason } from '../../domain/credits/credits.ts';
import { type AccountChange, changeAccount } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import { DuplicateValueError } from '../ports/database.ts';

type WelcomeDeps = Pick<App, 'database' | 'clock' | 'random' | 'sessionKeys' | 'signupCredits'>;

/**
 * Changes an account whose address has just been proved: it counts as verified and gets the operator's sign-up credits.
 * A mailbox gets them once, in any spelling and even after its account was erased, because the reference of the ledger
 * entry identifies the mailbox and stays.
 * @param target.email The proved address.
 */
export async function changeVerified(
  deps: WelcomeDeps,
  target: Parameters<typeof changeAccount>[1] & { email: string },
  change: (account: Account) => AccountChange,
): Promise<AccountChange> {
  const [reference = '', ...former] = deps.sessionKeys.map((each) =>
    welcomeReference(target.email, each),
  );
  const verify = (givesCredits: boolean) =>
    changeAccount(deps.database, target, (account) => {
      const decision = change(account);
      const { after } = decision;
      const verified = { ...after, isVerified: true };
      if (!givesCredits || after.isVerified) return { ...decision, after: verified };
      return { ...decision, ...withWelcomeCredits(deps, verified, reference) };
    });
  if (deps.signupCredits === 0) return verify(false);
  for (const each of [reference, ...former]) {
    if ((await deps.database.ledger.findByReference(each)) !== null) return verify(false);
  }
  try {
    return await verify(true);
  } catch (error) {
    // Another account of the same mailbox was faster.
    if (!(error instanceof DuplicateValueError && error.index === 'accountReference')) throw error;
    return verify(false);
  }
}

function withWelcomeCredits(deps: WelcomeDeps, account: Account, reference: string): AccountChange {
  const at = deps.clock.now();
  const change = giveCredits(account.lots, {
    id: deps.random.newId('lot'),
    kind: 'promotional',
    amount: deps.signupCredits,
    expiresAt: null,
    createdAt: at,
  });
  const requestId = deps.random.newId('req');
  return book(account, change, { kind: 'grant', reason: welcomeReason, requestId, reference, at });
}
