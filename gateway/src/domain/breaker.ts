import type { Money } from './cost.ts';
import type { ModelHealth } from './phase.ts';
import { endOfDay } from './utcDay.ts';

/**
 * The circuit breaker of a provider, of one model of a provider, or of one of a provider's keys, shared by all
 * routes. Times in ms since the epoch, database time.
 */
export interface Breaker {
  /** Failures of the provider itself since its last success. */
  failures: number;
  /** When it was closed off; null while in service. */
  closedOffAt: number | null;
  /** While closed off, it receives nothing until this time, then a single probe. */
  restsUntil: number;
  /** How long the provider, although healthy, has asked for no requests. */
  busyUntil: number;
}

/** The breaker of a provider without known problems. */
export const soundBreaker: Breaker = {
  failures: 0,
  closedOffAt: null,
  restsUntil: 0,
  busyUntil: 0,
};

/** The state of the provider as shown by a submission, independent of the generation's outcome. */
export type ProviderHealth =
  | { kind: 'success' }
  /** The provider is at fault, not the request. */
  | { kind: 'failure' }
  /** The provider answers but refuses the key, or its account has no credit. */
  | { kind: 'key_failure' }
  /** The provider answers, but the requested model does not exist or is unavailable to us. */
  | { kind: 'model_failure' }
  /** Healthy but without capacity. `retryAfterMs` is the provider's request. */
  | { kind: 'busy'; retryAfterMs: number | null };

/** Consecutive failures that close a provider off; a refusal of the operator's key or account does so at once. */
export const maxFailures = 5;
/** The first rest, in ms, doubled by each failed probe. */
const firstRestMs = 10_000;
const maxRestMs = 60_000;
/** The same after a refusal of the operator, in ms: only a correction can end it. */
const firstRefusedRestMs = 60_000;
const maxRefusedRestMs = 10 * 60_000;
/** Minimum time between two probes, in ms: the worker of the first may have been killed. */
const probeMs = 60_000;
/** Rest of a busy provider, in ms: default and maximum. */
const usualBusyMs = 2_000;
const maxBusyMs = 5 * 60_000;
/**
 * A model accepts no more creates once all its providers have been closed off, or will stay closed off, for
 * this long, in ms.
 */
const unavailableAfterMs = 10 * 60_000;

/** Whether the provider may receive work; `probe` allows a single taker (`takeProbe`). */
export function admits(breaker: Breaker, nowMs: number): 'yes' | 'probe' | 'no' {
  if (breaker.busyUntil > nowMs) return 'no';
  if (breaker.closedOffAt === null) return 'yes';
  return breaker.restsUntil <= nowMs ? 'probe' : 'no';
}

/**
 * Key of the breaker of one of a provider's models. The provider's own breaker has its name as key, which contains no
 * space.
 */
export function modelBreakerKey({ provider, model }: { provider: string; model: string }): string {
  return `${provider} ${model}`;
}

/** Key of the breaker that rests while a provider's daily budget is spent; a changed budget gets another key. */
export function budgetBreakerKey({
  provider,
  budget,
}: {
  provider: string;
  budget: Money;
}): string {
  return `budget: ${provider} ${budget.micros} ${budget.currency}`;
}

/** Key of the breaker of a host that serves a provider's files. */
export function fileHostKey(provider: string, host: string): string {
  return `${provider} files ${host}`;
}

/** Part of a provider that a breaker covers: one of its models, keys or file hosts, its budget, or all of it. */
export type ProviderPart =
  { kind: 'provider' } | { kind: 'budget' } | { kind: 'model' | 'key' | 'files'; name: string };

/** The provider, and the part of it, named by a breaker's key. */
export function partOf(key: string): { provider: string; part: ProviderPart } {
  const budget = /^budget: (\S+) /.exec(key);
  if (budget) return { provider: budget[1] ?? '', part: { kind: 'budget' } };
  const [provider = '', ...rest] = key.split(' ');
  if (rest.length === 0) return { provider, part: { kind: 'provider' } };
  const [kind] = rest;
  if (rest.length > 1 && (kind === 'key' || kind === 'files')) {
    return { provider, part: { kind, name: rest.slice(1).join(' ') } };
  }
  return { provider, part: { kind: 'model', name: rest.join(' ') } };
}

/** Keys of all breakers that decide about a route: those of its model, its files, its budget and its provider. */
export function breakerKeys({
  provider,
  model,
  budget,
  fileHosts,
}: {
  provider: string;
  model: string;
  budget: Money | null;
  fileHosts?: () => readonly string[];
}): string[] {
  const ofBudget = budget === null ? [] : [budgetBreakerKey({ provider, budget })];
  const ofFiles = (fileHosts?.() ?? []).map((host) => fileHostKey(provider, host));
  return [modelBreakerKey({ provider, model }), ...ofFiles, ...ofBudget, provider];
}

