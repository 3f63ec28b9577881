import type { Status } from '../states.ts';
import type { GenerationRecord } from '../wire.ts';
import type { EventTypeName } from './eventTypes.ts';
import type { LimitName, LotKind } from './limits.ts';

/** Limits of an account by their names on the wire. */
export type OperatorLimits = Record<LimitName, number>;

/** An account as the operator API answers it. */
export interface OperatorAccount {
  id: string;
  object: 'account';
  /** The operator's own id of the customer. */
  external_id: string | null;
  email: string;
  email_verified: boolean;
  status: 'active' | 'suspended';
  /** The group whose prices it has; null for the usual ones. */
  group: string | null;
  limits: OperatorLimits;
  created_at: string;
}

/** Body of a create. */
export interface CreateAccountBody {
  external_id?: string;
  email: string;
  email_verified?: boolean;
  group?: string;
}

/** Body of an upsert. */
export type UpsertAccountBody = Omit<CreateAccountBody, 'external_id' | 'group'>;

/** Body of a change of the group. */
export interface ChangeGroupBody {
  group: string | null;
  reason?: string;
}

/** Body of writes that take only a reason, for the audit log. */
export interface ReasonBody {
  reason?: string;
}

/** Body of a sign-in link. */
export interface SignInLinkBody extends ReasonBody {
  return_to?: string;
}

/** A link that signs a customer in to the site. */
export interface SignInLinkAnswer {
  id: string;
  object: 'sign_in_link';
  account_id: string;
  /** Null in a repeated answer once the link does not work any more. */
  url: string | null;
  return_to: string | null;
  expires_at: string;
}

/** A lot of credits. */
export interface OperatorLot {
  id: string;
  kind: string;
  amount: number;
  remaining: number;
  expires_at: string | null;
  created_at: string;
}

/** The credits of an account. */
export interface AccountCredits {
  object: 'account_credits';
  account_id: string;
  unit: 'credits';
  available: number;
  in_flight: number;
  lots: OperatorLot[];
  as_of: string;
}

/** Body of a grant. */
export interface GrantBody {
  amount: number;
  kind: LotKind;
  expires_at?: string | null;
  reason?: string;
  reference?: string;
}

/** Body of an adjustment. */
export interface AdjustBody {
  amount: number;
  reason: string;
  reference?: string;
  generation_id?: string;
}

/** An entry of the ledger. */
export interface OperatorLedgerEntry {
  id: string;
  object: 'ledger_entry';
  account_id: string;
  number: number;
  kind: string;
  amount: number;
  movements: { lot_id: string; kind: string; amount: number; expires_at: string | null }[];
  generation_id: string | null;
  reason: string | null;
  reference: string | null;
  created_at: string;
}

/** One page of a list. */
export interface Page<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  /** Where the next page begins. */
  next: string | null;
}

/** Query of a list. */
export interface PageQuery {
  after?: string;
  limit?: number;
}

/** Query of the list of accounts. */
export interface AccountQuery extends PageQuery {
  external_id?: string;
  email?: string;
}

/** Credits that an account gets each month. */
export interface OperatorPlan {
  id: string;
  object: 'plan';
  account_id: string;
  name: string;
  credits: number;
  started_at: string;
  months: number;
  next_at: string | null;
  ended_at: string | null;
}

/** Body of a start of a plan. */
export interface StartPlanBody extends ReasonBody {
  name: string;
  credits: number;
  starts_at?: string;
}

/** Body of a change of a plan. */
export type ChangePlanBody = Partial<Pick<StartPlanBody, 'name' | 'credits'>> & ReasonBody;

/** Body of a new API key. */
export interface CreateKeyBody {
  name: string;
  models?: string[];
  hosts?: string[];
  daily_credits?: number;
}

/** Body of a rotation. */
export interface RotateKeyBody extends ReasonBody {
  overlap_seconds?: number;
}

/** Body of an approval. */
export interface ApproveHostBody extends ReasonBody {
  host: string;
}

/** An API key of a customer. */
export interface OperatorApiKey {
  id: string;
  object: 'api_key';
  account_id: string;
  name: string;
  starts: string;
  ends: string;
  works: boolean;
  models: string[] | null;
  hosts: { host: string; state: string }[];
  daily_credits: number | null;
  created_at: string;
  revoked_at: string | null;
  replaced_by: string | null;
  /** Only in the first answer of its making. */
  api_key?: string;
}

/** Body of a quote. */
export interface QuoteBody {
  model: string;
  parameters?: object;
}

/** The price of a create. */
export interface OperatorQuote {
  object: 'quote';
  account_id: string;
  model: string;
  unit: 'credits';
  cost_credits: number;
  parameters: object;
}

/** A generation: the record of the public API, and whose it is. */
export type OperatorGeneration = GenerationRecord & {
  account_id: string;
  channel: 'api' | 'pc';
  key_id: string | null;
  mode: string | null;
  prompt: string;
};

/** Query of the list of an account's generations. */
export interface GenerationQuery extends PageQuery {
  status?: Status;
  model?: string;
  channel?: 'api' | 'pc';
  key_id?: string;
  from?: string;
  until?: string;
}

/** Body of writes that must say why. */
export interface RequiredReasonBody {
  reason: string;
}

/** Query of the events. */
export interface EventQuery extends PageQuery {
  wait_seconds?: number;
}

/** An event of an account. */
export interface OperatorEvent {
  id: string;
  object: 'event';
  type: EventTypeName;
  account_id: string | null;
  created_at: string;
  ledger_entry?: OperatorLedgerEntry;
  generation?: OperatorGeneration;
  key?: { id: string; replaces: string | null; works_until: string | null };
  low_credits?: { balance: number; threshold: number };
  expiring_lots?: { id: string; remaining: number; expires_at: string }[];
  delivery?: {
    generation_id: string;
    differences: { in: string; ordered: string; delivered: string; gross: boolean }[];
  };
  plan?: OperatorPlan;
  provider?: { name: string; part: string; part_name: string | null; rests_until: string | null };
}

/** A version of models and prices. */
export interface CatalogueVersion {
  object: 'catalogue_version';
  version: number;
  in_force: boolean;
  from: string;
  published_at: string;
  published_by: string;
  from_file: boolean;
  hash: string;
  models: string[];
  groups: string[];
}

/** Query of a report. */
export interface ReportQuery {
  from: string;
  to: string;
  by: string;
}

/** A row of a report. */
export interface UsageRow {
  day: string | null;
  account_id: string | null;
  model: string | null;
  generations: number;
  completed: number;
  failed: number;
  charged_credits: number;
  refunded_credits: number;
  credits: number;
  revenue: string | null;
  costs: { currency: string; amount: string }[];
  unknown_costs: number;
  margin: string | null;
}

/** A report of usage and margin. */
export interface UsageReport {
  object: 'usage_report';
  from: string;
  to: string;
  currency: string | null;
  rows: UsageRow[];
}
