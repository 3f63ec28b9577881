/* What the staff console needs of the outside world, beside application/ports/. */

import type { Account } from '../../domain/account.ts';
import type { CostLine } from '../../domain/costReport.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/ledger.ts';
import type { HistoryItem } from '../ports/generations.ts';
import type { OperatorAction, StaffAction, StaffRole } from '../../domain/staffRights.ts';

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
  /** Notes a code's time step; false when it or a later one was used. */
  useStep(accountId: string, step: number): Promise<boolean>;
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

/** An Agenda job as staff see it. */
export interface JobLine {
  id: string;
  name: string;
  nextRunAt: number | null;
  lockedAt: number | null;
  lastRunAt: number | null;
  lastFinishedAt: number | null;
  failReason: string | null;
  /** The process that wrote it last. */
  lastModifiedBy: string | null;
}

/** A generation in a list of results. */
export type GenerationLine = Pick<
  HistoryItem,
  | 'id'
  | 'accountId'
  | 'type'
  | 'model'
  | 'status'
  | 'createdAt'
  | 'endedAt'
  | 'costCredits'
  | 'channel'
  | 'keyId'
  | 'failure'
>;

/** An end as the console's charts count it. Times in ms since the epoch. */
export interface EndedPoint {
  model: string;
  status: 'completed' | 'failed';
  /** Of the last attempt; null when none was made. */
  provider: string | null;
  /** Why it failed; null when it completed. */
  code: string | null;
  credits: number;
  createdAt: number;
  endedAt: number;
}

/** What a list of generations is narrowed down to. */
export interface LineFilter {
  status: Generation['status'];
  /** Of ended ones: ended since then, in ms since the epoch. */
  since?: number;
  model?: string;
  /** Of failed ones: why. */
  code?: string;
}

/** A page of such a list. */
export interface LinePage {
  lines: GenerationLine[];
  /** Where the next page begins; null at the end. A page may be short before that. */
  older: string | null;
}

/** A host that an owner asked for, with its key and account. */
export interface HostRequest {
  accountId: string;
  email: string;
  keyId: string;
  keyName: string;
  rule: string;
}

/** The resolution by staff of an unknown submission that had already been refunded. */
export interface Resolution {
  resolvedAt: number;
  /** Whether the provider had made it after all. */
  found: boolean;
  by: string;
}

/** A generation with what only staff may see. */
export type StaffGeneration = Generation & { resolution?: Resolution | null };

/** The queries of the console; each uses an index, however much is stored. */
export interface StaffQueries {
  generation(generationId: string): Promise<StaffGeneration | null>;
  /** Addresses of the admins who may use the console. */
  admins(limit: number): Promise<string[]>;
  byRequestId(requestId: string): Promise<GenerationLine[]>;
  byConsentReference(reference: string, limit: number): Promise<GenerationLine[]>;
  byUpstreamId(taskId: string, limit: number): Promise<GenerationLine[]>;
  /** The generation that an Agenda job is of. */
  byJobId(jobId: string): Promise<string | null>;
  /** Accounts with a key that ends so. */
  byLastFour(lastFour: string, limit: number): Promise<Account[]>;
  ofAccount(accountId: string, limit: number): Promise<GenerationLine[]>;
  /** The newest that fit; looks at a bounded number for each page. @param before Of the page before. */
  list(filter: LineFilter, before: string | null, limit: number): Promise<LinePage>;
  /** The newest ends since a time (ms since the epoch), `limit` of them at most. */
  ends(since: number, limit: number): Promise<EndedPoint[]>;
  /** When unfinished generations were created, in ms since the epoch, of `limit` at most. */
  openSince(limit: number): Promise<number[]>;
  /** Generations whose id or request id begins so. */
  linesFrom(by: 'id' | 'requestId', start: string, limit: number): Promise<GenerationLine[]>;
  /** Accounts whose id or address, or one of whose keys' id or key itself, begins so. */
  accountsFrom(
    by: 'id' | 'email' | 'keyId' | 'key',
    start: string,
    limit: number,
  ): Promise<Account[]>;
  /** Ledger entries that name a generation. */
  entriesOf(generationId: string): Promise<LedgerEntry[]>;
  job(generationId: string): Promise<JobLine | null>;
  hostRequests(limit: number): Promise<HostRequest[]>;
  /** Submissions of unknown outcome that are not resolved, the newest first. */
  unresolved(limit: number): Promise<GenerationLine[]>;
}

/** Reads what attempts cost, of the generations that ended on the day (UTC) that begins at this time. */
export type FindCostLines = (dayStart: number) => Promise<CostLine[]>;

/** Writes of staff outside the shared use cases. No method touches status or credits. */
export interface StaffWrites {
  /** Notes how an unknown outcome was resolved; false when it was resolved before. */
  resolve(generationId: string, resolution: Resolution, what: string): Promise<boolean>;
  /** Marks the outputs as deleted from now on; false when they are already, or there are none. */
  markTakenDown(generationId: string, nowMs: number, what: string): Promise<boolean>;
  /** Adds a line to the timeline. */
  note(generationId: string, nowMs: number, what: string): Promise<void>;
  /** Removes what else is kept of an account: sessions, mailed questions, uses of its keys. */
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
