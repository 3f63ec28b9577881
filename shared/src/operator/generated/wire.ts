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
  /** Your ID for the customer, unique across all accounts. */
  external_id?: string;

  /** Case-insensitive and unique across all accounts. */
  email: string;

  /** Whether you have verified that the address belongs to the customer. Defaults to false: the customer then confirms the address when signing in to the site. */
  email_verified?: boolean;

  /** The group in MODELS_FILE or ROUTES_FILE whose prices and routes apply; null for the defaults. */
  group?: string;
}

export interface UpsertAccountBody {
  /** Case-insensitive and unique across all accounts. */
  email: string;

  /** Whether you have verified that the address belongs to the customer. Defaults to false: the customer then confirms the address when signing in to the site. */
  email_verified?: boolean;
}

export interface ReasonBody {
  /** The reason, recorded in the audit log and, for credits, in the ledger. */
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
  /** The group in MODELS_FILE or ROUTES_FILE whose prices and routes apply; null for the defaults. */
  group: string | null;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface CreateSignInLinkBody {
  /** The site page to open after sign-in. Defaults to the studio. */
  return_to?: string;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface GrantBody {
  amount: number;
  kind: 'promotional' | 'subscription' | 'purchased';

  /** When remaining credits expire; never if absent or null. */
  expires_at?: string | null;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;

  /** Your ID for the transaction, such as a payment. Credits are booked only once per reference, regardless of the Idempotency-Key. */
  reference?: string;
}

export interface AdjustBody {
  /** Positive to add, negative to remove credits. At most the balance can be removed. */
  amount: number;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason: string;

  /** Your ID for the transaction, such as a payment. Credits are booked only once per reference, regardless of the Idempotency-Key. */
  reference?: string;

  /** The generation to which the adjustment relates. */
  generation_id?: string;
}

export interface StartPlanBody {
  /** Your name for the plan, shown to the customer in the ledger. */
  name: string;

  /** Credits per month, effective from the next month. */
  credits: number;

  /** When the first month begins, at most one year ahead. Defaults to now. */
  starts_at?: string;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface ChangePlanBody {
  /** Your name for the plan, shown to the customer in the ledger. */
  name?: string;

  /** Credits per month, effective from the next month. */
  credits?: number;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface CreateKeyBody {
  name: string;

  /** Models that the key may use; all if absent or empty. */
  models?: string[];

  /** Input hosts, approved immediately. */
  hosts?: string[];

  /** Credits that the key may spend per day (UTC); no limit if absent. */
  daily_credits?: number;

  /** Credits that the key may spend per calendar month (UTC); no limit if absent. */
  monthly_credits?: number;
}

export interface RotateKeyBody {
  /** How long the previous key keeps working. Defaults to one day (86,400). */
  overlap_seconds?: number;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface ApproveHostBody {
  /** A host name, or *.suffix for all of its subdomains. */
  host: string;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface SetMemberBody {
  /** ID of the person's personal account. */
  member_account_id: string;

  /** owner can do everything. member can create, view all work, manage their own keys, and delete and publish their own work. editor can also delete and publish the work of others. billing can view credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';

  /** Credits that the member may spend per calendar month (UTC) on the site and with keys they created; null for no limit. If omitted, an existing limit is kept, even for a person who rejoins. */
  monthly_credits?: number | null;

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface RemoveMemberBody {
  /** Whether keys they created are kept or revoked: with `keep` (the default), keys continue to work within the member's limit. */
  keys?: 'keep' | 'revoke';

  /** The reason, recorded in the audit log and, for credits, in the ledger. */
  reason?: string;
}

export interface QuoteBody {
  model: string;

  /** Same as for a create request; defaults apply to missing values. */
  parameters?: Record<string, unknown>;
}

export interface RequiredReasonBody {
  /** The reason, recorded in the audit log and, for credits, in the ledger. */
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

  /** The group in MODELS_FILE or ROUTES_FILE whose prices and routes apply; null for the defaults. */
  group: string | null;
  limits: OperatorLimits;
  created_at: string;
}

export interface AccountList {
  object: 'list';
  data: OperatorAccount[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface OperatorErasure {
  object: 'erasure';
  account_id: string;

  /** `scheduled` until it begins, and can be withdrawn only until then; `erased` when everything has been removed. */
  state: 'scheduled' | 'withdrawn' | 'erasing' | 'erased';

  /** When a scheduled erasure begins. */
  begins_at: string | null;

  /** null until it begins. */
  started_at: string | null;
  done_at: string | null;

  /** When a nightly search of all data last confirmed that nothing remains; null until then. */
  checked_at: string | null;

  /** Number of items removed so far, by kind. `generations` counts those whose prompts and files were removed. */
  counts: { kind: string; count: number }[];
}

export interface SignInLinkResponse {
  id: string;
  object: 'sign_in_link';
  account_id: string;

  /** Redirect only the customer's browser to it: whoever opens the link can sign in. null in a replay once the link has been used or has expired. */
  url: string | null;
  return_to: string | null;

  /** One minute after creation. */
  expires_at: string;
}

export interface OperatorLot {
  id: string;
  kind: 'promotional' | 'subscription' | 'purchased';

  /** Total credits granted to the lot; grants of the same kind and expiry share a lot. */
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

  /** Charges of unfinished generations, already deducted from available. */
  in_flight: number;

  /** In spending order. */
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
  /** Unique, even after a database restore. */
  id: string;
  object: 'ledger_entry';
  account_id: string;

  /** 1, 2, 3 … per account, without gaps. */
  number: number;
  kind: 'grant' | 'charge' | 'refund' | 'expiry' | 'adjustment';

  /** Sum of the movements; negative if credits were removed. */
  amount: number;
  movements: LotMovement[];
  generation_id: string | null;
  reason: string | null;

  /** Your reference, if one was given. */
  reference: string | null;

  /** The request that created the entry. */
  request_id: string;
  created_at: string;

  /** SHA-256 of this entry and the previous hash, to verify copies. */
  hash: string;

  /** Position in the feeds; null if the entry was not read from a feed. */
  position: number | null;
}

export interface LedgerPage {
  object: 'list';
  data: OperatorLedgerEntry[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always present. Store it to request later entries. */
  next: string | null;
}

export interface OperatorPlan {
  id: string;
  object: 'plan';
  account_id: string;
  name: string;

  /** Credits per month, effective from the next month. */
  credits: number;

  /** When the first month began or begins. */
  started_at: string;

  /** Number of months for which credits were granted. */
  months: number;

  /** When the next credits are granted; null once the plan has ended. */
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

  /** The first characters of the key, for recognition. */
  starts: string;

  /** Its last four characters. */
  ends: string;

  /** Whether the key currently works. */
  works: boolean;

  /** null for all models. */
  models: string[] | null;
  hosts: KeyHost[];
  daily_credits: number | null;
  monthly_credits: number | null;

  /** The personal account of the team member who created it; null if created by the account holder or by you. */
  made_by: string | null;
  created_at: string;

  /** When the key stops working; in the future after a rotation. */
  revoked_at: string | null;
  replaced_by: string | null;

  /** The key itself. Returned once, at creation; replays omit it. If you lose it, rotate the key. */
  api_key?: string;
}

export interface ApiKeyList {
  object: 'list';
  data: OperatorApiKey[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always null: all keys fit on one page. */
  next: string | null;
}

export interface OperatorMember {
  /** ID of the person's personal account. */
  id: string;
  object: 'member';
  account_id: string;

  /** Email address at the time of joining. */
  email: string;

  /** owner can do everything. member can create, view all work, manage their own keys, and delete and publish their own work. editor can also delete and publish the work of others. billing can view credits. */
  role: 'owner' | 'editor' | 'member' | 'billing';
  monthly_credits: number | null;
  joined_at: string;
}

export interface MemberList {
  object: 'list';
  data: OperatorMember[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always null: all members fit on one page. */
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

  /** queued, then processing, then completed or failed; a queued generation may fail directly. completed and failed are final. */
  status: 'queued' | 'processing' | 'completed' | 'failed';

  /** URL to poll. */
  status_url: string;

  /** Seconds to wait before the next poll; only while queued or processing, also sent as Retry-After. */
  retry_after_seconds?: number;
  created_at: string;

  /** When it ended; only when completed or failed. */
  completed_at?: string;

  /** The effective values, including defaults and the seed. */
  parameters: VideoParameters | ImageParameters;
  billing: Billing;

  /** Only when completed. */
  output?: Output;

  /** Only when failed. */
  error?: GenerationError;
  account_id: string;
  channel: 'api' | 'pc';
  key_id: string | null;

  /** The personal account of the person who created it on the site; null if created with a key or by you. */
  made_by: string | null;

  /** null for images. */
  mode: string | null;

  /** Empty once removed. */
  prompt: string;
}

export interface GenerationList {
  object: 'list';
  data: OperatorGeneration[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Pages may be short or empty; continue until next is null. */
  next: string | null;
}

export interface CatalogueVersion {
  object: 'catalogue_version';

  /** 1, 2, 3 … */
  version: number;

  /** Whether its models and prices apply now. */
  in_force: boolean;

  /** When it took or takes effect. */
  from: string;
  published_at: string;

  /** The process that published it. */
  published_by: string;

  /** Whether it was loaded from one of your files. */
  from_file: boolean;

  /** Hash of the settings it was created from. */
  hash: string;

  /** IDs of its models. */
  models: string[];

  /** Groups that have their own prices. */
  groups: string[];
}

export interface CatalogueVersionList {
  object: 'list';
  data: CatalogueVersion[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** null at the end of the list. */
  next: string | null;
}

export interface KeyOfEvent {
  id: string;

  /** The key that this key replaces, if any. */
  replaces: string | null;

  /** For a new key: the personal account of the team member who created it, if any. */
  made_by: string | null;

  /** For a revoked key: when it stops working, which is in the future if another key replaces it. */
  works_until: string | null;
}

export interface LowCredits {
  balance: number;

  /** The value of LOW_CREDITS that the balance fell below. */
  threshold: number;
}

export interface ExpiringLot {
  id: string;
  remaining: number;
  expires_at: string;
}

export interface Difference {
  /** The aspect that differs: size, ratio, length, sound, files (their number), type, flat (one flat colour), still (a video that never moves), equal (identical images) or rate (too few frames per second). */
  in: string;
  ordered: string;
  delivered: string;

  /** Whether the result does not match the order. */
  gross: boolean;
}

export interface Delivery {
  /** If failed, it was refunded; if completed, it was delivered to the customer. */
  generation_id: string;
  differences: Difference[];
}

export interface ProviderOfEvent {
  /** Its name in ROUTES_FILE. */
  name: string;

  /** The affected part: the whole provider, one of its models, keys or file hosts, or its daily budget. */
  part: 'provider' | 'model' | 'key' | 'files' | 'budget';

  /** Name of the model, key or file host. */
  part_name: string | null;

  /** When it is tried again; null once it is back in service. */
  open_until: string | null;
}

export interface OperatorEvent {
  /** Stays the same whenever the event is read. */
  id: string;
  object: 'event';

  /** Position in the feed. */
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
    | 'provider.circuit_open'
    | 'provider.circuit_closed';

  /** null for provider events. */
  account_id: string | null;
  created_at: string;

  /** For credit events: the ledger entry. */
  ledger_entry?: OperatorLedgerEntry;

  /** For the end of a generation: its current record. */
  generation?: OperatorGeneration;

  /** For API key events. */
  key?: KeyOfEvent;

  /** For credits.low. */
  low_credits?: LowCredits;

  /** For credits.expiring: lots with remaining credits that expire within a week. */
  expiring_lots?: ExpiringLot[];

  /** For generation.not_as_ordered: how the result differs from the order. */
  delivery?: Delivery;

  /** For plan events: the plan after the change. */
  plan?: OperatorPlan;

  /** For provider events. */
  provider?: ProviderOfEvent;
}

export interface EventPage {
  object: 'list';
  data: OperatorEvent[];

  /** Whether more items are available now. */
  has_more: boolean;

  /** Always present. Store it to request later events. */
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

  /** Generations that ended on these days. */
  generations: number;
  completed: number;
  failed: number;
  charged_credits: number;
  refunded_credits: number;

  /** Charged minus refunded credits. */
  credits: number;

  /** The value of the credits at CREDIT_VALUE; null without that setting. */
  revenue: string | null;

  /** Certain and possible provider charges, by currency. */
  costs: Cost[];

  /** Number of attempts with an unknown cost. */
  unknown_costs: number;

  /** Revenue minus costs; null if a cost is unknown or in another currency. */
  margin: string | null;
}

export interface UsageReport {
  object: 'usage_report';
  from: string;
  to: string;

  /** Currency of revenue and margin. */
  currency: string | null;
  rows: UsageRow[];
}

export interface FeedRestored {
  /** The cursor to resume from. */
  after: string;

  /** Discard records with a higher position: they were lost or have a new position. */
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
    /** Finds the account with this external ID. */
    external_id?: string;

    /** Finds the account with this email address. */
    email?: string;

    /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
    after?: string;

    /** Items per page; 100 by default. */
    limit?: number;
  };
  listAccountLedger: {
    /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
    after?: string;

    /** Items per page; 100 by default. */
    limit?: number;
  };
  listLedger: {
    /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
    after?: string;

    /** Items per page; 100 by default. */
    limit?: number;
  };
  listGenerations: {
    status?: 'queued' | 'processing' | 'completed' | 'failed';
    model?: string;

    /** api for the public API, pc for your product and the site. */
    channel?: 'api' | 'pc';

    /** Created with this API key. */
    key_id?: string;

    /** Created at this time or later. */
    from?: string;

    /** Created before this time. */
    until?: string;

    /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
    after?: string;

    /** Items per page; 100 by default. */
    limit?: number;
  };
  listCatalogueVersions: {
    /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
    after?: string;

    /** Items per page; 100 by default. */
    limit?: number;
  };
  listEvents: {
    /** The next value of an earlier page of the same list. Omit it to start from the beginning. */
    after?: string;

    /** Items per page; 100 by default. */
    limit?: number;

    /** Maximum wait if there is no new event. Without it, the response is immediate. */
    wait_seconds?: number;
  };
  getUsage: {
    /** The first day (UTC). */
    from: string;

    /** The last day (UTC), inclusive; at most 31 days in total. */
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

    /** The last day (UTC), inclusive; at most 31 days in total. */
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

export interface OperatorResponses {
  createAccount: OperatorAccount;
  upsertAccount: OperatorAccount;
  listAccounts: AccountList;
  getAccount: OperatorAccount;
  suspendAccount: OperatorAccount;
  resumeAccount: OperatorAccount;
  changeLimits: OperatorAccount;
  eraseAccount: OperatorErasure;
  withdrawErasure: OperatorErasure;
  getErasure: OperatorErasure;
  changeGroup: OperatorAccount;
  createSignInLink: SignInLinkResponse;
  getCredits: AccountCredits;
  grantCredits: OperatorLedgerEntry;
  adjustCredits: OperatorLedgerEntry;
  listAccountLedger: LedgerPage;
  listLedger: LedgerPage;
  getPlan: OperatorPlan;
  startPlan: OperatorPlan;
  changePlan: OperatorPlan;
  endPlan: OperatorPlan;
  createKey: OperatorApiKey;
  listKeys: ApiKeyList;
  rotateKey: OperatorApiKey;
  revokeKey: OperatorApiKey;
  approveHost: OperatorApiKey;
  listMembers: MemberList;
  setMember: OperatorMember;
  removeMember: OperatorMember;
  quote: OperatorQuote;
  createVideo: OperatorGeneration;
  createImage: OperatorGeneration;
  listGenerations: GenerationList;
  getGeneration: OperatorGeneration;
  failGeneration: OperatorGeneration;
  takeDownGeneration: OperatorGeneration;
  listCatalogueVersions: CatalogueVersionList;
  listEvents: EventPage;
  getUsage: UsageReport;
}
