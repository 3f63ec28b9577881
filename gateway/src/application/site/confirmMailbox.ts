import type { Account } from '../../domain/account.ts';
import { isCode } from '../../domain/confirmationCode.ts';
import { pruneSpentLots } from '../../domain/credits.ts';
import { ledgerEntry } from '../../domain/ledger.ts';
import { passwordProblem } from '../../domain/password.ts';
import { byId, changeAccount, type AccountChange } from '../admin/changeAccount.ts';
import { countAttempt } from './countAttempt.ts';
import { FormProblem, requireNone } from './formProblem.ts';
import type { Confirmation } from './ports.ts';
import type { SiteDeps } from './siteDeps.ts';

/** An answer to a question that was mailed. */
export interface MailboxAnswer {
  confirmationId: string;
  code: string;
  /** The new password where the question is about one. */
  password: string;
  address: string;
}

const over = 'This code is no longer good: it was used, has expired, or was mistyped too often.';

/**
 * Takes the code from a mail: it verifies the address, and with a new password replaces the old one and
 * ends all sessions. The first verification brings the operator's sign-up credits, once.
 * @throws FormProblem
 */
export async function confirmMailbox(deps: SiteDeps, answer: MailboxAnswer): Promise<Account> {
  const question = await deps.confirmations.find(answer.confirmationId);
  if (!question) throw new FormProblem({}, over);
  const isReset = question.purpose === 'reset';
  requireNone({
    code: answer.code.trim() === '' ? 'Enter the code from the mail.' : null,
    ...(isReset && { password: passwordProblem(answer.password, question.email) }),
  });
  await countAttempt(deps, 'codeAddress', answer.address);
  const { accountId } = await requireCode(deps, answer);
  const passwordHash = isReset ? await deps.passwords.hash(answer.password) : null;
  const { after } = await changeAccount(deps.database, byId(deps.database, accountId), (account) =>
    withVerified(deps, { ...account, ...(passwordHash !== null && { passwordHash }) }),
  );
  if (isReset) await deps.sessions.removeOthers(accountId, null);
  await deps.confirmations.markUsed(question.id);
  return after;
}

async function requireCode(
  deps: SiteDeps,
  { confirmationId, code }: MailboxAnswer,
): Promise<Confirmation & { accountId: string }> {
  const asked = await deps.confirmations.takeTry(confirmationId);
  if (!asked) throw new FormProblem({}, over);
  const { accountId, codeHash, triesLeft } = asked;
  if (accountId !== null && isCode(code, confirmationId, codeHash, deps.secrets)) {
    return { ...asked, accountId };
  }
  if (triesLeft === 0) throw new FormProblem({}, over);
  const left = triesLeft === 1 ? 'One try is left.' : `${triesLeft} tries are left.`;
  throw new FormProblem({ code: `This is not the code from the mail. ${left}` });
}

/** The account with its address verified, and what the sign-up brings. */
function withVerified(deps: SiteDeps, account: Account): AccountChange {
  const after = { ...account, verified: true };
  if (account.verified || deps.signupCredits === 0) return { after };
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
    reason: 'Welcome credits',
    requestId: deps.random.newId('req'),
    at: now,
  });
  const lots = pruneSpentLots([...account.lots, { ...lot, remaining: lot.amount, createdAt: now }]);
  return { after: { ...after, lots, ledgerEntries: number }, entry };
}
