import type { Money } from './cost.ts';
import { endOfDay } from './utcDay.ts';

/**
 * A breaker of a provider, for all routes to it, of one model of a provider, or of one of its keys. Times in
 * ms since the epoch, database time.
 */
export interface Breaker {
  /** Failures of the provider itself since its last success. */
  failures: number;
  /** Since when it has been closed off; null while it is in service. */
  closedOffAt: number | null;
  /** Until when it gets nothing while closed off; from then on, one probe. */
  restsUntil: number;
  /** Until when it asked to be left alone, although it is well. */
  busyUntil: number;
}

/** A provider of which nothing bad is known. */
export const soundBreaker: Breaker = {
  failures: 0,
  closedOffAt: null,
  restsUntil: 0,
  busyUntil: 0,
};

/** A breaker's next state; null: it stays as it is. */
export type BreakerRule = (breaker: Breaker, nowMs: number) => Breaker | null;

/** What a submission says about its provider, apart from what it says about the generation. */
export type ProviderHealth =
  | { kind: 'success' }
  /** The provider itself is at fault, not the request. */
  | { kind: 'failure' }
  /** The provider answers, and refuses the key, or its account has no credit. */
  | { kind: 'key_failure' }
  /** The one model that was asked for is not there, or not for us; the provider answers. */
  | { kind: 'model_failure' }
  /** It is well and has no room. `retryAfterMs` is its own wish. */
  | { kind: 'busy'; retryAfterMs: number | null };

/** Failures in a row that close a provider off. */
export const maxFailures = 5;
/** The first rest, in ms; each probe that fails doubles it. */
const firstRestMs = 10_000;
const maxRestMs = 60_000;
/** The same of one key among several, in ms: it rests from its first refusal on. */
const firstKeyRestMs = 60_000;
const maxKeyRestMs = 10 * 60_000;
/** How long a probe has before the next may be sent, in ms: its worker may have been killed. */
const probeMs = 60_000;
/** How long a busy provider is left alone when it names no time, in ms; and at most when it does. */
const usualBusyMs = 2_000;
const maxBusyMs = 5 * 60_000;
/**
 * A model takes no more creates once all its providers have been closed off for this time, or will be for as
 * long, in ms.
 */
const unavailableAfterMs = 10 * 60_000;

/** Whether the provider may be given work: `probe` is for one taker (`takeProbe`). */
export function admits(breaker: Breaker, nowMs: number): 'yes' | 'probe' | 'no' {
  if (breaker.busyUntil > nowMs) return 'no';
  if (breaker.closedOffAt === null) return 'yes';
  return breaker.restsUntil <= nowMs ? 'probe' : 'no';
}

/** The key of a breaker of one model of a provider. The provider's own key is its name, without a space. */
export function modelBreakerKey({ provider, model }: { provider: string; model: string }): string {
  return `${provider} ${model}`;
}

/** The key of a breaker that rests while a provider's budget of the day is spent; another budget has another. */
export function budgetBreakerKey({
  provider,
  budget,
}: {
  provider: string;
  budget: Money;
}): string {
  return `budget: ${provider} ${budget.micros} ${budget.currency}`;
}

/** The keys of all breakers that have a say about a route: its model's, its budget's and its provider's. */
export function breakerKeys({
  provider,
  model,
  budget,
}: {
  provider: string;
  model: string;
  budget: Money | null;
}): string[] {
  const ofBudget = budget === null ? [] : [budgetBreakerKey({ provider, budget })];
  return [modelBreakerKey({ provider, model }), ...ofBudget, provider];
}

/** A budget's breaker after an order that did not fit: it rests until the day (UTC) is over. */
export function afterBudget({ closedOffAt, restsUntil }: Breaker, nowMs: number): Breaker | null {
  const until = endOfDay(nowMs);
  const isSameDay = closedOffAt !== null && endOfDay(closedOffAt) === until;
  if (isSameDay && restsUntil === until) return null;
  return { ...soundBreaker, closedOffAt: isSameDay ? closedOffAt : nowMs, restsUntil: until };
}

