import type { TeamRole } from './teamRoles.ts';

/** A monthly limit in credits and its count, for a key or a team member. */
export interface MonthlyLimit {
  /** Credits that may be spent per UTC calendar month; unlimited if absent. */
  monthlyCredits?: number;
  /** Credits spent in the last month with spending; counted only under a limit. */
  monthSpent?: { month: number; credits: number };
}

/** The counts raised by a charge, for its refund to lower. */
export interface MonthCounted {
  month: number;
  keyId: string | null;
  memberId: string | null;
}

/** A person who acts for another's account. */
export interface Member extends MonthlyLimit {
  /** Id of the person's own account, which keeps the password, the second factor and the sessions. */
  id: string;
  /** The member's address at the time of joining. */
  email: string;
  role: TeamRole;
  /** Time in ms since the epoch. */
  joinedAt: number;
  /** `mailboxMark` of the address; absent if the member was never added with one. */
  mailbox?: string;
}

/** A person who has left a team. Their limit and its count still apply to their keys, and to them if they return. */
export interface FormerMember extends MonthlyLimit {
  id: string;
  /** The last role: keys that it barred stay barred. */
  role: TeamRole;
  /** `mailboxMark` of the address, which identifies the person under the id of another account. */
  mailbox?: string;
  /** Time in ms since the epoch. */
  leftAt: number;
}

/** An open invitation to a team. Times in ms since the epoch. */
export interface TeamInvitation extends Pick<MonthlyLimit, 'monthlyCredits'> {
  /** Hash of the link's token. */
  id: string;
  /** The invited address. Only its verified owner can join. */
  email: string;
  role: TeamRole;
  sentAt: number;
  until: number;
}

/** The maker of a key; absent for keys of the account's owner and of the operator. */
export interface KeyMaker {
  id: string;
  /** The address, shortened if long; empty once the person is erased. */
  email: string;
}
