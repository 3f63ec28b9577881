import { takeCredits, type Lot, type LotMovement } from './credits.ts';
import { takeToken, type TokenBucket, type TokenTaken } from './rateLimit.ts';

/** What an account may do at once and per minute; each is settable per account. */
export interface Limits {
  /** Creates a minute; refused ones count, replays are free. */
  createsPerMinute: number;
  /** Creates at once. */
  burst: number;
  /** Generations that run at a time. */
  running: number;
  /** Generations that may wait as `queued` beyond those. */
  waiting: number;
  statusReadsPerMinute: number;
  otherReadsPerMinute: number;
}

/** The limits of an account without settings of its own. */
export const defaultLimits: Limits = {
  createsPerMinute: 60,
  burst: 10,
  running: 10,
  waiting: 200,
  statusReadsPerMinute: 600,
  otherReadsPerMinute: 120,
};

/** How people name and set one limit. */
export interface LimitRule {
  limit: keyof Limits;
  /** In LIMITS_FILE and in the output of commands; their flags have hyphens instead. */
  name: string;
  /** In the staff console. */
  label: string;
  min: number;
}

/** Every limit, in the order in which people see them. */
export const limitRules: readonly LimitRule[] = [
  { limit: 'createsPerMinute', name: 'creates_per_minute', label: 'Creates per minute', min: 1 },
  { limit: 'burst', name: 'burst', label: 'Creates at once', min: 1 },
  { limit: 'running', name: 'running', label: 'Running at a time', min: 1 },
  { limit: 'waiting', name: 'waiting', label: 'Waiting at a time', min: 0 },
  {
    limit: 'statusReadsPerMinute',
    name: 'status_reads_per_minute',
    label: 'Status reads per minute',
    min: 1,
  },
  {
    limit: 'otherReadsPerMinute',
    name: 'other_reads_per_minute',
    label: 'Other reads per minute',
    min: 1,
  },
];

/** The largest value that a limit can be set to. */
export const maxLimit = 1_000_000_000;

/** Whether an input host works for a key: asked for by its owner, approved or refused by staff. */
export interface KeyHost {
  /** Exact host or `*.suffix`. */
  rule: string;
  state: 'requested' | 'approved' | 'refused';
}

/** An API key as stored: never the key itself. Times in ms since the epoch. */
export interface ApiKey {
  id: string;
  name: string;
  /** HMAC of the key under the pepper of this version. */
  hash: string;
  pepperVersion: string;
  /** What it begins with: `fg_live_`, and six more characters of keys made since those are kept. */
  prefix: string;
  lastFour: string;
  /** Models that it may use; null means all. */
  models: string[] | null;
  hosts: KeyHost[];
  createdAt: number;
  /** When it stopped working, or will: a rotated key works on until then. */
  revokedAt: number | null;
  /** The key that was made in its place. */
  replacedBy?: string;
  /** Credits that it may spend on one day (UTC); without it there is no limit. */
  dailyCredits?: number;
  /** What it has spent on the last day on which it spent; kept only under a daily limit. */
  spent?: { day: number; credits: number };
}

/**
 * A customer: wallet, keys and counts in one document, so that they are checked and changed
 * together, in one guarded write. `version` grows with each change; a write names the version that it read.
 */
export interface Account {
  id: string;
  version: number;
  email: string;
  passwordHash: string | null;
  verified: boolean;
  staffRole: 'support' | 'admin' | null;
  status: 'active' | 'suspended';
  /** Settings of its own; what is missing takes the operator's default. */
  limits: Partial<Limits>;
  keys: ApiKey[];
  lots: Lot[];
  /** Entries in the ledger; the next one's number is one more. */
  ledgerEntries: number;
  /** Credits that unfinished generations were charged. */
  inFlightCredits: number;
  /** Unfinished generations that have a place to run. */
  running: number;
  /** Unfinished generations that wait for one. */
  waiting: number;
  createBucket: TokenBucket | null;
  createdAt: number;
}

/** The account's limits: its own where it has some, else the operator's. */
export function limitsOf(account: Pick<Account, 'limits'>, defaults: Limits): Limits {
  return { ...defaults, ...account.limits };
}

/** Whether a key works at this moment. */
export function isLive(key: Pick<ApiKey, 'revokedAt'>, nowMs: number): boolean {
  return key.revokedAt === null || key.revokedAt > nowMs;
}

/** A key that works no longer, from now on at the latest. */
export function endKey(key: ApiKey, nowMs: number): ApiKey {
  return { ...key, revokedAt: Math.min(key.revokedAt ?? nowMs, nowMs) };
}

/** A key of the account that works; null when there is none of this id. */
export function liveKey(
  account: Pick<Account, 'keys'>,
  keyId: string,
  nowMs: number,
): ApiKey | null {
  return account.keys.find((key) => key.id === keyId && isLive(key, nowMs)) ?? null;
}

/**
 * What the account's own site may use (channel `pc`): every model, and the input hosts that are
 * approved for one of its live keys or that the operator approves for all accounts.
 */
export function siteRequester(
  account: Pick<Account, 'keys'>,
  autoApproved: readonly string[],
  nowMs: number,
): Pick<ApiKey, 'models' | 'hosts'> & { mayUpload: true } {
  const own = account.keys.filter((key) => isLive(key, nowMs)).flatMap(({ hosts }) => hosts);
  const asked = autoApproved.map((rule): KeyHost => ({ rule, state: 'approved' }));
  return { models: null, hosts: [...own, ...asked], mayUpload: true };
}

/** Takes one create from the account's allowance. */
export function takeCreate(account: Account, limits: Limits, nowMs: number): TokenTaken {
  const rate = { perMinute: limits.createsPerMinute, burst: limits.burst };
  return takeToken(account.createBucket, rate, nowMs);
}

/** What a create does to the account, or the rule that it breaks. */
export type Admission =
  | { ok: false; code: 'concurrency_limited' | 'insufficient_credits' }
  | {
      ok: true;
      account: Account;
      /** Whether it has a place to run at once; otherwise it waits. */
      runs: boolean;
      movements: LotMovement[];
    };

/**
 * Charges a generation and gives it a place: to run while fewer than `limits.running` do and none
 * waits before it, else to wait.
 */
export function admitGeneration(
  account: Account,
  costCredits: number,
  limits: Limits,
  nowMs: number,
): Admission {
  const runs = account.waiting === 0 && account.running < limits.running;
  if (!runs && account.running + account.waiting >= limits.running + limits.waiting) {
    return { ok: false, code: 'concurrency_limited' };
  }
  const change = takeCredits(account.lots, costCredits, nowMs);
  if (change === null) return { ok: false, code: 'insufficient_credits' };
  return {
    ok: true,
    runs,
    movements: change.movements,
    account: {
      ...account,
      lots: change.lots,
      inFlightCredits: account.inFlightCredits + costCredits,
      ledgerEntries: account.ledgerEntries + 1,
      running: account.running + (runs ? 1 : 0),
      waiting: account.waiting + (runs ? 0 : 1),
    },
  };
}
