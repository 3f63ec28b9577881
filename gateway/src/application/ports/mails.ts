import type { Account } from '../../domain/accounts/account.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import type { StaffAction } from '../../domain/staff/staffRights.ts';
import type { TeamRole } from '../../domain/teams/teamRoles.ts';
import type { Language } from '../../domain/text/language.ts';
import type { Confirmation } from './site.ts';

/* Emails: the values that a use case provides, and their form in the queue. */

/** A code, and the confirmation that it answers. */
interface CodeValues {
  code: string;
  confirmationId: string;
}

/** When something was done, and from which address. */
interface TimeAndAddress {
  at: number;
  address: string;
}

type Team = Pick<Account, 'teamName' | 'email'>;

/** An invitation to a team; its token opens the page. */
interface TeamInvited {
  by: string;
  team: Team;
  role: TeamRole;
  accountId: string;
  token: string;
}

/** Credits that one admin asks another to confirm. */
interface Move {
  by: string;
  action: StaffAction;
  credits: number;
  accountId: string;
}

/** An email that staff send to a customer. */
interface FromStaff {
  /** A paragraph by the sender; may be empty. */
  note: string;
}

/** Each kind of email with the values of its text and links. Times are in ms since the epoch. */
export interface MailValues extends Record<Confirmation['purpose'], CodeValues> {
  /** Sent to an address that someone wanted to use for another account. */
  emailTaken: object;
  /** Sent to the owner of an account, after a sign-up with its address. */
  accountExists: object;
  invited: CodeValues;
  emailChanged: { at: number };
  passwordChanged: TimeAndAddress;
  /** `browser` is its User-Agent. */
  newBrowser: TimeAndAddress & { browser: string };
  factorOn: TimeAndAddress;
  factorOff: TimeAndAddress;
  factorRemoved: object;
  newCodes: TimeAndAddress;
  recoveryUsed: TimeAndAddress & { left: number };
  wrongCodes: { count: number };
  /** `name` is that of the site whose accounts sign in; null if it is unknown. */
  wayLinked: TimeAndAddress & { name: string | null };
  wayUnlinked: TimeAndAddress & { name: string | null };
  keyMade: { name: string; lastFour: string };
  keyReplaced: { name: string; lastFour: string };
  keyRevoked: { name: string; lastFour: string };
  hostApproved: { name: string; rule: string; keyId: string };
  hostRefused: { name: string; rule: string; keyId: string };
  videoFinished: { title: string; id: string };
  videoFailed: { title: string; id: string };
  imageFinished: { title: string; id: string };
  imageFailed: { title: string; id: string };
  /** Several ends: their counts, some of them by title, and the number of the others. */
  ends: { finished: number; failed: number; named: readonly NamedEnd[]; rest: number };
  /** Files that will be deleted on a day. */
  files: { count: number; day: number };
  low: { credits: number; limit: number };
  expiry: { credits: number; day: number };
  erasureRequest: { at: number };
  erasureRequestedByUs: { at: number };
  erasureSoon: { at: number };
  teamInvite: TeamInvited;
  /** Sent to a person without an account, with a code that creates one. */
  teamInviteNew: TeamInvited & CodeValues;
  teamJoined: { email: string; role: TeamRole };
  teamRemoved: { by: string; team: Team };
  teamLeft: { email: string; count: number };
  troubleOver: FromStaff;
  creditsGiven: FromStaff;
  idNeeded: FromStaff;
  keyExposed: FromStaff;
  reply: FromStaff;
  passkeyAdded: TimeAndAddress & { name: string };
  consoleCodes: { email: string; count: number };
  moveAsked: Move;
  moveConfirmed: Move;
}

/** A kind of email. */
export type MailKind = keyof MailValues;

/** A generation that ended. */
export interface NamedEnd {
  title: string;
  status: Generation['status'];
}

/** The values of an email; its wording is in the texts. */
export type MailContent = {
  [Kind in MailKind]: { kind: Kind; values: MailValues[Kind] };
}[MailKind];

interface MailOptions {
  /** How long it is useful, in ms; it is not sent later. */
  validMs?: number;
  /**
   * There is no recipient. It is stored like any other email, so that response times do not reveal that, and removed
   * once it would no longer be useful. It contains no address.
   */
  isDecoy?: boolean;
}

/** An email. Its language is by default that of the person whose request sends it. */
export type Mail = MailContent & MailOptions & { to: string; language?: Language | undefined };

/** Sends an email, or hands it to a queue that will. */
export type SendMail = (mail: Mail) => Promise<void>;

/** An email in its final form: the same wording as text and as HTML. */
export interface WrittenMail extends MailOptions {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The page that the email links to. It contains no secret, so logs may show it. */
  link: string;
}

/** Sends an email in its final form. */
export type SendWritten = (mail: WrittenMail) => Promise<void>;

/** Makes an email in the queue's form, for use cases that write it together with other data. */
export type PrepareMail = (mail: Mail) => QueuedMail;

/** A queued email. Times in ms since the epoch. */
export interface QueuedMail {
  id: string;
  to: string;
  subject: string;
  /** The text, encrypted. */
  sealed: string;
  /** The text as HTML, encrypted. */
  sealedHtml: string;
  attempts: number;
  createdAt: number;
  nextAttemptAt: number;
  /** When it stops being useful. */
  validUntil: number;
  /** When its record is removed. */
  goneAt: number;
  /** The mail server's response to the last attempt. */
  problem?: string;
  /** Never due and never shown. */
  isDecoy?: boolean;
}

/** An undelivered email as staff see it. */
export type UndeliveredMail = Omit<QueuedMail, 'sealed' | 'sealedHtml' | 'nextAttemptAt'> & {
  givenUpAt?: number;
};

/** Queued emails. */
export interface MailStore {
  insert(mail: QueuedMail): Promise<void>;
  /** Longest due first. */
  findDue(nowMs: number, limit: number): Promise<QueuedMail[]>;
  /** Counts an attempt and leases the email until a time; null if another process was faster. */
  acquireLease(mail: QueuedMail, untilMs: number): Promise<QueuedMail | null>;
  remove(id: string): Promise<void>;
  putOff(id: string, untilMs: number, problem: string): Promise<void>;
  /** Removes the text; the rest stays visible to staff. */
  giveUp(id: string, problem: string): Promise<void>;
  /** Newest first, without decoys. */
  findUndelivered(limit: number): Promise<UndeliveredMail[]>;
}

/** The outcome of an attempt to send an email. */
export type MailOutcome = 'sent' | 'failed' | 'given_up';

/**
 * Passes an email to the mail server. `problem` consists of codes, without text or address; retrying does not help
 * against a final one.
 */
export type DeliverMail = (
  mail: Pick<WrittenMail, 'to' | 'subject' | 'text' | 'html'> & { id: string },
) => Promise<{ ok: true } | { ok: false; isFinal: boolean; problem: string }>;
