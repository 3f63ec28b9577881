import type { Account } from '../../domain/accounts/account.ts';
import { effectiveLimits, type Limits } from '../../domain/accounts/limits.ts';
import { availableCredits, compareLots, type Lot } from '../../domain/credits/credits.ts';
import type { Plan } from '../../domain/credits/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AppCore } from '../app.ts';
import type { Database, EndOfAccess } from '../ports/database.ts';
import { changeAccountById } from './changeAccount.ts';

/** Finds an account by its id. @throws Refusal `account_not_found`. */
export async function requireAccount(
  { accounts }: Pick<Database, 'accounts'>,
  accountId: string,
): Promise<Account> {
  const account = await accounts.find(accountId);
  if (account === null) throw new Refusal('account_not_found');
  return account;
}

/** An account as shown to staff. */
export interface ShownAccount {
  id: string;
  status: Account['status'];
  /** Spendable credits, by database time. */
  available: number;
  /** Credits charged for unfinished generations. */
  inFlight: number;
  limits: Limits;
  /** Lots in spending order. */
  lots: Lot[];
  /** The latest plan, running or ended. */
  plan: Plan | null;
}

/** An account as operators see it. @throws Refusal `account_not_found`. */
export async function showAccount(
  deps: Pick<AppCore, 'database' | 'clock' | 'defaultLimits'>,
  accountId: string,
): Promise<ShownAccount> {
  const account = await requireAccount(deps.database, accountId);
  return {
    id: account.id,
    status: account.status,
    available: availableCredits(account.lots, deps.clock.now()),
    inFlight: account.inFlightCredits,
    limits: effectiveLimits(account, deps.defaultLimits),
    lots: account.lots.toSorted(compareLots),
    plan: account.plan ?? null,
  };
}

/** Ends an account's access stored outside its document, which stays. @throws Refusal `account_not_found`. */
export async function endExternalAccess(
  database: Pick<Database, 'changeAccount' | 'accounts'>,
  accountId: string,
  ends: EndOfAccess,
): Promise<void> {
  await changeAccountById(database, accountId, (account) => ({ after: account, ends }));
}

/**
 * Suspends or resumes an account. A suspended account creates no new generations, and running ones finish. Its sessions
 * end; its person may sign in again to read their own account.
 */
export async function setAccountStatus(
  { database }: Pick<AppCore, 'database'>,
  { accountId, status }: { accountId: string; status: Account['status'] },
): Promise<void> {
  await changeAccountById(database, accountId, (account) => ({
    after: { ...account, status, ...(account.isStoppedToErase && { isStoppedToErase: false }) },
    ...(status === 'suspended' && { ends: { by: 'suspend' } }),
  }));
}

/** Moves an account to a group and its prices; null removes it from its group. */
export async function setAccountGroup(
  { database }: Pick<AppCore, 'database'>,
  { accountId, group }: { accountId: string; group: string | null },
): Promise<void> {
  await changeAccountById(database, accountId, (account) => ({
    after: { ...account, group },
  }));
}

/** Sets the named limits of an account and keeps the others. @returns The limits in force. */
export async function setAccountLimits(
  deps: Pick<AppCore, 'database' | 'defaultLimits'>,
  command: { accountId: string; limits: Partial<Limits> },
): Promise<Limits> {
  const { after } = await changeAccountById(deps.database, command.accountId, (account) => ({
    after: { ...account, limits: { ...account.limits, ...command.limits } },
  }));
  return effectiveLimits(after, deps.defaultLimits);
}
