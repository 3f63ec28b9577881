import type { Account } from '../../domain/accounts/account.ts';

/* Ports of the account site. */

/** A signed-in browser. Times in ms since the epoch, database time. */
export interface Session {
  /** Hash of the cookie's value: the stored value cannot be used to sign in. */
  id: string;
  /** The person's own account. */
  accountId: string;
  /** The account that the person acts for; null for their own. */
  actsFor: string | null;
  createdAt: number;
  seenAt: number;
  /** Latest end, regardless of use. */
  expiresAt: number;
  /** The browser's own name, for the list of sessions. */
  userAgent: string;
  /** Address of the sign-in. */
  address: string;
  /** Data that a page keeps for the next one. */
  data: Record<string, unknown>;
}

/** Sessions of a site; an ended one is never brought back by a late write. */
export interface SessionStore<S = Session> {
  /**
   * The live session with the account of its person, in one statement, as every page begins with both; null if the
   * session is unknown, ended, or unused for `idleMs`.
   * @param isUse Whether to mark it as used; true by default.
   */
  visit(
    sessionId: string,
    idleMs: number,
    isUse?: boolean,
  ): Promise<{ session: S; account: Account | null } | null>;
  insert(session: S): Promise<void>;
  keep(sessionId: string, data: Record<string, unknown>): Promise<void>;
  /** Makes the session act for another account; null for the person's own. */
  actFor(sessionId: string, accountId: string | null): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** The account's live sessions, most recently used first. */
  list(accountId: string, idleMs: number): Promise<S[]>;
}

/**
 * A confirmation by email: the email's code proves that its sender reads the mailbox. `accountId` is null if the
 * account does not exist, which the requester must not learn.
 */
export interface Confirmation {
  id: string;
  /**
   * `prove` is asked of a person without a password before they get new access; `new address` and `old address` before
   * an account changes its address.
   */
  purpose: 'verify' | 'reset' | 'prove' | 'new email' | 'old email';
  accountId: string | null;
  email: string;
  codeHash: string;
  attemptsLeft: number;
  expiresAt: number;
  usedAt: number | null;
}

/** Open confirmations. */
export interface ConfirmationStore {
  insert(confirmation: Confirmation): Promise<void>;
  find(confirmationId: string): Promise<Confirmation | null>;
  /** Uses one attempt, atomically; null if it has expired, was used, or has no attempts left. */
  takeTry(confirmationId: string): Promise<Confirmation | null>;
  markUsed(confirmationId: string): Promise<void>;
}

/** The attempts in a window, and its end in ms since the epoch. */
export interface AttemptCount {
  count: number;
  endsAt: number;
}

/** Counts attempts within windows, across all processes. */
export interface AttemptStore {
  /** Adds `by`, by default one. @returns The count in the current window, and the window's end. */
  count(name: string, windowMs: number, by?: number): Promise<AttemptCount>;
  clear(name: string): Promise<void>;
}

/** A customer's optional second factor. Times in ms since the epoch. */
export interface CustomerFactor {
  /** The account's id. */
  id: string;
  /** The secret shared with the app, encrypted. */
  secret: string;
  /** The last time step whose code was used; each code works once. */
  lastStep: number;
  /** Hashes of the unused recovery codes. */
  recoveryHashes: string[];
  enabledAt: number;
}

/** Second factors of customers; those of staff are separate and only for the console. */
export interface CustomerFactorStore {
  find(accountId: string): Promise<CustomerFactor | null>;
  /** Finds which of these people have one; at most as many as a team has. */
  findHaving(accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** False if the account already has one. */
  insert(factor: CustomerFactor): Promise<boolean>;
  /**
   * Records a code's time step and the resealed secret.
   * @returns False if it or a later step was used, or the factor has been replaced.
   */
  useStep(
    factor: Pick<CustomerFactor, 'id' | 'secret'>,
    step: number,
    secret: string,
  ): Promise<boolean>;
  /** Uses up a recovery code. @returns The number of remaining ones; null for an unknown code. */
  useRecoveryCode(accountId: string, hash: string): Promise<number | null>;
  replaceRecoveryCodes(accountId: string, hashes: readonly string[]): Promise<void>;
}

/** The last use of an API key. */
export interface KeyUse {
  /** Time in ms since the epoch. */
  at: number;
  /** The caller's address. */
  address: string;
}

/** Last uses of API keys; written asynchronously, accurate to a minute. */
export interface KeyUseStore {
  record(keyId: string, address: string): void;
  find(keyIds: readonly string[]): Promise<Map<string, KeyUse>>;
}

/** The pages that request a password or a code. */
export type EntryPoint = 'site' | 'console' | 'enrolment' | 'settings' | 'mail' | 'link' | 'oidc';

/** The outcome of a sign-in: a wrong password, code or passkey, or `throttled` after too many attempts. */
export type SignInOutcome = 'done' | 'password' | 'code' | 'passkey' | 'throttled';

/** Counts a sign-in for the metrics. */
export type RecordSignIn = (entryPoint: EntryPoint, outcome: SignInOutcome) => void;
