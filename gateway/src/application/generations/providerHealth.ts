import {
  admits,
  afterSubmission,
  breakerKeys,
  keyBreakerKey,
  modelBreakerKey,
  restUntil,
  takeProbe,
  type ProviderHealth,
} from '../../domain/breaker.ts';
import type { Route, Submission } from '../ports/providers.ts';
import type { WorkDeps } from './deps.ts';

type Asked = Pick<Route, 'provider' | 'model'>;
type Keyed = Asked & Pick<Route, 'keys' | 'keysInTurn'>;
type Health = Pick<WorkDeps, 'breakers' | 'clock' | 'log'>;

/**
 * Whether this generation may be given to the route now, and with which of its keys: its provider, its
 * model, its budget and a key are in service, or this one is their probe. Of all processes one gets a probe.
 * @param refused Keys that have been refused just now.
 * @returns null when it may not; the key is undefined where the route needs none.
 */
export async function mayGive(
  deps: Health,
  route: Keyed & Pick<Route, 'budget'>,
  refused: RefusedKeys,
): Promise<{ keyName: string | undefined } | null> {
  const { breakers, clock } = deps;
  const now = clock.now();
  const keyName = route
    .keysInTurn?.()
    .find(
      (name) =>
        !isRefused(route, name, refused) && admits(keyBreaker(deps, route, name), now) !== 'no',
    );
  if (route.keys && keyName === undefined) {
    await restWithKeys(deps, route);
    return null;
  }
  // The provider last: its probe is not to be taken for a model, a budget or a key that rests.
  const ofKey = keyName === undefined ? [] : [keyBreakerKey(route.provider, keyName)];
  const known = breakerKeys(route)
    .toSpliced(-1, 0, ...ofKey)
    .map((key) => ({ key, admitted: admits(breakers.of(key), now) }));
  if (known.some(({ admitted }) => admitted === 'no')) return null;
  for (const { key, admitted } of known) {
    if (admitted === 'probe' && (await breakers.change(key, takeProbe)) === null) return null;
  }
  return { keyName };
}

/** Keys that were refused while a generation was being given away, by the keys of their breakers. */
export type RefusedKeys = ReadonlySet<string>;

/** Whether a route has a key with which it has not been refused just now. */
export function hasKeyLeft(route: Keyed, refused: RefusedKeys): boolean {
  return route.keys?.some((name) => !isRefused(route, name, refused)) === true;
}

const isRefused = ({ provider }: Asked, keyName: string, refused: RefusedKeys) =>
  refused.has(keyBreakerKey(provider, keyName));

const keyBreaker = ({ breakers }: Health, { provider }: Asked, name: string) =>
  breakers.of(keyBreakerKey(provider, name));

/** Lets the provider rest while all of its keys do, so that no generation is called to it in vain. */
async function restWithKeys(deps: Health, route: Keyed): Promise<void> {
  const { provider } = route;
  const until = Math.min(
    ...(route.keys ?? []).map((name) => keyBreaker(deps, route, name).restsUntil),
  );
  if (until <= deps.clock.now()) return;
  const changed = await deps.breakers.change(provider, (breaker, now) =>
    restUntil(breaker, until, now),
  );
  if (changed === null) return;
  const alert = { alert: 'provider_closed_off', provider, rests_until: until };
  deps.log.error(alert, 'a provider is closed off: all of its keys are refused');
}

/** What a submission says about its route; null where it was about the request alone. */
export function healthOf(submission: Submission): ProviderHealth | null {
  if (submission.kind === 'unknown') return { kind: 'failure' };
  return submission.kind === 'refused' ? (submission.health ?? null) : { kind: 'success' };
}

/**
 * Notes what a submission says about its provider and its model. A failure to write it is logged
 * and does not stop the generation.
 */
export async function noteHealth(
  deps: Health,
  route: Keyed,
  submission: Submission,
  keyName: string | undefined,
): Promise<void> {
  const { provider, model } = route;
  const ofKey = hasOtherKeys(route) &&
    keyName !== undefined && {
      key: keyBreakerKey(provider, keyName),
      where: { provider, api_key: keyName },
    };
  const ofModel = { key: modelBreakerKey(route), where: { provider, upstream_model: model } };
  const ofProvider = { key: provider, where: { provider } };
  const health = healthOf(submission);
  if (health?.kind === 'key_failure') {
    await (ofKey ? noteAt(deps, ofKey, health) : noteAt(deps, ofProvider, { kind: 'failure' }));
    return;
  }
  // Whatever else it answers, it has taken the key.
  if (ofKey && health !== null && health.kind !== 'failure') {
    await noteAt(deps, ofKey, { kind: 'success' });
  }
  if (health?.kind === 'model_failure') {
    await noteAt(deps, ofModel, health);
    // To a probe of the provider it is the answer of a provider that is well.
    const isProbe = deps.breakers.of(provider).closedOffAt !== null;
    if (isProbe) await noteAt(deps, ofProvider, { kind: 'success' });
  } else if (health !== null) {
    await noteAt(deps, ofProvider, health);
    if (health.kind === 'success') await noteAt(deps, ofModel, health);
  }
}

/** Whether a route has several keys, so that one that is refused rests alone. */
export function hasOtherKeys({ keys }: Pick<Route, 'keys'>): boolean {
  return (keys?.length ?? 0) > 1;
}

async function noteAt(
  { breakers, clock, log }: Health,
  {
    key,
    where,
  }: { key: string; where: { provider: string; upstream_model?: string; api_key?: string } },
  health: ProviderHealth,
): Promise<void> {
  const before = breakers.of(key);
  // Usually there is nothing to write.
  if (afterSubmission(before, health, clock.now()) === null) return;
  const ofModel = where.upstream_model === undefined ? 'provider' : 'model';
  const what = where.api_key === undefined ? ofModel : 'key';
  try {
    const after = await breakers.change(key, (breaker, now) =>
      afterSubmission(breaker, health, now),
    );
    if (after === null) return;
    if (after.closedOffAt !== null && before.closedOffAt === null) {
      const { failures, restsUntil } = after;
      const alert = { alert: `${what}_closed_off`, ...where, failures, rests_until: restsUntil };
      log.error(alert, `a ${what} is closed off after failures in a row`);
    }
    if (after.closedOffAt === null && before.closedOffAt !== null) {
      // Only warnings and errors may name a model of a provider.
      log.info({ provider: where.provider }, `a ${what} is in service again`);
    }
  } catch (error) {
    log.warn({ error, ...where }, `the state of a ${what} could not be written`);
  }
}