/** A budget's breaker after an order that did not fit: it rests until the end of the UTC day. */
export function afterBudget({ closedOffAt, restsUntil }: Breaker, nowMs: number): Breaker | null {
  const until = endOfDay(nowMs);
  const isSameDay = closedOffAt !== null && endOfDay(closedOffAt) === until;
  if (isSameDay && restsUntil === until) return null;
  return { ...soundBreaker, closedOffAt: isSameDay ? closedOffAt : nowMs, restsUntil: until };
}

/** A budget's breaker after an amount was returned: the next order shows whether it fits. */
export function budgetGivenBack(breaker: Breaker, nowMs: number): Breaker | null {
  return breaker.closedOffAt === null ? null : { ...breaker, restsUntil: nowMs };
}

/** A budget's breaker once an order fits again; null if it was already open. */
export function reopenBudget({ closedOffAt }: Breaker): Breaker | null {
  return closedOffAt === null ? null : soundBreaker;
}

/** Key of the breaker of a provider's key with this name. */
export function keyBreakerKey(provider: string, keyName: string): string {
  return `${provider} key ${keyName}`;
}

/** A provider's breaker while all its keys rest: closed until this time, then probed. */
export function restUntil(breaker: Breaker, untilMs: number, nowMs: number): Breaker | null {
  if (breaker.closedOffAt !== null && breaker.restsUntil >= untilMs) return null;
  return { ...breaker, closedOffAt: breaker.closedOffAt ?? nowMs, restsUntil: untilMs };
}

/** A breaker that staff close for a number of hours. A probe reopens it afterwards. */
export function restForHours(breaker: Breaker, hours: number, nowMs: number): Breaker {
  const restsUntil = nowMs + hours * 3_600_000;
  return { ...breaker, closedOffAt: breaker.closedOffAt ?? nowMs, restsUntil };
}

/** Whether staff have closed it: automatic rests are shorter. */
export function isHeld({ closedOffAt, restsUntil }: Breaker, nowMs: number): boolean {
  return closedOffAt !== null && restsUntil > nowMs + maxRefusedRestMs;
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
  return { ...breaker, restsUntil: nowMs + probeMs };
}

/** Whether a refused submission reveals a mistake of the operator: the key, account or model is not accepted. */
export const isOperatorsMistake = (health: ProviderHealth | null): boolean =>
  health?.kind === 'key_failure' || health?.kind === 'model_failure';

/** The breaker after a submission; null for no change. Calls that began earlier do not end a rest set by staff. */
export function afterSubmission(
  breaker: Breaker,
  health: ProviderHealth,
  nowMs: number,
): Breaker | null {
  if (isHeld(breaker, nowMs)) return null;
  switch (health.kind) {
    case 'success':
      return breaker.failures === 0 && breaker.closedOffAt === null
        ? null
        : { ...soundBreaker, busyUntil: breaker.busyUntil };
    case 'busy': {
      const wish = Math.min(Math.max(health.retryAfterMs ?? usualBusyMs, 0), maxBusyMs);
      // A busy provider is healthy: it answers.
      return { ...soundBreaker, busyUntil: Math.max(breaker.busyUntil, nowMs + wish) };
    }
    case 'key_failure':
    case 'model_failure': {
      const failures = breaker.failures + 1;
      const restMs = Math.min(maxRefusedRestMs, firstRefusedRestMs * 2 ** (failures - 1));
      const closedOffAt = breaker.closedOffAt ?? nowMs;
      return { ...breaker, failures, closedOffAt, restsUntil: nowMs + restMs };
    }
    case 'failure': {
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

/** @param routes The breakers of each of the model's routes. */
export function modelHealth(routes: readonly (readonly Breaker[])[], nowMs: number): ModelHealth {
  if (unavailableSeconds(routes, nowMs) !== null) return 'unavailable';
  const rests = (breakers: readonly Breaker[]) =>
    breakers.some(({ closedOffAt }) => closedOffAt !== null);
  return routes.length > 0 && routes.every(rests) ? 'delayed' : 'good';
}

/**
 * Retry-After in whole seconds if every route has been or will stay closed off for ten minutes by the breaker of its
 * provider, model or budget; null if orders are accepted. A breaker that is due for its probe accepts an order, because
 * nothing else would detect the recovery.
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
