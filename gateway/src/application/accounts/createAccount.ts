import type { Account, Identity } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import type { App } from '../app.ts';
import { DuplicateValueError } from '../ports/database.ts';
import { findNewPasswordProblem } from '../signIn/newPassword.ts';

/** A new customer or staff account. */
export interface CreateAccountCommand {
  email: string;
  /** Null until the owner has chosen one; sign-in is impossible until then. */
  password: string | null;
  /** Whether the address counts as verified. */
  isVerified: boolean;
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
 * @throws Refusal `email_invalid`, `password_…`, or one of `takenCodes`.
 */
export async function createAccount(
  deps: Pick<App, 'database' | 'clock' | 'random' | 'passwords'>,
  command: CreateAccountCommand,
): Promise<Account> {
  const email = normaliseEmail(command.email);
  if (email === null) throw new Refusal('email_invalid');
  if (command.password !== null) {
    const isStaff = command.staffRole !== null;
    const problem = await findNewPasswordProblem(deps, command.password, { email, isStaff });
    if (problem !== null) throw problem;
  }
  const account: Account = {
    id: deps.random.newId('acct'),
    version: 1,
    email,
    passwordHash: command.password === null ? null : await deps.passwords.hash(command.password),
    isVerified: command.isVerified,
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
    const takenIndex = error instanceof DuplicateValueError ? error.index : '';
    throw takenIndex in takenCodes
      ? new Refusal(takenCodes[takenIndex as keyof typeof takenCodes])
      : error;
  }
  return account;
}
