import {
  admits,
  afterSubmission,
  breakerKeys,
  fileHostKey,
  keyBreakerKey,
  modelBreakerKey,
  restUntil,
  takeProbe,
  type ProviderHealth,
} from '../../domain/breaker.ts';
import type { Fetch, Route, Submission } from '../ports/providers.ts';
import type { WorkDeps } from './deps.ts';

type Asked = Pick<Route, 'provider' | 'model'>;
type Keyed = Asked & Pick<Route, 'keys' | 'keysInTurn'>;
type Health = Pick<WorkDeps, 'breakers' | 'clock' | 'log'>;

/**
 * Whether this generation may now be given to the route, and with which key: provider, model, budget and a key are in
 * service, or the generation is their probe. Only one process gets a probe. If the provider has a free status request,
 * that runs first, and the generation stays here while it fails.
 * @param refused Keys refused during this start.
 * @returns Null if it may not; `keyName` is undefined if the route needs no key.
 */
export async function mayGive(
  deps: Health,
  route: Keyed & Pick<Route, 'budget' | 'probe' | 'fileHosts'>,
  refused: RefusedKeys,
  signal: AbortSignal,
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
  // The provider comes last, so that its probe is not wasted on a resting model, budget or key.
  const ofKey = keyName === undefined ? [] : [keyBreakerKey(route.provider, keyName)];
  const known = breakerKeys(route)
    .toSpliced(-1, 0, ...ofKey)
    .map((key) => ({ key, admitted: admits(breakers.of(key), now) }));
  if (known.some(({ admitted }) => admitted === 'no')) return null;
  for (const { key, admitted } of known) {
    if (admitted === 'probe' && (await breakers.change(key, takeProbe)) === null) return null;
  }
  const isProbe = known.some(
    ({ key, admitted }) => admitted === 'probe' && [route.provider, ...ofKey].includes(key),
  );
  const health = isProbe ? await route.probe?.(signal, keyName) : null;
  if (health?.kind !== 'failure' && health?.kind !== 'key_failure') return { keyName };
  await noteRefusal(deps, route, health, keyName);
  if (health.kind === 'failure' || keyName === undefined || !hasOtherKeys(route)) return null;
  return mayGive(deps, route, new Set([...refused, ...ofKey]), signal);
}

/** Records the failure of a free probe like that of a submission. */
const noteRefusal = (
  deps: Health,
  route: Keyed,
  health: ProviderHealth,
  keyName: string | undefined,
): Promise<void> =>
  noteHealth(deps, route, { kind: 'refused', code: null, busy: false, note: '', health }, keyName);

/** Breaker keys of the API keys that were refused during this start. */
export type RefusedKeys = ReadonlySet<string>;

/** Whether a route has a key that was not refused during this start. */
export function hasKeyLeft(route: Keyed, refused: RefusedKeys): boolean {
  return route.keys?.some((name) => !isRefused(route, name, refused)) === true;
}

const isRefused = ({ provider }: Asked, keyName: string, refused: RefusedKeys) =>
  refused.has(keyBreakerKey(provider, keyName));

const keyBreaker = ({ breakers }: Health, { provider }: Asked, name: string) =>
  breakers.of(keyBreakerKey(provider, name));

/** Rests the provider while all its keys do, so that no generation is called to it in vain. */
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

/** The route's health as shown by a submission; null if the outcome concerned only the request. */
export function healthOf(submission: Submission): ProviderHealth | null {
  // If only the file could not be fetched, the provider itself did its work.
  const made = submission.fetch?.worked === false;
  if (submission.kind === 'unknown') return { kind: made ? 'success' : 'failure' };
  return submission.kind === 'refused' ? (submission.health ?? null) : { kind: 'success' };
}

/**
 * Records the health of provider, model and key that a submission shows. A failed write is logged and does not stop the
 * generation.
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
  if (submission.fetch) await noteFetch(deps, provider, submission.fetch);
  const health = healthOf(submission);
  if (health?.kind === 'key_failure') {
    await noteAt(deps, ofKey || ofProvider, health);
    return;
  }
  // Any other answer means that the key was accepted.
  if (ofKey && health !== null && health.kind !== 'failure') {
    await noteAt(deps, ofKey, { kind: 'success' });
  }
  if (health?.kind === 'model_failure') {
    await noteAt(deps, ofModel, health);
    // For a probe of the provider, this answer proves it healthy.
    const isProbe = deps.breakers.of(provider).closedOffAt !== null;
    if (isProbe) await noteAt(deps, ofProvider, { kind: 'success' });
  } else if (health !== null) {
    await noteAt(deps, ofProvider, health);
    if (health.kind === 'success') await noteAt(deps, ofModel, health);
  }
}

/**
 * Records whether a file could be fetched from a provider's host. Failures close off the host: routes with files there
 * get no orders, while the rest of the provider stays in service.
 */
export function noteFetch(deps: Health, provider: string, { host, worked }: Fetch): Promise<void> {
  const at = { key: fileHostKey(provider, host), where: { provider, file_host: host } };
  return noteAt(deps, at, { kind: worked ? 'success' : 'failure' });
}

/** Whether a route has several keys, so that a refused one can rest alone. */
export function hasOtherKeys({ keys }: Pick<Route, 'keys'>): boolean {
  return (keys?.length ?? 0) > 1;
}

/** The reason for a closure, with advice if the operator made a mistake. */
function reasonOf({ kind }: ProviderHealth): string {
  if (kind === 'key_failure') {
    return ': the provider refuses the key or its account has no credit; check the key and the balance';
  }
  if (kind === 'model_failure') {
    return ': the provider does not have it, or not for this account; check its id in ROUTES_FILE';
  }
  return ' after failures in a row';
}

async function noteAt(
  { breakers, clock, log }: Health,
  {
    key,
    where,
  }: {
    key: string;
    where: { provider: string; upstream_model?: string; api_key?: string; file_host?: string };
  },
  health: ProviderHealth,
): Promise<void> {
  const before = breakers.of(key);
  if (afterSubmission(before, health, clock.now()) === null) return;
  const subject =
    (where.api_key !== undefined && 'key') ||
    (where.file_host !== undefined && 'file host') ||
    (where.upstream_model !== undefined && 'model') ||
    'provider';
  try {
    const after = await breakers.change(key, (breaker, now) =>
      afterSubmission(breaker, health, now),
    );
    if (after === null) return;
    if (after.closedOffAt !== null && before.closedOffAt === null) {
      const { failures, restsUntil } = after;
      const name = subject.replace(' ', '_');
      const alert = { alert: `${name}_closed_off`, ...where, failures, rests_until: restsUntil };
      log.error(alert, `a ${subject} is closed off${reasonOf(health)}`);
    }
    if (after.closedOffAt === null && before.closedOffAt !== null) {
      // Only warnings and errors may name a model of a provider.
      log.info({ provider: where.provider }, `a ${subject} is in service again`);
    }
  } catch (error) {
    log.warn({ error, ...where }, `the state of a ${subject} could not be written`);
  }
}
