import {
  type Account,
  type Admission,
  admitGeneration,
  takeCreate,
} from '../../../domain/accounts/account.ts';
import { countDailySpending, leftToday } from '../../../domain/accounts/keyLimits.ts';
import type { Limits } from '../../../domain/accounts/limits.ts';
import { availableCredits } from '../../../domain/credits/credits.ts';
import {
  countMonthlySpending,
  formatMonthEnd,
  type MonthlyExcess,
  payingKey,
} from '../../../domain/credits/monthlyLimits.ts';
import { type Generation, untouched } from '../../../domain/generations/generation.ts';
import type { Payment } from '../../../domain/generations/order.ts';
import { rateLimitHeaders } from '../../../domain/network/rateLimit.ts';
import type { TraceContext } from '../../../domain/network/traceContext.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { CheckedRequest } from './checkRequest.ts';

/** A charge: the account after it, the lots that paid, and whether the generation can run immediately. */
export type AdmittedOrder = Extract<Admission, { ok: true }> & Pick<Payment, 'monthCounted'>;

/** Who is charged within an account. */
export interface Spender {
  /** Null for the account's own site, where create requests count against no key. */
  keyId: string | null;
  /** The person who creates at the site with their own account; absent for a key and for the operator's product. */
  personId?: string | undefined;
}

/**
 * Counts one create request against the account's rate limit.
 * @returns The account after it.
 * @throws Refusal `rate_limited`.
 */
export function countCreate(account: Account, limits: Limits, nowMs: number): Account {
  const result = takeCreate(account, limits, nowMs);
  if (result.ok) return { ...account, createBucket: result.bucket };
  const { retryAfterSeconds } = result;
  const quota = { quota: limits.createsPerMinute, windowSeconds: 60 };
  throw new Refusal('rate_limited', {
    retryAfterSeconds,
    headers: rateLimitHeaders('create', quota, retryAfterSeconds),
  });
}

/**
 * Gives a generation a slot in its account and charges it to the account and its key.
 * @throws Refusal `concurrency_limited`, `insufficient_credits` or `key_limit_reached`.
 */
export function chargeAccount(
  account: Account,
  by: Spender,
  costCredits: number,
  limits: Limits,
  nowMs: number,
): AdmittedOrder {
  const { keyId } = by;
  const admission = admitGeneration(account, costCredits, limits, nowMs);
  if (!admission.ok) {
    throw admission.code === 'insufficient_credits'
      ? insufficientCreditsRefusal(account, costCredits, nowMs)
      : concurrencyRefusal(limits);
  }
  const countedAccount =
    keyId === null
      ? admission.account
      : countDailySpending(admission.account, keyId, costCredits, nowMs);
  if (countedAccount === null) throw keyLimitRefusal(account, keyId, costCredits, nowMs);
  const maker = account.keys.find(({ id }) => id === keyId)?.madeBy?.id;
  const memberId = by.personId ?? maker ?? null;
  const month = countMonthlySpending(countedAccount, { keyId, memberId }, costCredits, nowMs);
  if (!month.ok) throw monthlyLimitRefusal(month.excess, costCredits, nowMs);
  return {
    ...admission,
    account: month.account,
    ...(month.counted && { monthCounted: month.counted }),
  };
}

/** Names the monthly limit, the remaining credits and the reset: a cheaper generation may still fit. */
function monthlyLimitRefusal(
  { holderKind, monthlyCredits, left }: MonthlyExcess,
  costCredits: number,
  nowMs: number,
): Refusal {
  const holder = holderKind === 'key' ? 'This API key' : 'This member of the team';
  return new Refusal('key_limit_reached', {
    message: `${holder} can spend ${monthlyCredits} credits per month and has ${left} left until the month ends (${formatMonthEnd(nowMs)}); this generation costs ${costCredits}. Ask an account owner for a higher limit, or wait until next month.`,
  });
}

function insufficientCreditsRefusal(
  { lots }: Account,
  costCredits: number,
  nowMs: number,
): Refusal {
  const credits = { required: costCredits, available: availableCredits(lots, nowMs) };
  return new Refusal('insufficient_credits', { credits });
}

function concurrencyRefusal({ running, waiting }: Limits): Refusal {
  const retryAfterSeconds = 10;
  const headers = rateLimitHeaders('in-flight', { quota: running + waiting }, retryAfterSeconds);
  return new Refusal('concurrency_limited', { retryAfterSeconds, headers });
}

/** Names the key's daily limit and the remaining credits: a cheaper generation may still fit. */
function keyLimitRefusal(
  account: Account,
  keyId: string | null,
  costCredits: number,
  nowMs: number,
): Refusal {
  const key = payingKey(account, keyId);
  const left = (key && leftToday(key, nowMs)) ?? 0;
  return new Refusal('key_limit_reached', {
    message: `This API key can spend ${key?.dailyCredits ?? 0} credits per day and has ${left} left today (UTC); this generation costs ${costCredits}. Raise the limit in your account settings, or wait until the next day.`,
  });
}

/** Version of the real-person rules, stored with each use of the mode. */
const policyVersion = '2026-11-01';

/** The origin of a generation. */
export interface OrderOrigin {
  id: string;
  accountId: string;
  channel: 'api' | 'pc';
  keyId: string | null;
  madeBy?: string;
  requestId: string;
  callerAddress: string;
  trace?: TraceContext;
}

/** A request and the source of its price. */
export type PricedRequest = CheckedRequest & {
  catalogueVersion: number;
  priceGroup: string | null;
};

/** Builds a charged generation that runs or waits. Pure. */
export function buildGeneration(
  origin: OrderOrigin,
  request: PricedRequest,
  admission: Pick<AdmittedOrder, 'canRun' | 'movements' | 'monthCounted'>,
  nowMs: number,
  waitingDeadlineMs: number,
): Generation {
  const deadlineAt = nowMs + waitingDeadlineMs;
  const { callerAddress, ...owner } = origin;
  return {
    ...owner,
    type: request.type,
    model: request.model,
    mode: request.mode,
    prompt: request.prompt,
    inputs: request.inputs,
    parameters: request.parameters,
    realPerson:
      request.consentReference === null
        ? null
        : { consentReference: request.consentReference, policyVersion, callerAddress },
    costCredits: request.costCredits,
    catalogueVersion: request.catalogueVersion,
    ...(request.priceGroup !== null && { priceGroup: request.priceGroup }),
    ...untouched,
    ...(admission.monthCounted && { monthCounted: admission.monthCounted }),
    charge: admission.movements,
    status: 'queued',
    step: admission.canRun ? 'ready' : 'waiting',
    createdAt: nowMs,
    deadlineAt,
    dueAt: admission.canRun ? nowMs : deadlineAt,
    storedInputs: null,
    attempts: [],
    outputs: [],
    replay: null,
    timeline: [{ at: nowMs, what: admission.canRun ? 'accepted' : 'accepted, waiting for a slot' }],
  };
}
