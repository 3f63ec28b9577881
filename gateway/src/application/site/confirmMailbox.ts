import { endKey, type Account } from '../../domain/account.ts';
import { isCode } from '../../domain/confirmationCode.ts';
import { pruneSpentLots } from '../../domain/credits.ts';
import { ledgerEntry } from '../../domain/ledger.ts';
import { byId, changeAccount, type AccountChange } from '../admin/changeAccount.ts';
import { endSessions, tellOfNewPassword } from './changePassword.ts';
import { newPasswordProblem } from '../newPasswordProblem.ts';
import { countAttempt, type Origin } from './countAttempt.ts';
import { FormProblem, requireNone } from './formProblem.ts';
import { noteFailure } from './noteSignIn.ts';
import type { Confirmation } from './ports.ts';
import type { SiteDeps } from './siteDeps.ts';

/** An answer to a question that was mailed. */
export interface MailboxAnswer {
  confirmationId: string;
  code: string;
  /** The new password. */
  password: string;
  /** Whether all API keys end, too. */
  revokesKeys: boolean;
  from: Origin;
}

const over = 'This code is no longer good: it was used, has expired, or was mistyped too often.';

/**
 * Takes the code from a mail: it verifies the address, sets the password and ends all sessions,
 * also those that another person started. The first verification ends every API key made before it, and brings the
 * operator's sign-up credits, once.
 * @throws FormProblem
 */
export async function confirmMailbox(
  deps: SiteDeps,
  answer: MailboxAnswer,
): Promise<{ account: Account; purpose: Confirmation['purpose'] }> {
  const question = await deps.confirmations.find(answer.confirmationId);
  if (!question) throw new FormProblem({}, over);
  requireNone({
    code: answer.code.trim() === '' ? 'Enter the code from the mail.' : null,
    password: await newPasswordProblem(deps, answer.password, {
      email: question.email,
      isStaff: false,
    }),
  });
  await countAttempt(deps, 'codeAddress', answer.from.address);
  const { accountId } = await requireCode(deps, answer);
  // Told only to who has the code: that an account is one of staff is not for strangers.
  const isStaff = (await deps.database.accounts.find(accountId))?.staffRole !== null;
  const owner = { email: question.email, isStaff };
  requireNone({ password: await newPasswordProblem(deps, answer.password, owner) });
  const passwordHash = await deps.passwords.hash(answer.password);
  const now = deps.clock.now();
  const { after } = await changeAccount(
    deps.database,
    byId(deps.database, accountId),
    (account) => {
      const revokes = answer.revokesKeys || !account.verified;
      const keys = revokes ? account.keys.map((key) => endKey(key, now)) : account.keys;
      return withVerified(deps, { ...account, passwordHash, keys });
    },
  );
  await endSessions(deps, accountId, null);
  if (question.purpose === 'reset') await tellOfNewPassword(deps, after, answer.from.address);
  await deps.confirmations.markUsed(question.id);
  return { account: after, purpose: question.purpose };
}

async function requireCode(
  deps: SiteDeps,
  { confirmationId, code, from }: MailboxAnswer,
): Promise<Confirmation & { accountId: string }> {
  const asked = await deps.confirmations.takeTry(confirmationId);
  if (!asked) throw new FormProblem({}, over);
  const { accountId, codeHash, triesLeft } = asked;
  if (accountId !== null && isCode(code, confirmationId, codeHash, deps.secrets)) {
    return { ...asked, accountId };
  }
  const account = accountId === null ? null : await deps.database.accounts.find(accountId);
  await noteFailure(deps, { door: 'mail', outcome: 'code', account, from });
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
    reference: `sign-up ${account.id}`,
    at: now,
  });
  const lots = pruneSpentLots([...account.lots, { ...lot, remaining: lot.amount, createdAt: now }]);
  return { after: { ...after, lots, ledgerEntries: number }, entry };
}
