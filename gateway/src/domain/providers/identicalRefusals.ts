import { minuteMs } from '@framegate/contract';
import { backoffMs } from '../time/backoff.ts';
import {
  type Breaker,
  type IdenticalRefusals,
  isPausedByStaff,
  maxFailures,
  openCircuit,
  type OpenReason,
  probeMs,
} from './breaker.ts';

/*
 * A route that refuses several consecutive orders in the same way, for a reason that no rule covers, probably refuses
 * the operator: its next orders wait. Orders of one account prove this only for that account, because a customer could
 * send bad ones on purpose.
 */

/** A refusal of an order for an unknown reason. */
export interface ProviderRefusal {
  said: string;
  generation: string;
  account: string;
}

/** Identical refusals after which orders wait. */
const maxIdentical = maxFailures;
/** Waits of a single account's orders; each failed probe doubles them. */
const holdPace = { firstMs: minuteMs, maxMs: 10 * minuteMs };

/**
 * The breaker of a route's model after a refusal for an unknown reason; null for no change.
 * @param reason Kept if it opens.
 */
export function afterRefusal(
  breaker: Breaker,
  { said: words, generation, account }: ProviderRefusal,
  nowMs: number,
  reason: OpenReason,
): Breaker | null {
  if (isPausedByStaff(breaker, nowMs)) return null;
  const before = breaker.identical?.said === words ? breaker.identical : null;
  const { orders = [], failedProbes = 0, holdsUntil = 0 } = before ?? {};
  const isKnown = orders.some((each) => each.generation === generation);
  const isProbe = breaker.openedAt !== null || holdsUntil > 0;
  if (isKnown && !isProbe) return null;
  const all = isKnown ? orders : ordersToKeep([...orders, { generation, account }]);
  const identical = { said: words, orders: all, holdsUntil: 0, failedProbes: 0 };
  if (all.length < maxIdentical) return { ...breaker, identical };
  if (accountsIn(all) > 1) {
    const failures = breaker.failures + 1;
    return openCircuit({ ...breaker, failures, identical }, failures - 1, nowMs, reason);
  }
  const holdMs = backoffMs(holdPace, failedProbes + 1);
  const holding = { ...identical, holdsUntil: nowMs + holdMs, failedProbes: failedProbes + 1 };
  return { ...breaker, identical: holding, reason };
}

/** The latest orders, with one of another account among them if there is any. */
function ordersToKeep(orders: IdenticalRefusals['orders']): IdenticalRefusals['orders'] {
  const latest = orders.slice(-maxIdentical);
  const other = orders.find(({ account }) => account !== latest.at(-1)?.account);
  return accountsIn(latest) === 1 && other ? [other, ...latest.slice(1)] : latest;
}

const accountsIn = (orders: IdenticalRefusals['orders']) =>
  new Set(orders.map(({ account }) => account)).size;

/** Whether a route's model holds back the orders of an account; `probe` allows a single taker (`takeAccountProbe`). */
export function holdsBack(
  breaker: Breaker,
  account: string,
  nowMs: number,
): 'yes' | 'probe' | 'no' {
  const { holdsUntil = 0, orders = [] } = breaker.identical ?? {};
  if (holdsUntil === 0 || orders.some((each) => each.account !== account)) return 'no';
  return holdsUntil > nowMs ? 'yes' : 'probe';
}

/** The breaker after a process took the probe of an account that is held back; null if there is none to take. */
export function takeAccountProbe(breaker: Breaker, account: string, nowMs: number): Breaker | null {
  if (holdsBack(breaker, account, nowMs) !== 'probe' || !breaker.identical) return null;
  return { ...breaker, identical: { ...breaker.identical, holdsUntil: nowMs + probeMs } };
}

/** Whether orders of an account now wait for a route's model because of identical refusals. */
export function waitsForModel(breaker: Breaker, account: string): boolean {
  if (!breaker.identical) return false;
  return breaker.openedAt !== null || holdsBack(breaker, account, 0) !== 'no';
}
