import type { Account, Identity } from '../../domain/accounts/account.ts';
import { type Limits, limitsOf } from '../../domain/accounts/limits.ts';
import { availableCredits, compareLots, type Lot } from '../../domain/credits/credits.ts';
import type { Plan } from '../../domain/credits/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import type { App, AppCore } from '../app.ts';
import {
  type AccountDecision,
  type Database,
  DuplicateValueError,
  type EndOfAccess,
} from '../ports/database.ts';
import type { Mail, QueuedMail } from '../ports/mails.ts';
import { newPasswordProblem } from '../signIn/newPassword.ts';

/** A new customer or staff account. */
export interface CreateAccountCommand {
  email: string;
  /** Null until the owner has chosen one; sign-in is impossible until then. */
  password: string | null;
  /** Whether the address counts as verified. */
  verified: boolean;
  staffRole: Account['staffRole'];
  /** The operator's own customer id. */
  externalId?: string | null;
  /** The group whose prices apply. */
  group?: string | null;
  identities?: Identity[];
}

/** Values that only one account can have, with the refusal of a second one. */
const takenCodes = {
  email: 'email_taken',
  externalId: 'external_id_taken',
  identity: 'sign_on_of_another',
} as const;

/** Whether another account has the address, the external id or the linked sign-in of a refused one. */
export const isAccountTaken = (error: unknown): boolean =>
  error instanceof Refusal && Object.values<string>(takenCodes).includes(error.code);

/**
 * Creates an account without credits.
 * @throws Refusal `email_invalid`, `password_…`, or one of `takenCodes`
 */
export async function createAccount(
  deps: Pick<App, 'database' | 'clock' | 'random' | 'passwords'>,
  command: CreateAccountCommand,
): Promise<Account> {
  const email = normaliseEmail(command.email);
  if (email === null) throw new Refusal('email_invalid');
  if (command.password !== null) {
    const isStaff = command.staffRole !== null;
    const problem = await newPasswordProblem(deps, command.password, { email, isStaff });
    if (problem !== null) throw problem;
  }
  const account: Account = {
    id: deps.random.newId('acct'),
    version: 1,
    email,
    passwordHash: command.password === null ? null : await deps.passwords.hash(command.password),
    verified: command.verified,
    externalId: command.externalId ?? null,
    group: command.group ?? null,
    ...(command.identities && { identities: command.identities }),
    staffRole: command.staffRole,
    status: 'active',
    limits: {},
    keys: [],
    lots: [],
    ledgerEntries: 0,
    ledgerHash: null,
    inFlightCredits: 0,
    running: 0,
    waiting: 0,
    createBucket: null,
    createdAt: deps.clock.now(),
  };
  try {
    await deps.database.accounts.insert(account);
  } catch (error) {
    const taken = error instanceof DuplicateValueError ? error.index : '';
    throw taken in takenCodes ? new Refusal(takenCodes[taken as keyof typeof takenCodes]) : error;
  }
  return account;
}

/** Finds an account by its id. @throws Refusal `account_not_found` */
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
  /** In spending order. */
  lots: Lot[];
  /** The latest plan, running or ended. */
  plan: Plan | null;
}

/** An account as operators see it. @throws Refusal `account_not_found` */
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
    limits: limitsOf(account, deps.defaultLimits),
    lots: account.lots.toSorted(compareLots),
    plan: account.plan ?? null,
  };
}

/** Ends an account's access stored outside its document, which stays. @throws Refusal `account_not_found` */
export async function endAccessBeside(
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
    after: { ...account, status, ...(account.stoppedToErase && { stoppedToErase: false }) },
    ...(status === 'suspended' && { ends: { by: 'suspend' } }),
  }));
}

/** Moves an account to a group and its prices; null removes it from its group. */
export async function setGroup(
  { database }: Pick<AppCore, 'database'>,
  { accountId, group }: { accountId: string; group: string | null },
): Promise<void> {
  await changeAccountById(database, accountId, (account) => ({
    after: { ...account, group },
  }));
}

/** Sets the named limits of an account and keeps the others. @returns The limits in force. */
export async function setLimits(
  deps: Pick<AppCore, 'database' | 'defaultLimits'>,
  command: { accountId: string; limits: Partial<Limits> },
): Promise<Limits> {
  const { after } = await changeAccountById(deps.database, command.accountId, (account) => ({
    after: { ...account, limits: { ...account.limits, ...command.limits } },
  }));
  return limitsOf(after, deps.defaultLimits);
}

/** The changed account, its ledger entry, and other writes of the same transaction. */
export type AccountChange = Pick<
  AccountDecision<unknown>,
  'after' | 'entry' | 'ends' | 'erases' | 'mails'
>;

/** How a change finds its account, and the code of the refusal if there is none. */
export interface AccountTarget {
  find: () => Promise<Account | null>;
  missing: 'account_not_found' | 'key_not_found';
}

/** How long a change is retried while other processes change the same account, in ms. */
const withinMs = 10_000;

/**
 * Changes an account and appends the ledger entry in one transaction. `change` is called again with fresh data if
 * another process changed the account meanwhile. A change without a ledger entry may run on an account that already has
 * it, and must then give the same result.
 * @returns The written change.
 * @throws DatabaseUnavailableError if it is unknown whether the change was written.
 */
export async function changeAccount(
  database: Pick<Database, 'changeAccount'>,
  { find, missing }: AccountTarget,
  change: (account: Account) => AccountChange,
): Promise<AccountChange> {
  const found = await find();
  if (found === null) throw new Refusal(missing);
  const decide = (account: Account) => {
    const changed = change(account);
    return { ...changed, result: changed };
  };
  return database.changeAccount(found.id, decide, withinMs);
}

/** Changes the account with this id as `changeAccount` does. @throws Refusal `account_not_found` */
export const changeAccountById = (
  database: Pick<Database, 'changeAccount' | 'accounts'>,
  accountId: string,
  change: (account: Account) => AccountChange,
): Promise<AccountChange> => changeAccount(database, byId(database, accountId), change);

/**
 * Makes a change of an account together with a mail: queued in the change's transaction, or sent after it if there is
 * no queue. Each decision of the change calls `mailed`, with null for no mail.
 */
export async function changeWithMail(
  { prepareMail, sendMail }: Pick<App, 'prepareMail' | 'sendMail'>,
  change: (mailed: (mail: Mail | null) => QueuedMail[]) => Promise<unknown>,
): Promise<void> {
  const sent: { later: Mail | null } = { later: null };
  await change((mail) => {
    sent.later = prepareMail ? null : mail;
    return mail && prepareMail ? [prepareMail(mail)] : [];
  });
  if (sent.later) await sendMail(sent.later);
}

/** Makes `changeAccount` find an account by its id. */
export function byId(database: Pick<Database, 'accounts'>, accountId: string): AccountTarget {
  return { find: () => database.accounts.find(accountId), missing: 'account_not_found' };
}

/**
 * Gives `changeAccount` an account that was just read or created. `byId` reads with majority concern and may miss an
 * account that another process has only just created.
 */
export function knownAccount(account: Account): AccountTarget {
  return { find: () => Promise.resolve(account), missing: 'account_not_found' };
}

/** Makes `changeAccount` find an account by the id of one of its keys. */
export function byKeyId(database: Database, keyId: string): AccountTarget {
  return { find: () => database.accounts.findByKeyId(keyId), missing: 'key_not_found' };
}
