import type { Account } from '../../domain/account.ts';
import { normaliseEmail } from '../../domain/email.ts';
import { newPasswordProblem } from '../newPasswordProblem.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { Random } from '../ports/random.ts';
import { DuplicateValue } from '../ports/storeErrors.ts';
import { AdminProblem } from './adminProblem.ts';

/** A new customer or member of staff. */
export interface CreateAccountCommand {
  email: string;
  /** Null: it can be signed in to only once its owner has chosen one. */
  password: string | null;
  /** Whether the address counts as verified. */
  verified: boolean;
  staffRole: 'support' | 'admin' | null;
}

/** Makes an account without credits. @throws AdminProblem when the address is taken or wrong. */
export async function createAccount(
  deps: { database: Database; clock: Clock; random: Random; passwords: Passwords },
  command: CreateAccountCommand,
): Promise<Account> {
  const email = normaliseEmail(command.email);
  if (email === null) throw new AdminProblem(`"${command.email}" is not an e-mail address.`);
  if (command.password !== null) {
    const isStaff = command.staffRole !== null;
    const problem = await newPasswordProblem(deps, command.password, { email, isStaff });
    if (problem !== null) throw new AdminProblem(`The password is not good enough: ${problem}`);
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
    throw new AdminProblem(`There is an account with the address ${email} already.`);
  }
  return account;
}
