/* Generated from the gateway's contract by "npm run generate": do not edit. */

import type {
  Billing,
  CreateImageBody,
  CreateVideoBody,
  GenerationError,
  ImageParameters,
  Output,
  VideoParameters,
} from '../../generated/wire.ts';

export interface CreateAccountBody {
  /** Your own id of the customer, unique among all accounts. */
  external_id?: string;

  /** Compared without regard to case; each account has its own. */
  email: string;

  /** Whether you know that the address belongs to the customer; false if absent. Without it, the customer confirms the address when signing in to the site. */
  email_verified?: boolean;

  /** The group of MODELS_FILE or ROUTES_FILE whose prices and routes the account has; null for the usual ones. */
  group?: string;
}

export interface UpsertAccountBody {
  /** Compared without regard to case; each account has its own. */
  email: string;

  /** Whether you know that the address belongs to the customer; false if absent. Without it, the customer confirms the address when signing in to the site. */
  email_verified?: boolean;
}

export interface ReasonBody {
  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface ChangeLimitsBody {
  creates_per_minute?: number;
  burst?: number;
  running?: number;
  waiting?: number;
  status_reads_per_minute?: number;
  other_reads_per_minute?: number;
}

export interface ChangeGroupBody {
  /** The group of MODELS_FILE or ROUTES_FILE whose prices and routes the account has; null for the usual ones. */
  group: string | null;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface CreateSignInLinkBody {
  /** The page of the site that opens after the sign-in; the studio if absent. */
  return_to?: string;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface GrantBody {
  amount: number;
  kind: 'promotional' | 'subscription' | 'purchased';

  /** When the rest of the credits expires; never if absent or null. */
  expires_at?: string | null;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;

  /** Your own id of their occasion, such as a payment. Credits are booked once under a reference, whatever the Idempotency-Key. */
  reference?: string;
}

export interface AdjustBody {
  /** Positive gives, negative takes. It never takes more than the balance. */
  amount: number;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason: string;

  /** Your own id of their occasion, such as a payment. Credits are booked once under a reference, whatever the Idempotency-Key. */
  reference?: string;

  /** The generation that the adjustment is about. */
  generation_id?: string;
}

export interface StartPlanBody {
  /** Your name of the plan, which the ledger shows to the customer. */
  name: string;

  /** Credits of each month, from the next one on. */
  credits: number;

  /** When its first month begins, within the next year; now if absent. */
  starts_at?: string;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface ChangePlanBody {
  /** Your name of the plan, which the ledger shows to the customer. */
  name?: string;

  /** Credits of each month, from the next one on. */
  credits?: number;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface CreateKeyBody {
  name: string;

  /** Models that the key may use; all if absent or empty. */
  models?: string[];

  /** Input hosts, approved at once. */
  hosts?: string[];

  /** Credits that the key may spend per day (UTC); no limit if absent. */
  daily_credits?: number;

  /** Credits that the key may spend per calendar month (UTC); no limit if absent. */
  monthly_credits?: number;
}

export interface RotateKeyBody {
  /** How long the former key still works; a day (86,400) if absent. */
  overlap_seconds?: number;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface ApproveHostBody {
  /** A host name, or *.suffix for all names below it. */
  host: string;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface SetMemberBody {
  /** The person's own account. */
  member_account_id: string;

  /** An owner may do everything; a member creates, sees the work, manages own keys, and deletes and publishes own work; an editor also what others made; billing sees credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';

  /** Credits that the member may spend per calendar month (UTC), at the site and by keys that they made; null for no limit. If absent, a known limit stays, also that of a person who comes back. */
  monthly_credits?: number | null;

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface RemoveMemberBody {
  /** What becomes of keys that they made: `keep` (the default) lets them work on within the member’s limit. */
  keys?: 'keep' | 'revoke';

  /** Why, for the audit log and, with credits, for the ledger. */
  reason?: string;
}

export interface QuoteBody {
  model: string;

  /** As in a create; missing values take the defaults. */
  parameters?: Record<string, unknown>;
}

export interface RequiredReasonBody {
  /** Why, for the audit log and, with credits, for the ledger. */
  reason: string;
}

export interface OperatorLimits {
  creates_per_minute: number;
  burst: number;
  running: number;
  waiting: number;
  status_reads_per_minute: number;
  other_reads_per_minute: number;
}

export interface OperatorAccount {
  id: string;
  object: 'account';
  external_id: string | null;
  email: string;
  email_verified: boolean;
  status: 'active' | 'suspended';

  /** The group of MODELS_FILE or ROUTES_FILE whose prices and routes the account has; null for the usual ones. */
  group: string | null;
  limits: OperatorLimits;
  created_at: string;
}

export interface AccountList {
  object: 'list';
  data: OperatorAccount[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface OperatorErasure {
  object: 'erasure';
  account_id: string;

  /** `scheduled` until it begins; only then can it be `withdrawn`. */
  state: 'scheduled' | 'withdrawn' | 'erasing' | 'erased';

  /** false until everything is gone. */
  erased: boolean;

  /** While scheduled. */
  begins_at: string | null;

  /** null before it begins. */
  started_at: string | null;
  done_at: string | null;

  /** The last nightly search of all data that found nothing more; null before. */
  checked_at: string | null;

  /** What was removed so far, by kind; `generations` lost their prompts and files. */
  counts: { kind: string; count: number }[];
}

export interface SignInLinkAnswer {
  id: string;
  object: 'sign_in_link';
  account_id: string;

  /** Send the browser of the customer there, and nobody else: whoever opens it can sign in. null in a repeated answer once the link was used or its minute is over. */
  url: string | null;
  return_to: string | null;

  /** A minute after the link was made. */
  expires_at: string;
}

export interface OperatorLot {
  id: string;
  kind: 'promotional' | 'subscription' | 'purchased';

  /** Credits that the lot was given; equal grants add up in one lot. */
  amount: number;
  remaining: number;
  expires_at: string | null;
  created_at: string;
}

export interface AccountCredits {
  object: 'account_credits';
  account_id: string;
  unit: 'credits';

  /** Credits that can be spent now. */
  available: number;

  /** Charges of unfinished generations, already taken from available. */
  in_flight: number;

  /** In the order in which they are spent. */
  lots: OperatorLot[];
  as_of: string;
}

export interface LotMovement {
  lot_id: string;
  kind: 'promotional' | 'subscription' | 'purchased';
  amount: number;
  expires_at: string | null;
}

export interface OperatorLedgerEntry {
  /** Of this entry alone, also after a restore of the database. */
  id: string;
  object: 'ledger_entry';
  account_id: string;

  /** 1, 2, 3 … for each account, without gaps. */
  number: number;
  kind: 'grant' | 'charge' | 'refund' | 'expiry' | 'adjustment';

  /** The sum of the movements; negative where taken. */
  amount: number;
  movements: LotMovement[];
  generation_id: string | null;
  reason: string | null;

  /** Yours, if the entry was made with one. */
  reference: string | null;

  /** The request that made it. */
  request_id: string;
  created_at: string;

  /** SHA-256 of this entry and of the hash before it, which proves a copy. */
  hash: string;

  /** Its place in the feeds; null where the entry was read otherwise. */
  position: number | null;
}

export interface LedgerPage {
  object: 'list';
  data: OperatorLedgerEntry[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** Always there: keep it, and ask with it for later entries. */
  next: string | null;
}

export interface OperatorPlan {
  id: string;
  object: 'plan';
  account_id: string;
  name: string;

  /** Of each month, from the next one on. */
  credits: number;

  /** When its first month began or begins. */
  started_at: string;

  /** Months whose credits were granted. */
  months: number;

  /** When the next credits come; null once it has ended. */
  next_at: string | null;
  ended_at: string | null;
}

export interface KeyHost {
  host: string;
  state: 'requested' | 'approved' | 'refused';
}

export interface OperatorApiKey {
  id: string;
  object: 'api_key';
  account_id: string;
  name: string;

  /** The start of the key, for people. */
  starts: string;

  /** Its last four characters. */
  ends: string;

  /** Whether the key works now. */
  works: boolean;

  /** null for all models. */
  models: string[] | null;
  hosts: KeyHost[];
  daily_credits: number | null;
  monthly_credits: number | null;

  /** The own account of the member of the team who made it; null for the account's own person and for you. */
  made_by: string | null;
  created_at: string;

  /** From when on it does not work; in the future after a rotation. */
  revoked_at: string | null;
  replaced_by: string | null;

  /** The key itself, only in the first answer of its making: it is stored nowhere, so that a replay has none. If you lose it, rotate the key. */
  api_key?: string;
}

export interface ApiKeyList {
  object: 'list';
  data: OperatorApiKey[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null: all keys are in one page. */
  next: string | null;
}

export interface OperatorMember {
  /** The person's own account. */
  id: string;
  object: 'member';
  account_id: string;

  /** Their address when they joined. */
  email: string;

  /** An owner may do everything; a member creates, sees the work, manages own keys, and deletes and publishes own work; an editor also what others made; billing sees credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';
  monthly_credits: number | null;
  joined_at: string;
}

export interface MemberList {
  object: 'list';
  data: OperatorMember[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null: all members are in one page. */
  next: string | null;
}

export interface OperatorQuote {
  object: 'quote';
  account_id: string;
  model: string;
  unit: 'credits';
  cost_credits: number;

  /** The effective values, without a seed. */
  parameters: Record<string, unknown>;
}

export interface OperatorGeneration {
  id: string;
  object: 'generation';
  type: 'video' | 'image';
  model: string;

  /** queued, then processing, then completed or failed; a queued one may fail at once. completed and failed are final. */
  status: 'queued' | 'processing' | 'completed' | 'failed';

  /** Where to poll. */
  status_url: string;

  /** Seconds to wait before the next poll; only while queued or processing, also sent as Retry-After. */
  retry_after_seconds?: number;
  created_at: string;

  /** When it ended; only when completed or failed. */
  completed_at?: string;

  /** The values used, defaults and the seed included. */
  parameters: VideoParameters | ImageParameters;
  billing: Billing;

  /** Only when completed. */
  output?: Output;

  /** Only when failed. */
  error?: GenerationError;
  account_id: string;
  channel: 'api' | 'pc';
  key_id: string | null;

  /** The own account of the person who made it at the site; null for keys and for you. */
  made_by: string | null;

  /** null for images. */
  mode: string | null;

  /** Empty once it has been removed. */
  prompt: string;
}

export interface GenerationList {
  object: 'list';
  data: OperatorGeneration[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null at the end. A page may be short, or empty, before that: ask on. */
  next: string | null;
}

export interface CatalogueVersion {
  object: 'catalogue_version';

  /** 1, 2, 3 … */
  version: number;

  /** Whether its models and prices hold now. */
  in_force: boolean;

  /** When it began or begins. */
  from: string;
  published_at: string;

  /** The process that published it. */
  published_by: string;

  /** Whether it is from a file of yours. */
  from_file: boolean;

  /** Of the settings that it was made from. */
  hash: string;

  /** The ids of its models. */
  models: string[];

  /** The groups with prices of their own. */
  groups: string[];
}

export interface CatalogueVersionList {
  object: 'list';
  data: CatalogueVersion[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface KeyOfEvent {
  id: string;

  /** The key whose place it takes, if any. */
  replaces: string | null;

  /** Of a new key: the own account of the member of the team who made it, if any. */
  made_by: string | null;

  /** Of a revoked key: in the future where another one replaces it. */
  works_until: string | null;
}

export interface LowCredits {
  balance: number;

  /** LOW_CREDITS, which the balance fell below. */
  threshold: number;
}

export interface ExpiringLot {
  id: string;
  remaining: number;
  expires_at: string;
}

export interface Difference {
  /** size, ratio, length, sound, files, type, flat, still, equal or rate. */
  in: string;
  ordered: string;
  delivered: string;

  /** Whether it does not match the order. */
  gross: boolean;
}

export interface Delivery {
  /** A failed one was refunded; a completed one has reached the customer. */
  generation_id: string;
  differences: Difference[];
}

export interface ProviderOfEvent {
  /** Its name in ROUTES_FILE. */
  name: string;

  /** Whether all of it is meant, one of its models, keys or file hosts, or its daily budget. */
  part: 'provider' | 'model' | 'key' | 'files' | 'budget';

  /** Of the model, key or file host. */
  part_name: string | null;

  /** When it is tried again; null once it is in service. */
  rests_until: string | null;
}

export interface OperatorEvent {
  /** The same whenever the event is read. */
  id: string;
  object: 'event';

  /** Its place in the feed. */
  position: number;
  type:
    | 'credits.granted'
    | 'credits.charged'
    | 'credits.refunded'
    | 'credits.expired'
    | 'credits.adjusted'
    | 'credits.low'
    | 'credits.expiring'
    | 'generation.completed'
    | 'generation.failed'
    | 'generation.not_as_ordered'
    | 'key.created'
    | 'key.revoked'
    | 'plan.started'
    | 'plan.changed'
    | 'plan.ended'
    | 'provider.closed_off'
    | 'provider.in_service';

  /** null for an event of a provider. */
  account_id: string | null;
  created_at: string;

  /** Of an event about credits: the entry of the ledger. */
  ledger_entry?: OperatorLedgerEntry;

  /** Of the end of a generation: its record as it is now. */
  generation?: OperatorGeneration;

  /** Of an event about an API key. */
  key?: KeyOfEvent;

  /** Of credits.low. */
  low_credits?: LowCredits;

  /** Of credits.expiring: lots that expire within a week and hold credits. */
  expiring_lots?: ExpiringLot[];

  /** Of generation.not_as_ordered: how the result differs from the order. */
  delivery?: Delivery;

  /** Of an event about a plan: as the change left it. */
  plan?: OperatorPlan;

  /** Of an event about a provider. */
  provider?: ProviderOfEvent;
}

export interface EventPage {
  object: 'list';
  data: OperatorEvent[];

  /** Whether the next page has something now. */
  has_more: boolean;

  /** Always there: keep it, and ask with it for later events. */
  next: string | null;
}

export interface Cost {
  currency: string;
  amount: string;
}

export interface UsageRow {
  day: string | null;
  account_id: string | null;
  model: string | null;

  /** Those that ended on these days. */
  generations: number;
  completed: number;
  failed: number;
  charged_credits: number;
  refunded_credits: number;

  /** Charged less refunded. */
  credits: number;

  /** The credits at CREDIT_VALUE; null without that setting. */
  revenue: string | null;

  /** Certain and possible charges of the providers, by currency. */
  costs: Cost[];

  /** Attempts whose cost is not known. */
  unknown_costs: number;

  /** Revenue less costs; null where a cost is unknown or in another currency. */
  margin: string | null;
}

export interface UsageReport {
  object: 'usage_report';
  from: string;
  to: string;

  /** Of revenue and margin. */
  currency: string | null;
  rows: UsageRow[];
}

export interface FeedRestored {
  /** The cursor from which to read again. */
  after: string;

  /** What you hold with a higher position was lost, or has another one now. */
  position: number;
}

export interface OperatorBodies {
  createAccount: CreateAccountBody;
  upsertAccount: UpsertAccountBody;
  suspendAccount: ReasonBody;
  resumeAccount: ReasonBody;
  changeLimits: ChangeLimitsBody;
  eraseAccount: ReasonBody;
  withdrawErasure: ReasonBody;
  changeGroup: ChangeGroupBody;
  createSignInLink: CreateSignInLinkBody;
  grantCredits: GrantBody;
  adjustCredits: AdjustBody;
  startPlan: StartPlanBody;
  changePlan: ChangePlanBody;
  endPlan: ReasonBody;
  createKey: CreateKeyBody;
  rotateKey: RotateKeyBody;
  revokeKey: ReasonBody;
  approveHost: ApproveHostBody;
  setMember: SetMemberBody;
  removeMember: RemoveMemberBody;
  quote: QuoteBody;
  createVideo: CreateVideoBody;
  createImage: CreateImageBody;
  failGeneration: RequiredReasonBody;
  takeDownGeneration: RequiredReasonBody;
}

export interface OperatorQueries {
  listAccounts: {
    /** Finds the account with this external id. */
    external_id?: string;

    /** Finds the account with this e-mail address. */
    email?: string;

    /** The next of an earlier page of the same list; without it the list begins. */
    after?: string;

    /** How many; 100 if absent. */
    limit?: number;
  };
  listAccountLedger: {
    /** The next of an earlier page of the same list; without it the list begins. */
    after?: string;

    /** How many; 100 if absent. */
    limit?: number;
  };
  listLedger: {
    /** The next of an earlier page of the same list; without it the list begins. */
    after?: string;

    /** How many; 100 if absent. */
    limit?: number;
  };
  listGenerations: {
    status?: 'queued' | 'processing' | 'completed' | 'failed';
    model?: string;

    /** api for the public API, pc for your product and the site. */
    channel?: 'api' | 'pc';

    /** Made with this API key. */
    key_id?: string;

    /** Created then or later. */
    from?: string;

    /** Created before. */
    until?: string;

    /** The next of an earlier page of the same list; without it the list begins. */
    after?: string;

    /** How many; 100 if absent. */
    limit?: number;
  };
  listCatalogueVersions: {
    /** The next of an earlier page of the same list; without it the list begins. */
    after?: string;

    /** How many; 100 if absent. */
    limit?: number;
  };
  listEvents: {
    /** The next of an earlier page of the same list; without it the list begins. */
    after?: string;

    /** How many; 100 if absent. */
    limit?: number;

    /** How long to wait where there is no event yet; without it the answer comes at once. */
    wait_seconds?: number;
  };
  getUsage: {
    /** The first day (UTC). */
    from: string;

    /** The last day (UTC), inclusive: 31 days at most. */
    to: string;

    /** The dimensions by which the rows are split. */
    by:
      | 'day'
      | 'account'
      | 'model'
      | 'day,account'
      | 'day,model'
      | 'account,model'
      | 'day,account,model';
  };
  getUsageCsv: {
    /** The first day (UTC). */
    from: string;

    /** The last day (UTC), inclusive: 31 days at most. */
    to: string;

    /** The dimensions by which the rows are split. */
    by:
      | 'day'
      | 'account'
      | 'model'
      | 'day,account'
      | 'day,model'
      | 'account,model'
      | 'day,account,model';
  };
}
