import { hourMs, minuteMs } from '@framegate/contract';
import type { ProviderHealth } from '@framegate/provider-routes';
import { type RefusedFor, refusedForReasons } from '../generations/attempt.ts';
import type { ModelHealth } from '../generations/phase.ts';
import { backoffMs } from '../time/backoff.ts';
import { endOfDayMs } from '../time/utcDay.ts';

/**
 * The circuit breaker of a provider, of one model of a provider, or of one of a provider's keys, shared by all
 * routes. Times in ms since the epoch, database time.
 */
export interface Breaker {
  /** Failures of the provider itself since its last success. */
  failures: number;
  /** When its circuit opened; null while in service. */
  openedAt: number | null;
  /** While open, it receives nothing until this time, then, half-open, a single probe. */
  openUntil: number;
  /** Time until which the provider, although healthy, wants no requests. */
  busyUntil: number;
  /** Why its orders wait; null while in service, or if there is nothing to explain. */
  reason: OpenReason | null;
  /** The latest consecutive identical refusals of a model for an unknown reason. */
  identical: IdenticalRefusals | null;
}

/** Why a breaker opened: the kind of health, and the provider's message, redacted. */
export interface OpenReason {
  kind: ProviderHealth['kind'];
  said: string;
}

/** Consecutive refusals with the same status and wording. */
export interface IdenticalRefusals {
  /** Status and text of the refusals, without the parts that vary by order. */
  said: string;
  /** The refused generations, each once; the latest ones. */
  orders: readonly { generation: string; account: string }[];
  /** Time until which orders of their only account wait; 0 while they do not. */
  holdsUntil: number;
  /** Probes of their only account that were refused. */
  failedProbes: number;
}

/** The breaker of a provider without known problems. */
export const closedBreaker: Breaker = {
  failures: 0,
  openedAt: null,
  openUntil: 0,
  busyUntil: 0,
  reason: null,
  identical: null,
};

/** Consecutive failures that open a provider's circuit; a refused key or account opens it immediately. */
export const maxFailures = 5;
/** Pauses of an open circuit; each failed probe doubles them. */
const openPace = { firstMs: 10_000, maxMs: minuteMs };
/** Pauses after a refusal of the operator, which only a correction can end. */
const refusedPace = { firstMs: minuteMs, maxMs: 10 * minuteMs };
/** Minimum time between two probes, in ms: the worker of the first may have been killed. */
export const probeMs = minuteMs;
/** Pause of a busy provider, in ms: default and maximum. */
const defaultBusyMs = 2_000;
const maxBusyMs = 5 * minuteMs;
/**
 * A model accepts no more create requests once all its providers have had an open circuit, or will have one, for this
 * long, in ms.
 */
const unavailableAfterMs = 10 * minuteMs;

/** Whether the provider may receive work; `probe` allows a single taker (`takeProbe`). */
export function admits(breaker: Breaker, nowMs: number): 'yes' | 'probe' | 'no' {
  if (breaker.busyUntil > nowMs) return 'no';
  if (breaker.openedAt === null) return 'yes';
  return breaker.openUntil <= nowMs ? 'probe' : 'no';
}

/** A budget's breaker after an order that did not fit: it stays open until the end of the UTC day. */
export function afterBudget({ openedAt, openUntil }: Breaker, nowMs: number): Breaker | null {
  const until = endOfDayMs(nowMs);
  const isSameDay = openedAt !== null && endOfDayMs(openedAt) === until;
  if (isSameDay && openUntil === until) return null;
  return { ...closedBreaker, openedAt: isSameDay ? openedAt : nowMs, openUntil: until };
}

/** A budget's breaker after an amount was returned: the next order shows whether it fits. */
export function halfOpenBudget(breaker: Breaker, nowMs: number): Breaker | null {
  return breaker.openedAt === null ? null : { ...breaker, openUntil: nowMs };
}

/** A budget's breaker once an order fits again; null if it was already closed. */
export function closeBudget({ openedAt }: Breaker): Breaker | null {
  return openedAt === null ? null : closedBreaker;
}

/** A provider's breaker while all its keys are refused: open until this time, then half-open. */
export function keepOpenUntil(breaker: Breaker, untilMs: number, nowMs: number): Breaker | null {
  if (breaker.openedAt !== null && breaker.openUntil >= untilMs) return null;
  return { ...breaker, openedAt: breaker.openedAt ?? nowMs, openUntil: untilMs };
}

/** A breaker that staff open for a number of hours, or until they close it (Infinity). A probe closes it afterwards. */
export function openForHours(breaker: Breaker, hours: number, nowMs: number): Breaker {
  const openUntil = Math.min(nowMs + hours * hourMs, endlessMs);
  return { ...breaker, openedAt: breaker.openedAt ?? nowMs, openUntil };
}

/** When a breaker closes that is open until staff close it, in ms since the epoch. */
export const endlessMs = Date.UTC(9999, 0);

/** The breaker of a model that staff stopped: its time ends it without a probe. */
export function currentStop(stop: Breaker, nowMs: number): Breaker {
  return stop.openUntil > nowMs ? stop : closedBreaker;
}

