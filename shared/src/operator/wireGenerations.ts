import type { Status } from '../states.ts';
import type { GenerationRecord } from '../wire.ts';
import type { EventTypeName } from './eventTypes.ts';
import type { PageQuery } from './wire.ts';
import type { OperatorLedgerEntry, OperatorPlan } from './wireCredits.ts';

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

/** A generation: the record of the public API, plus its owner. */
export type OperatorGeneration = GenerationRecord & {
  account_id: string;
  channel: 'api' | 'pc';
  key_id: string | null;
  made_by: string | null;
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

/** Query of the events. */
export interface EventQuery extends PageQuery {
  wait_seconds?: number;
}

/** An event of an account. */
export interface OperatorEvent {
  id: string;
  object: 'event';
  position: number;
  type: EventTypeName;
  account_id: string | null;
  created_at: string;
  ledger_entry?: OperatorLedgerEntry;
  generation?: OperatorGeneration;
  key?: {
    id: string;
    replaces: string | null;
    made_by: string | null;
    works_until: string | null;
  };
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
