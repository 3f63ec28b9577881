/* What the account site needs of the outside world, beside application/ports/. */

/** A mail in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The page that the mail leads to. It holds no secret, so that a log may show it. */
  link: string;
  /** How long it is of use, in ms: after that it is not sent any more. */
  validMs?: number;
  /**
   * There is no one to send it to: it is stored as any other mail, so that the time of an answer does not show
   * that, and goes when it would be of no use any more. It names no address.
   */
  isDecoy?: boolean;
}

/** Sends a mail, or hands it to a queue that will. */
export type SendMail = (mail: Mail) => Promise<void>;

/** A mail that waits. Times in ms since the epoch. */
export interface QueuedMail {
  id: string;
  to: string;
  subject: string;
  /** The text, encrypted. */
  sealed: string;
  tries: number;
  createdAt: number;
  nextTryAt: number;
  /** From then on it is of no use. */
  validUntil: number;
  /** When everything about it is forgotten. */
  goneAt: number;
  /** What the mail server said to the last try. */
  problem?: string;
  /** It is never due, and not shown. */
  isDecoy?: true;
}

/** A mail that has not been delivered, as staff see it. */
export type UndeliveredMail = Omit<QueuedMail, 'sealed'> & { givenUpAt?: number };

/** Mails under way. */
export interface MailStore {
  insert(mail: QueuedMail): Promise<void>;
  /** The longest due first. */
  findDue(nowMs: number, limit: number): Promise<QueuedMail[]>;
  /** Counts a try, and keeps other processes off until a moment; null when another one was first. */
  claim(mail: QueuedMail, untilMs: number): Promise<QueuedMail | null>;
  remove(id: string): Promise<void>;
  postpone(id: string, untilMs: number, problem: string): Promise<void>;
  /** Removes its text; what it was stays for staff to see. */
  giveUp(id: string, problem: string): Promise<void>;
  /** The newest first, without decoys. */
  findUndelivered(limit: number): Promise<UndeliveredMail[]>;
}

/** What became of a try to send a mail. */
export type MailOutcome = 'sent' | 'failed' | 'given_up';

/**
 * Hands a mail to the mail server. `problem` has codes alone, no text and no address; a final one does not
 * go away by trying again.
 */
export type DeliverMail = (
  mail: Pick<Mail, 'to' | 'subject' | 'text'> & { id: string },
) => Promise<{ ok: true } | { ok: false; isFinal: boolean; problem: string }>;

/** A browser that is signed in. Times in ms since the epoch, database time. */
export interface Session {
  /** Hash of the cookie's value: what is stored cannot be used to sign in. */
  id: string;
  accountId: string;
  createdAt: number;
  seenAt: number;
  /** Ends then at the latest, however much it is used. */
  expiresAt: number;
  /** What the browser calls itself, for the list of sessions. */
  userAgent: string;
  /** Where the sign-in came from. */
  address: string;
  /** What a page keeps for the next one. */
  data: Record<string, unknown>;
}

/** Sessions of the site; an ended one is never brought back by a late write. */
export interface SessionStore {
  /** The live session, noted as seen; null when it is unknown, over, or unused for `idleMs`. */
  visit(sessionId: string, idleMs: number): Promise<Session | null>;
  insert(session: Session): Promise<void>;
  /** Keeps data for the next page while the session lives. */
  keep(sessionId: string, data: Record<string, unknown>): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** The account's live sessions, the last used first. */
  list(accountId: string, idleMs: number): Promise<Session[]>;
  /** Ends all sessions of an account but one. */
  removeOthers(accountId: string, keptId: string | null): Promise<void>;
}

/**
 * A question sent by mail: an answer with the mail's code proves that its sender reads the mailbox.
 * `accountId` is null where there is no such account, which the asker must not learn.
 */
export interface Confirmation {
  id: string;
  purpose: 'verify' | 'reset';
  accountId: string | null;
  email: string;
  codeHash: string;
  triesLeft: number;
  expiresAt: number;
  usedAt: number | null;
}

/** Confirmations under way. */
export interface ConfirmationStore {
  insert(confirmation: Confirmation): Promise<void>;
  find(confirmationId: string): Promise<Confirmation | null>;
  /** Takes one try, atomically; null when it is over, used, or has no try left. */
  takeTry(confirmationId: string): Promise<Confirmation | null>;
  markUsed(confirmationId: string): Promise<void>;
}

/** Counts what may be tried so often in a while, over all processes. */
export interface AttemptStore {
  /** Counts `by` more, one where it is not given. @returns how many there are in the running window, and when it ends. */
  count(name: string, windowMs: number, by?: number): Promise<{ count: number; endsAt: number }>;
  clear(name: string): Promise<void>;
}

/** The second factor of a customer who wants one. Times in ms since the epoch. */
export interface CustomerFactor {
  /** The account's id. */
  id: string;
  /** The secret that the app shares, encrypted. */
  secret: string;
  /** The last time step whose code was used: a code works once. */
  lastStep: number;
  /** Hashes of the recovery codes that are left. */
  recoveryHashes: string[];
  enabledAt: number;
}

/** Second factors of customers; those of staff are for the console alone. */
export interface CustomerFactorStore {
  find(accountId: string): Promise<CustomerFactor | null>;
  /** False when the account has one. */
  insert(factor: CustomerFactor): Promise<boolean>;
  /**
   * Notes a code's time step, and seals the secret anew.
   * @returns false when it or a later step was used, or the factor is another one by now.
   */
  useStep(
    factor: Pick<CustomerFactor, 'id' | 'secret'>,
    step: number,
    secret: string,
  ): Promise<boolean>;
  /** Uses a recovery code up. @returns how many are left; null when it is none of them. */
  useRecoveryCode(accountId: string, hash: string): Promise<number | null>;
  replaceRecoveryCodes(accountId: string, hashes: readonly string[]): Promise<void>;
  /** False when there was none. */
  remove(accountId: string): Promise<boolean>;
}

/** When API keys were last used; written behind the requests, exact to a minute. */
export interface KeyUseStore {
  note(keyId: string): void;
  find(keyIds: readonly string[]): Promise<Map<string, number>>;
}

/** Where a password or a code is asked for. */
export type Door = 'site' | 'console' | 'enrolment' | 'settings' | 'mail';

/** How a sign-in ended: a wrong password, a wrong code, or `held`: tried too often. */
export type SignInOutcome = 'done' | 'password' | 'code' | 'held';

/** Counts a sign-in for the metrics. */
export type RecordSignIn = (door: Door, outcome: SignInOutcome) => void;
