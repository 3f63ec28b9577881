import { limitsOf, type Account } from '../../domain/account.ts';
import { availableCredits, compareLots, type Lot } from '../../domain/credits.ts';
import { normaliseEmail, passwordProblem } from '../../domain/signIn.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Clock, Passwords, Random } from '../ports/system.ts';
import { DuplicateValue, type Database } from '../ports/database.ts';
import { byId, changeAccount } from './changeAccount.ts';
import { PlainRefusal } from '../plainRefusal.ts';

/** A new customer or member of staff. */
export interface CreateAccountCommand {
  email: string;
  /** Null: it can be signed in to only once its owner has chosen one. */
  password: string | null;
  /** Whether the address counts as verified. */
  verified: boolean;
  staffRole: 'support' | 'admin' | null;
}

/** Makes an account without credits. @throws PlainRefusal when the address is taken or wrong. */
export async function createAccount(
  deps: { database: Database; clock: Clock; random: Random; passwords: Passwords },
  command: CreateAccountCommand,
): Promise<Account> {
  const email = normaliseEmail(command.email);
  if (email === null) throw new PlainRefusal(`"${command.email}" is not an e-mail address.`);
  if (command.password !== null) {
    const isStaff = command.staffRole !== null;
    const problem = await newPasswordProblem(deps, command.password, { email, isStaff });
    if (problem !== null) throw new PlainRefusal(`The password is not good enough: ${problem}`);
  }
  const account: Account = {
    id: deps.random.newId('acct'),
    version: 1,
    email,
    passwordHash: command.password === null ? null : await deps.passwords.hash(command.password),
    verified: command.verified,
    staffRole: command.staffRole,
    status: 'active',
    limits: {},
    keys: [],
    lots: [],
    ledgerEntries: 0,
    inFlightCredits: 0,
    running: 0,
    waiting: 0,
    createBucket: null,
    createdAt: deps.clock.now(),
  };
  try {
    await deps.database.accounts.insert(account);
  } catch (error) {
    if (!(error instanceof DuplicateValue)) throw error;
    throw new PlainRefusal(`There is an account with the address ${email} already.`);
  }
  return account;
}

/** An account as staff see it. */
export interface ShownAccount {
  id: string;
  status: Account['status'];
  /** Credits that can be spent now, by database time. */
  available: number;
  /** Credits that unfinished generations were charged. */
  inFlight: number;
  limits: Limits;
  /** In the order in which they are spent. */
  lots: Lot[];
}

/** Reads an account. @throws PlainRefusal when there is none. */
export async function showAccount(
  deps: { database: Database; clock: Clock; defaultLimits: Limits },
  accountId: string,
): Promise<ShownAccount> {
  const account = await deps.database.accounts.find(accountId);
  if (account === null) throw new PlainRefusal(`There is no account ${accountId}.`);
  return {
    id: account.id,
    status: account.status,
    available: availableCredits(account.lots, deps.clock.now()),
    inFlight: account.inFlightCredits,
    limits: limitsOf(account, deps.defaultLimits),
    lots: account.lots.toSorted(compareLots),
  };
}

/**
 * Suspends an account or lets it work again. What runs already goes on to its end; a suspended one
 * creates nothing new.
 */
export async function setAccountStatus(
  { database }: { database: Database },
  { accountId, status }: { accountId: string; status: Account['status'] },
): Promise<void> {
  await changeAccount(database, byId(database, accountId), (account) => ({
    after: { ...account, status },
  }));
}

/** Gives an account limits of its own; those not named stay. @returns the limits that hold now. */
export async function setLimits(
  deps: { database: Database; defaultLimits: Limits },
  command: { accountId: string; limits: Partial<Limits> },
): Promise<Limits> {
  const { after } = await changeAccount(
    deps.database,
    byId(deps.database, command.accountId),
    (account) => ({ after: { ...account, limits: { ...account.limits, ...command.limits } } }),
  );
  return limitsOf(after, deps.defaultLimits);
}

/** What is wrong with a new password, in a sentence for its owner; null when it is good. */
export async function newPasswordProblem(
  { passwords }: { passwords: Pick<Passwords, 'isKnown'> },
  password: string,
  { email, isStaff }: { email: string; isStaff: boolean },
): Promise<string | null> {
  const problem = passwordProblem(password, email, isStaff);
  if (problem !== null) return problem;
  if (!(await passwords.isKnown(password))) return null;
  return 'Many people have this password, so it is tried first. Use another one.';
}
