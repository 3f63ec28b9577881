import type { Money } from '@framegate/provider-routes';

/**
 * Key of the breaker of one of a provider's models. The provider's own breaker has its name as key, which contains
 * no space.
 */
export function modelBreakerKey({ provider, model }: { provider: string; model: string }): string {
  return `${provider} ${model}`;
}

/** Key of the breaker that is open while a provider's daily budget is spent; a changed budget gets another key. */
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

const stop = 'stop: ';

/** Key of the breaker that is open while staff have stopped selling a model. */
export function stopKey(model: string): string {
  return `${stop}${model}`;
}

/** The model that a key stops; null for a breaker of a provider. */
export function stoppedModel(key: string): string | null {
  return key.startsWith(stop) ? key.slice(stop.length) : null;
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

/** Key of the breaker of a provider's key with this name. */
export function keyBreakerKey(provider: string, keyName: string): string {
  return `${provider} key ${keyName}`;
}
