/* Ports of the staff console. */

import type { Refusal } from '../../domain/refusal.ts';
import type { PasskeyProblem } from '../../domain/signIn/passkey.ts';
import type { AuditEntry, AuditOutcome } from '../../domain/staff/auditEntry.ts';
import type { StaffAction } from '../../domain/staff/staffRights.ts';
import type { CustomerFactorStore, SessionStore } from './site.ts';
import type { StoredResolution } from './staffQueries.ts';

/** The audit log. Entries are only added; each outcome is written once. */
export interface AuditLog {
  /** @throws DuplicateValueError if the form already took effect. */
  begin(entry: AuditEntry): Promise<void>;
  /** Writes the outcome of an entry that has `begun`. @param createdIds Ids of created records. */
  finish(
    entryId: string,
    outcome: AuditOutcome,
    result: string | Refusal,
    createdIds?: readonly string[],
  ): Promise<void>;
  /** The entries of these requests, by request id; requests without one are left out. */
  findByRequests(requestIds: readonly string[]): Promise<Map<string, AuditEntry>>;
  /** Entries since a time (ms since the epoch), oldest first. */
  listSince(sinceMs: number): AsyncIterable<AuditEntry>;
  /**
   * The newest entries, or those before the entry `before`.
   * @param term An id of a target or of staff, an email address of staff, an action or a request id.
   */
  search(term: string | null, before: string | null, limit: number): Promise<AuditEntry[]>;
}

/** A second factor and its enrolment link. */
export interface SecondFactor {
  /** The account's id. */
  id: string;
  /** The secret shared with its app, encrypted; null without an app. */
  secret: string | null;
  /** The last time step whose code was used; each code works once. */
  lastStep: number;
  /** Hash of the token of an open enrolment link, or null. */
  linkHash: string | null;
  linkUntil: number;
  /** Whether the link also sets the password, for an account that never had a known one. */
  setsPassword: boolean;
}

/** Second factors of staff. */
export interface SecondFactorStore {
  find(accountId: string): Promise<SecondFactor | null>;
  /** Opens an enrolment link, replacing an earlier one; a current factor keeps working. */
  openLink(
    accountId: string,
    link: Pick<SecondFactor, 'linkHash' | 'linkUntil' | 'setsPassword'>,
  ): Promise<void>;
  /** The owner of an open link, by database time. */
  findByLink(linkHash: string): Promise<SecondFactor | null>;
  /**
   * Consumes the link and stores the secret in one step; false if it was used or has expired.
   * @param secret Null for none: a passkey was enrolled instead.
   */
  enrol(linkHash: string, secret: string | null, lastStep: number): Promise<boolean>;
  useStep: CustomerFactorStore['useStep'];
}

/** A passkey of a staff member. Times in ms since the epoch. */
export interface Passkey {
  /** Id of the credential, in base64url. */
  id: string;
  accountId: string;
  /** Name for the passkey's owner, who may have several. */
  name: string;
  /** The public key (COSE), in base64url. */
  publicKey: string;
  /** The count of uses that it reported last; 0 for one that does not count. */
  counter: number;
  createdAt: number;
  lastUsedAt: number | null;
}

/** Passkeys of staff. */
export interface PasskeyStore {
  find(passkeyId: string): Promise<Passkey | null>;
  list(accountId: string): Promise<Passkey[]>;
  /** False if the credential is registered already, for anyone. */
  insert(passkey: Passkey): Promise<boolean>;
  /** Notes a use with its counter; false if it did not go up, where it counts, or the passkey is gone. */
  use(passkeyId: string, counter: number): Promise<boolean>;
  remove(passkeyId: string): Promise<void>;
  /** Removes all passkeys of an account but one. */
  removeOthers(accountId: string, keptId: string | null): Promise<void>;
}

/** Reads responses of passkeys: their form, signature, origin, site, user verification and counter. */
export interface PasskeyReader {
  /** The id of the credential that a response names, not yet verified; null for text of another form. */
  idOf(response: string): string | null;
  /** @param takes Takes the challenge: it is ours, for this use, and was not used before. */
  readMade(
    response: string,
    takes: (challenge: string) => Promise<boolean>,
  ): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'> | { problem: PasskeyProblem }>;
  readUsed(
    response: string,
    takes: (challenge: string) => Promise<boolean>,
    passkey: Pick<Passkey, 'id' | 'publicKey' | 'counter'>,
  ): Promise<Pick<Passkey, 'counter'> | { problem: PasskeyProblem }>;
}

/** An action awaiting a second staff member. Times in ms since the epoch. */
export interface Proposal {
  id: string;
  at: number;
  expiresAt: number;
  action: StaffAction;
  /** Last part of the page's path. */
  slug: string;
  targetId: string;
  /** Fields of its form except the reason. */
  fields: [string, string][];
  reason: string;
  /** Id of the requester's account. */
  accountId: string;
  email: string;
}

/** Open proposals; expired ones are excluded. */
export interface ProposalStore {
  insert(proposal: Proposal): Promise<void>;
  find(proposalId: string): Promise<Proposal | null>;
  remove(proposalId: string): Promise<void>;
  /** Oldest first. */
  list(limit: number): Promise<Proposal[]>;
}

/** A session of the console. Times in ms since the epoch, database time. */
export interface StaffSession {
  /** Hash of the cookie's value. */
  id: string;
  accountId: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
}

/** Sessions of the console, separate from those of the account site. */
export type StaffSessionStore = Omit<SessionStore<StaffSession>, 'keep' | 'actFor'>;

/** Writes by staff outside the shared use cases. None changes status or credits. */
export interface StaffWrites {
  /** Records the resolution of an unknown outcome; false if it was already resolved. */
  resolve(generationId: string, resolution: StoredResolution, what: string): Promise<boolean>;
  /** Marks the outputs as deleted and their files as due for upkeep; false if they already are, or there are none. */
  markTakenDown(generationId: string, nowMs: number, what: string): Promise<boolean>;
  /** Adds a line to the timeline. */
  record(generationId: string, nowMs: number, what: string): Promise<void>;
}

/** Time-based one-time codes (RFC 6238: SHA-1, 30 s, six digits), as in authenticator apps. */
export interface Totp {
  /** A secret in base32. */
  encode(secret: Uint8Array): string;
  /** The `otpauth:` URL for a QR code. */
  setupUrl(secret: string, email: string): string;
  /**
   * The time step of a code; null if it is wrong or not after `afterStep`. Adjacent steps are accepted: people type
   * slowly, and clocks differ.
   */
  check(secret: string, code: string, nowMs: number, afterStep: number): number | null;
}

/** Job states as computed by Agenda. */
export const jobStates = [
  'running',
  'scheduled',
  'queued',
  'completed',
  'failed',
  'repeating',
] as const;
/** A job's state. */
export type JobState = (typeof jobStates)[number];

/** Jobs of one name by state; `paused` ones are also counted under their state. */
export type JobCounts = Record<JobState | 'total' | 'paused', number> & { name: string };

/** A job as Agenda stores it, with its state. */
export type JobDocument = Record<string, unknown> & { _id: string; name: string; state: JobState };

/** Queries of the page of jobs, answered in the database however many jobs there are. */
export interface JobQueries {
  countByKind(): Promise<JobCounts[]>;
  /** @param question.search An id of a generation or job, or part of a job's name. */
  listPage(question: {
    name?: string | undefined;
    /** Restricts the page to upkeep's jobs, or to the others. */
    isOfUpkeep?: boolean;
    state?: JobState | undefined;
    search?: string | undefined;
    skip: number;
    limit: number;
  }): Promise<{ jobs: JobDocument[]; total: number }>;
}
