import type { Route } from '@framegate/provider-routes';
import type { GenerationRef } from '../../../domain/generations/order.ts';
import {
  admits,
  type Breaker,
  concernsKey,
  keepOpenUntil,
  takeProbe,
} from '../../../domain/providers/breaker.ts';
import {
  breakerKeys,
  keyBreakerKey,
  modelBreakerKey,
} from '../../../domain/providers/breakerKeys.ts';
import { holdsBack, takeAccountProbe } from '../../../domain/providers/identicalRefusals.ts';
import { hasOtherKeys, type Health, type KeyedRoute, recordHealth } from './providerHealth.ts';

/**
 * Whether this generation may now be submitted to the route, and with which key: provider, model, budget and a key are
 * in service, or the generation is their probe. Only one process gets a probe. If the provider has a free status
 * request, that runs first, and the generation stays here while it fails.
 * @param refused Keys refused during this start.
 * @returns Null if it may not; `keyName` is undefined if the route needs no key.
 */
export async function findKeyToUse(
  deps: Health,
  route: KeyedRoute & Pick<Route, 'budget' | 'probe' | 'fileHosts'>,
  order: GenerationRef,
  refused: RefusedKeys,
  signal: AbortSignal,
): Promise<{ keyName: string | undefined } | null> {
  const { breakers, clock } = deps;
  const { accountId } = order;
  const nowMs = clock.now();
  const modelKey = modelBreakerKey(route);
  const holding = holdsBack(breakers.get(modelKey), accountId, nowMs);
  if (holding === 'yes') return null;
  const keyName = route
    .keysInTurn?.()
    .find(
      (name) =>
        !isRefused(route, name, refused) && admits(keyBreaker(deps, route, name), nowMs) !== 'no',
    );
  if (route.keys && keyName === undefined) {
    await openWithKeys(deps, route);
    return null;
  }
  // The provider comes last, so that its probe is not wasted on a model, budget or key whose circuit is open.
  const ownKeys = keyName === undefined ? [] : [keyBreakerKey(route.provider, keyName)];
  const deciding = breakerKeys(route)
    .toSpliced(-1, 0, ...ownKeys)
    .map((key) => ({ key, admitted: admits(breakers.get(key), nowMs) }));
  if (deciding.some(({ admitted }) => admitted === 'no')) return null;
  if (holding === 'probe') {
    const take = (breaker: Breaker, atMs: number) => takeAccountProbe(breaker, accountId, atMs);
    if ((await breakers.change(modelKey, take)) === null) return null;
  }
  for (const { key, admitted } of deciding) {
    if (admitted === 'probe' && (await breakers.change(key, takeProbe)) === null) return null;
  }
  const isProbe = deciding.some(
    ({ key, admitted }) => admitted === 'probe' && [route.provider, ...ownKeys].includes(key),
  );
  const health = isProbe ? await route.probe?.(signal, keyName) : null;
  if (!health || (health.kind !== 'failure' && !concernsKey(health))) return { keyName };
  // Recorded like the refusal of a submission.
  const refusal = { kind: 'refused', code: null, isBusy: false, note: '', health } as const;
  await recordHealth(deps, route, order, refusal, keyName);
  if (health.kind === 'failure' || keyName === undefined || !hasOtherKeys(route)) return null;
  return findKeyToUse(deps, route, order, new Set([...refused, ...ownKeys]), signal);
}

/** Breaker keys of the API keys that were refused during this start. */
export type RefusedKeys = ReadonlySet<string>;

/** Whether a route has a key that was not refused during this start. */
export function hasKeyLeft(route: KeyedRoute, refused: RefusedKeys): boolean {
  return route.keys?.some((name) => !isRefused(route, name, refused)) === true;
}

const isRefused = ({ provider }: Pick<Route, 'provider'>, keyName: string, refused: RefusedKeys) =>
  refused.has(keyBreakerKey(provider, keyName));

const keyBreaker = ({ breakers }: Health, { provider }: Pick<Route, 'provider'>, name: string) =>
  breakers.get(keyBreakerKey(provider, name));

/** Opens the provider's circuit while those of all its keys are open, so that no generation is offered it in vain. */
async function openWithKeys(deps: Health, route: KeyedRoute): Promise<void> {
  const { provider } = route;
  const until = Math.min(
    ...(route.keys ?? []).map((name) => keyBreaker(deps, route, name).openUntil),
  );
  if (until <= deps.clock.now()) return;
  const after = await deps.breakers.change(provider, (breaker, nowMs) =>
    keepOpenUntil(breaker, until, nowMs),
  );
  if (after === null) return;
  const alert = { alert: 'provider_circuit_open', provider, openUntil: until };
  deps.log.error(alert, 'provider has an open circuit: all of its keys are refused');
}