/** Whether staff hold it open: automatic pauses are shorter. */
export function isPausedByStaff({ openedAt, openUntil }: Breaker, nowMs: number): boolean {
  return openedAt !== null && openUntil > nowMs + refusedPace.maxMs;
}

/** Combines breakers: the strictest one decides. */
export function admitsAll(breakers: readonly Breaker[], nowMs: number): 'yes' | 'probe' | 'no' {
  const each = breakers.map((breaker) => admits(breaker, nowMs));
  if (each.includes('no')) return 'no';
  return each.includes('probe') ? 'probe' : 'yes';
}

/** The breaker after a process took the probe; null if there is none to take. */
export function takeProbe(breaker: Breaker, nowMs: number): Breaker | null {
  if (admits(breaker, nowMs) !== 'probe') return null;
  return { ...breaker, openUntil: nowMs + probeMs };
}

/** The operator's fault that a refused submission reveals although the order is good; null for none. */
export function operatorsFaultIn(health: ProviderHealth | null): RefusedFor | null {
  return refusedForReasons.find((reason) => reason === health?.kind) ?? null;
}

/** Whether a refusal concerns the provider's key, so that another one may be good. */
export function concernsKey(health: ProviderHealth | null): boolean {
  return health?.kind === 'key' || health?.kind === 'account' || health?.kind === 'region';
}

/**
 * The breaker after a submission; null for no change. Calls that began earlier do not end a pause set by staff.
 * @param words The provider's words, kept if it opens.
 */
export function afterSubmission(
  breaker: Breaker,
  health: ProviderHealth,
  nowMs: number,
  words = '',
): Breaker | null {
  if (isPausedByStaff(breaker, nowMs)) return null;
  const reason = { kind: health.kind, said: words };
  switch (health.kind) {
    case 'parameter_dropped':
    case 'refusal':
      // The first concerns one order; the second counts only together with others (`afterRefusal`).
      return null;
    case 'success':
      return breaker.failures === 0 && breaker.openedAt === null && !breaker.identical
        ? null
        : { ...closedBreaker, busyUntil: breaker.busyUntil };
    case 'busy': {
      const wish = Math.min(Math.max(health.retryAfterMs ?? defaultBusyMs, 0), maxBusyMs);
      // A busy provider is healthy: it answers.
      return { ...closedBreaker, busyUntil: Math.max(breaker.busyUntil, nowMs + wish) };
    }
    case 'key':
    case 'account':
    case 'region':
    case 'model_gone': {
      const failures = breaker.failures + 1;
      const openMs = backoffMs(refusedPace, failures);
      const openedAt = breaker.openedAt ?? nowMs;
      return { ...breaker, failures, openedAt, openUntil: nowMs + openMs, reason };
    }
    case 'failure': {
      const failures = breaker.failures + 1;
      return failures < maxFailures
        ? { ...breaker, failures }
        : openCircuit({ ...breaker, failures }, failures - maxFailures, nowMs, reason);
    }
  }
}

/** A breaker opened for a pause that doubles with each probe that failed. */
export function openCircuit(
  breaker: Breaker,
  failedProbes: number,
  nowMs: number,
  reason: OpenReason,
): Breaker {
  const openMs = backoffMs(openPace, failedProbes + 1);
  const openedAt = breaker.openedAt ?? nowMs;
  return { ...breaker, openedAt, openUntil: nowMs + openMs, reason };
}

/** @param routes The breakers of each of the model's routes. */
export function modelHealth(routes: readonly (readonly Breaker[])[], nowMs: number): ModelHealth {
  if (unavailableSeconds(routes, nowMs) !== null) return 'unavailable';
  return problemsSince(routes) === null ? 'good' : 'delayed';
}

/** When the last route of a model went out of service, in ms since the epoch; null while one is in service. */
export function problemsSince(routes: readonly (readonly Breaker[])[]): number | null {
  const since = routes.map((breakers) =>
    Math.min(...breakers.map(({ openedAt }) => openedAt ?? Infinity)),
  );
  const latest = Math.max(...since);
  return Number.isFinite(latest) ? latest : null;
}

/**
 * Retry-After in whole seconds if every route has had or will have an open circuit for ten minutes by the breaker of
 * its provider, model or budget; null if orders are accepted. A breaker that is due for its probe accepts an order,
 * because nothing else would detect the recovery. At most a day: a model may be stopped without an end.
 */
export function unavailableSeconds(
  routes: readonly (readonly Breaker[])[],
  nowMs: number,
): number | null {
  const isGone = (breaker: Breaker) =>
    breaker.openedAt !== null &&
    (breaker.openedAt <= nowMs - unavailableAfterMs ||
      breaker.openUntil >= nowMs + unavailableAfterMs) &&
    admits(breaker, nowMs) === 'no';
  if (routes.length === 0 || !routes.every((breakers) => breakers.some(isGone))) return null;
  const next = Math.min(
    ...routes.map((breakers) =>
      Math.max(...breakers.map(({ openUntil, busyUntil }) => Math.max(openUntil, busyUntil))),
    ),
  );
  return Math.min(86_400, Math.max(1, Math.ceil((next - nowMs) / 1000)));
}
