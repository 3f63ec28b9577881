import type { LotKind } from './limits.ts';
import type { ReasonBody } from './wire.ts';

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
  request_id: string;
  created_at: string;
  hash: string;
  position: number | null;
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