/** A budget's breaker after something was given back: the next order tries whether it fits. */
export function budgetGivenBack(breaker: Breaker, nowMs: number): Breaker | null {
  return breaker.closedOffAt === null ? null : { ...breaker, restsUntil: nowMs };
}

/** A budget's breaker after an order that fits again; null when it was open. */
export function reopenBudget({ closedOffAt }: Breaker): Breaker | null {
  return closedOffAt === null ? null : soundBreaker;
}

/** The key of a breaker of one of the keys of a provider, by the key's name. */
export function keyBreakerKey(provider: string, keyName: string): string {
  return `${provider} key ${keyName}`;
}

/** A provider's breaker while all of its keys rest: it gets nothing before this time, then a probe. */
export function restUntil(breaker: Breaker, untilMs: number, nowMs: number): Breaker | null {
  if (breaker.closedOffAt !== null && breaker.restsUntil >= untilMs) return null;
  return { ...breaker, closedOffAt: breaker.closedOffAt ?? nowMs, restsUntil: untilMs };
}

/** What breakers that all have a say admit: the strictest of them decides. */
export function admitsAll(breakers: readonly Breaker[], nowMs: number): 'yes' | 'probe' | 'no' {
  const each = breakers.map((breaker) => admits(breaker, nowMs));
  if (each.includes('no')) return 'no';
  return each.includes('probe') ? 'probe' : 'yes';
}

/** The breaker after a process has taken the probe; null when there is none to take. */
export function takeProbe(breaker: Breaker, nowMs: number): Breaker | null {
  if (admits(breaker, nowMs) !== 'probe') return null;
  return { ...breaker, restsUntil: nowMs + probeMs };
}

/** The breaker after a submission; null when nothing changes. */
export function afterSubmission(
  breaker: Breaker,
  health: ProviderHealth,
  nowMs: number,
): Breaker | null {
  switch (health.kind) {
    case 'success':
      return breaker.failures === 0 && breaker.closedOffAt === null
        ? null
        : { ...soundBreaker, busyUntil: breaker.busyUntil };
    case 'busy': {
      const wish = Math.min(Math.max(health.retryAfterMs ?? usualBusyMs, 0), maxBusyMs);
      // Busy is well: it answers.
      return { ...soundBreaker, busyUntil: Math.max(breaker.busyUntil, nowMs + wish) };
    }
    case 'key_failure': {
      const failures = breaker.failures + 1;
      const restMs = Math.min(maxKeyRestMs, firstKeyRestMs * 2 ** (failures - 1));
      const closedOffAt = breaker.closedOffAt ?? nowMs;
      return { ...breaker, failures, closedOffAt, restsUntil: nowMs + restMs };
    }
    case 'failure':
    case 'model_failure': {
      const failures = breaker.failures + 1;
      if (failures < maxFailures) return { ...breaker, failures };
      const restMs = Math.min(maxRestMs, firstRestMs * 2 ** (failures - maxFailures));
      return {
        ...breaker,
        failures,
        closedOffAt: breaker.closedOffAt ?? nowMs,
        restsUntil: nowMs + restMs,
      };
    }
  }
}

/**
 * How long a create should wait, in whole seconds, where every route has been closed off for ten minutes or
 * will be, by the breaker of its provider, its model or its budget; null where orders are taken. A breaker that is due for its
 * probe takes an order, or nothing would ever find out that it is well again.
 */
export function unavailableSeconds(
  routes: readonly (readonly Breaker[])[],
  nowMs: number,
): number | null {
  const isGone = (breaker: Breaker) =>
    breaker.closedOffAt !== null &&
    (breaker.closedOffAt <= nowMs - unavailableAfterMs ||
      breaker.restsUntil >= nowMs + unavailableAfterMs) &&
    admits(breaker, nowMs) === 'no';
  if (routes.length === 0 || !routes.every((breakers) => breakers.some(isGone))) return null;
  const next = Math.min(
    ...routes.map((breakers) =>
      Math.max(...breakers.map(({ restsUntil, busyUntil }) => Math.max(restsUntil, busyUntil))),
    ),
  );
  return Math.max(1, Math.ceil((next - nowMs) / 1000));
}
