import type { Account } from '../../domain/account.ts';
import { normaliseEmail } from '../../domain/email.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { Random } from '../ports/random.ts';
import { DuplicateValue } from '../ports/storeErrors.ts';
import { AdminProblem } from './adminProblem.ts';

/** Characters below which a password is guessed (NIST SP 800-63B). */
const passwordLengthMin = 8;
/** Characters beyond which hashing costs more than it protects. */
const passwordLengthMax = 1024;

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
  if (command.password !== null) requireLength(command.password);
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

function requireLength(password: string): void {
  const { length } = [...password];
  if (length >= passwordLengthMin && length <= passwordLengthMax) return;
  throw new AdminProblem(
    `The password has ${length} characters: ${passwordLengthMin} to ${passwordLengthMax} are needed.`,
  );
}
