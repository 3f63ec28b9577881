import type { TeamRole } from './teamRoles.ts';

/** A monthly limit in credits and the count under it; a key and a member of a team can have one. */
export interface MonthlyLimit {
  /** Credits that may be spent per UTC calendar month; no limit if absent. */
  monthlyCredits?: number;
  /** Credits spent in the last month with spending; counted only under a limit. */
  monthSpent?: { month: number; credits: number };
}

/** The counts that a charge has raised, for its refund to lower. */
export interface MonthCounted {
  month: number;
  keyId: string | null;
  memberId: string | null;
}

/** Somebody who acts for an account that is not their own. */
export interface Member extends MonthlyLimit {
  /** Id of the person's own account, which keeps the password, the second factor and the sessions. */
  id: string;
  /** Their address when they joined. */
  email: string;
  role: TeamRole;
  /** Ms since the epoch. */
  joinedAt: number;
}

/** An open invitation to a team. Times in ms since the epoch. */
export interface TeamInvitation {
  /** Hash of the link's token. */
  id: string;
  /** The invited address. Only its verified owner can join. */
  email: string;
  role: TeamRole;
  sentAt: number;
  until: number;
}

/** Who made a key; absent for keys of the account's own person and of the operator. */
export interface KeyMaker {
  id: string;
  /** The address, shortened if it is long; empty once the person is erased. */
  email: string;
}
