import { type Lot, type LotMovement, takeCredits } from '../credits/credits.ts';
import type { Plan } from '../credits/plan.ts';
import { takeToken, type TakeTokenResult, type TokenBucket } from '../network/rateLimit.ts';
import type { StaffRole } from '../staff/staffRights.ts';
import type { FormerMember, Member, TeamInvitation } from '../teams/members.ts';
import type { ApiKey } from './apiKey.ts';
import type { Limits } from './limits.ts';

/** A person at a sign-in provider. Times in ms since the epoch. */
export interface Identity {
  issuer: string;
  subject: string;
  linkedAt: number;
}

/**
 * A customer. Wallet, keys and counts share one document so that a single guarded write checks and changes them
 * together. Each change increments `version`, and each write names the version that it read.
 */
export interface Account {
  id: string;
  version: number;
  email: string;
  passwordHash: string | null;
  isVerified: boolean;
  /** The operator's own customer id, unique; null without one. */
  externalId: string | null;
  /** The group whose prices apply (MODELS_FILE); null for the default prices. */
  group: string | null;
  /** People at sign-in providers who may sign in; absent before the first. */
  identities?: Identity[];
  staffRole: StaffRole | null;
  status: 'active' | 'suspended';
  /** Own limits; the operator's defaults apply to the others. */
  limits: Partial<Limits>;
  keys: ApiKey[];
  lots: Lot[];
  /** Number of ledger entries; the next entry gets this number plus one. */
  ledgerEntries: number;
  /** Hash of the last ledger entry; null before the first one. */
  ledgerHash: string | null;
  /** Credits charged for unfinished generations. */
  inFlightCredits: number;
  /** Unfinished generations that have a slot. */
  running: number;
  /** Unfinished generations waiting for a slot. */
  waiting: number;
  createBucket: TokenBucket | null;
  /** People who act for the account besides its own person; absent before the first. */
  members?: Member[];
  /** People who were members and whose limits still count (team.ts); absent before the first one. */
  formerMembers?: FormerMember[];
  /** Pending invitations to join; absent before the first. */
  invitations?: TeamInvitation[];
  /**
   * Ids of the accounts that this person joined, noted before joining; those accounts decide whether the person still
   * belongs to them. Absent before the first.
   */
  teams?: string[];
  /** The name that its members see; empty or absent without one. */
  teamName?: string;
  /** Whether members need a second factor to act in it; absent before it was first set. */
  teamNeedsFactor?: boolean;
  /** The latest password reset, and the time at which its person chose the access to keep; absent before the first. */
  recovery?: Recovery;
  /** Whether it is suspended only by its erasure, or was active when erased; absent otherwise. */
  isStoppedToErase?: boolean;
  /** The latest requested erasure; absent before the first. */
  erasureRequest?: ErasureRequest;
  /** The latest request for credits; absent before the first. */
  creditRequest?: CreditRequest;
  /** The latest plan, running or ended; absent before the first. */
  plan?: Plan;
  /** Lots that expire by then have been announced; absent before the first. */
  expiryNotifiedUntil?: number;
  createdAt: number;
}

/** An erasure requested by the account's own person or an operator key. Times in ms since the epoch. */
export interface ErasureRequest {
  /** The requesting operator key; absent for the account's own person. */
  by?: { keyId: string; name: string };
  requestedAt: number;
  /**
   * When the account is erased, or when that is retried while generations are unfinished; null once withdrawn or done.
   */
  dueAt: number | null;
  /** When the person gets the reminder; null afterwards. */
  remindAt: number | null;
}

/** A customer's request for credits: open until credits come in or staff decline it. */
export interface CreditRequest {
  /** Account id of the person who asked. */
  by: string;
  /** Time in ms since the epoch. */
  askedAt: number;
  /** Credits missing for the order that the person tried to create; absent if unknown. */
  missing?: number;
  /** A short message from the person; may be empty. */
  message: string;
  state: 'open' | 'granted' | 'declined';
}

/** A password reset. Times in ms since the epoch. */
export interface Recovery {
  since: number;
  /** Null until the account's person has chosen the access that others keep. */
  chosenAt: number | null;
}

/** Whether the account awaits that choice; no one else acts in it in the meantime. */
export const isRecovering = ({ recovery }: Pick<Account, 'recovery'>): boolean =>
  recovery?.chosenAt === null;

/** Takes one create request from the account's rate limit. */
export function takeCreate(account: Account, limits: Limits, nowMs: number): TakeTokenResult {
  const rate = { perMinute: limits.createsPerMinute, burst: limits.burst };
  return takeToken(account.createBucket, rate, nowMs);
}

/**
 * The account after a create request, whose charge is still to be booked, or the rule that the create request breaks.
 */
export type Admission =
  | { ok: false; code: 'concurrency_limited' | 'insufficient_credits' }
  | {
      ok: true;
      account: Account;
      /** Whether the generation can run immediately; otherwise it waits. */
      canRun: boolean;
      movements: LotMovement[];
    };

/**
 * Charges a generation and gives it a slot. It runs if fewer than `limits.running` are running and none is
 * waiting; otherwise it waits.
 */
export function admitGeneration(
  account: Account,
  costCredits: number,
  limits: Limits,
  nowMs: number,
): Admission {
  const canRun = account.waiting === 0 && account.running < limits.running;
  if (!canRun && account.running + account.waiting >= limits.running + limits.waiting) {
    return { ok: false, code: 'concurrency_limited' };
  }
  const change = takeCredits(account.lots, costCredits, nowMs);
  if (change === null) return { ok: false, code: 'insufficient_credits' };
  return {
    ok: true,
    canRun,
    movements: change.movements,
    account: {
      ...account,
      lots: change.lots,
      inFlightCredits: account.inFlightCredits + costCredits,
      running: account.running + (canRun ? 1 : 0),
      waiting: account.waiting + (canRun ? 0 : 1),
    },
  };
}
