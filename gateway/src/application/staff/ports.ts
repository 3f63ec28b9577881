/* What the staff console needs of the outside world, beside application/ports/. */

import type { OperatorAction, StaffAction, StaffRole } from '../../domain/staffRights.ts';
import type { Resolution } from '../ports/staffQueries.ts';
import type { CustomerFactorStore } from '../site/ports.ts';

/** What became of an action: `begun` is all that is known when its process died in the middle. */
export type AuditOutcome = 'begun' | 'done' | 'refused' | 'failed';

/** One line of the audit log. Times in ms since the epoch, database time. */
export interface AuditEntry {
  id: string;
  at: number;
  accountId: string;
  email: string;
  role: StaffRole | 'operator';
  action: StaffAction | OperatorAction;
  /** Ids of what it was done to: generation, account, key. */
  targets: string[];
  /** The reason that the member of staff gave. */
  reason: string;
  outcome: AuditOutcome;
  /** What came of it, or why not. */
  result: string;
  requestId: string;
  /** Where the request came from. */
  address: string;
  /** The form that asked for it: a form is acted upon once. Null where none did. */
  formId: string | null;
}

/** The audit log: entries are added, and their outcome is written once; nothing else changes. */
export interface AuditLog {
  /** @throws DuplicateValue when the form has been acted upon. */
  begin(entry: AuditEntry): Promise<void>;
  finish(entryId: string, outcome: AuditOutcome, result: string): Promise<void>;
  /**
   * The newest entries, those before the entry `before` where it is given.
   * @param term An id of a target or of staff, an e-mail address of staff, an action or a request id.
   */
  search(term: string | null, before: string | null, limit: number): Promise<AuditEntry[]>;
}

/** A second factor, and the link that leads to one. */
export interface SecondFactor {
  /** The account's id. */
  id: string;
  /** The secret that its app shares, encrypted; null until enrolled. */
  secret: string | null;
  /** The last time step whose code was used: a code works once. */
  lastStep: number;
  /** Hash of the token of an open enrolment link; null when there is none. */
  linkHash: string | null;
  linkUntil: number;
  /** Whether the link also sets the password: the account never had a known one. */
  setsPassword: boolean;
}

/** Second factors of staff. */
export interface SecondFactorStore {
  find(accountId: string): Promise<SecondFactor | null>;
  /** Opens an enrolment link in place of an earlier one; a factor in use goes on working. */
  openLink(
    accountId: string,
    link: Pick<SecondFactor, 'linkHash' | 'linkUntil' | 'setsPassword'>,
  ): Promise<void>;
  /** Whose link this is while it is open, by database time. */
  findByLink(linkHash: string): Promise<SecondFactor | null>;
  /** Uses the link up and stores the secret, together; false when it was used or is over. */
  enrol(linkHash: string, secret: string, lastStep: number): Promise<boolean>;
  useStep: CustomerFactorStore['useStep'];
}

/** An action that waits for a second member of staff. Times in ms since the epoch. */
export interface Proposal {
  id: string;
  at: number;
  expiresAt: number;
  action: StaffAction;
  /** Its part of the address. */
  slug: string;
  targetId: string;
  /** Of its form, but the reason. */
  fields: [string, string][];
  reason: string;
  /** Who asked for it. */
  accountId: string;
  email: string;
}

/** Proposals that wait; one that is over is found no more. */
export interface ProposalStore {
  insert(proposal: Proposal): Promise<void>;
  find(proposalId: string): Promise<Proposal | null>;
  remove(proposalId: string): Promise<void>;
  /** The oldest first. */
  list(limit: number): Promise<Proposal[]>;
}

/** A member of staff who is signed in. */
export interface StaffSession {
  /** Hash of the cookie's value. */
  id: string;
  accountId: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
}

/** Sessions of the console, apart from those of the account site. */
export interface StaffSessionStore {
  insert(session: StaffSession): Promise<void>;
  /** The live session; null when it is unknown, over, or unused for `idleMs`. `note`: that is a use. */
  visit(sessionId: string, idleMs: number, note: boolean): Promise<StaffSession | null>;
  remove(sessionId: string): Promise<void>;
  removeAll(accountId: string): Promise<void>;
}

/** Writes of staff outside the shared use cases. No method touches status or credits. */
export interface StaffWrites {
  /** Notes how an unknown outcome was resolved; false when it was resolved before. */
  resolve(generationId: string, resolution: Resolution, what: string): Promise<boolean>;
  /**
   * Marks the outputs as deleted from now on, and their files as due for upkeep; false when they are already, or
   * there are none.
   */
  markTakenDown(generationId: string, nowMs: number, what: string): Promise<boolean>;
  /** Adds a line to the timeline. */
  note(generationId: string, nowMs: number, what: string): Promise<void>;
  /** Removes what else is kept of an account: sessions, second factor, mailed questions, mails, uses of its keys. */
  eraseTraces(accountId: string, email: string, keyIds: readonly string[]): Promise<void>;
}

/** Time-based one-time codes (RFC 6238: SHA-1, 30 s, six digits), as authenticator apps make them. */
export interface Totp {
  /** A secret in base32. */
  encode(secret: Uint8Array): string;
  /** The `otpauth:` address that an app reads from a picture. */
  address(secret: string, email: string): string;
  /**
   * The time step that a code belongs to; null when it is wrong or its step is not after `afterStep`.
   * The steps before and after count, too: people type slowly, and clocks differ.
   */
  check(secret: string, code: string, nowMs: number, afterStep: number): number | null;
}

/** States of jobs as Agenda computes them. */
export const jobStates = [
  'running',
  'scheduled',
  'queued',
  'completed',
  'failed',
  'repeating',
] as const;
/** One of Agenda's states of a job. */
export type JobState = (typeof jobStates)[number];

/** Jobs of one name, by state; `paused` ones are counted in their state, too. */
export type JobCounts = Record<JobState | 'total' | 'paused', number> & { name: string };

/** A job as Agenda's own page takes it. */
export type JobDocument = Record<string, unknown> & { _id: string; name: string; state: JobState };

/** What Agenda's page asks, answered in the database however many jobs there are. */
export interface JobQueries {
  counts(): Promise<JobCounts[]>;
  /** @param search A generation's or a job's id, or a part of a job's name. */
  page(question: {
    name?: string | undefined;
    state?: JobState | undefined;
    search?: string | undefined;
    skip: number;
    limit: number;
  }): Promise<{ jobs: JobDocument[]; total: number }>;
}
