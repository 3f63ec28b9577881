import type { FileFetch, ProviderHealth, Route, Submission } from '@framegate/provider-routes';
import type { GenerationRef } from '../../../domain/generations/order.ts';
import { afterSubmission, type Breaker, concernsKey } from '../../../domain/providers/breaker.ts';
import {
  fileHostKey,
  keyBreakerKey,
  modelBreakerKey,
} from '../../../domain/providers/breakerKeys.ts';
import { afterRefusal, waitsForModel } from '../../../domain/providers/identicalRefusals.ts';
import type { AppCore } from '../../app.ts';

/** A route with its API keys. */
export type KeyedRoute = Pick<Route, 'provider' | 'model' | 'keys' | 'keysInTurn'>;
/** The parts that record the health of providers. */
export type Health = Pick<AppCore, 'breakers' | 'clock' | 'log'>;

/** The health of the route as shown by a submission; null if the outcome concerned only the request. */
export function healthShownBy(submission: Submission): ProviderHealth | null {
  // If only fetching the file failed, the provider itself did its work.
  const isMade = submission.fetch?.hasWorked === false;
  if (submission.kind === 'unknown') return { kind: isMade ? 'success' : 'failure' };
  return submission.kind === 'refused' ? (submission.health ?? null) : { kind: 'success' };
}

/**
 * Records the health of provider, model and key that a submission shows. A failed write is logged and does not stop
 * the generation.
 * @returns Whether the order, refused for an unknown reason, waits because the route refuses others alike.
 */
export async function recordHealth(
  deps: Health,
  route: KeyedRoute,
  order: GenerationRef,
  submission: Submission,
  keyName: string | undefined,
): Promise<boolean> {
  const { provider, model } = route;
  const ownBreaker = hasOtherKeys(route) &&
    keyName !== undefined && {
      key: keyBreakerKey(provider, keyName),
      where: { provider, keyName },
    };
  const modelBreaker = { key: modelBreakerKey(route), where: { provider, providerModel: model } };
  const providerBreaker = { key: provider, where: { provider } };
  if (submission.fetch) await recordFetch(deps, provider, submission.fetch);
  const health = healthShownBy(submission);
  if (health === null || health.kind === 'parameter_dropped') return false;
  const note = 'note' in submission ? submission.note : '';
  if (concernsKey(health)) {
    await recordAt(deps, ownBreaker || providerBreaker, health, note);
    return false;
  }
  // Any other response means that the key was accepted.
  if (ownBreaker && health.kind !== 'failure') {
    await recordAt(deps, ownBreaker, { kind: 'success' });
  }
  if (health.kind === 'model_gone' || health.kind === 'refusal') {
    await recordAt(deps, modelBreaker, health, note, order);
    // A response to a probe proves that the provider is healthy.
    const isProbe = deps.breakers.get(provider).openedAt !== null;
    if (isProbe) await recordAt(deps, providerBreaker, { kind: 'success' });
    return (
      health.kind === 'refusal' &&
      waitsForModel(deps.breakers.get(modelBreaker.key), order.accountId)
    );
  }
  await recordAt(deps, providerBreaker, health, note);
  if (health.kind === 'success') await recordAt(deps, modelBreaker, health);
  return false;
}

/**
 * Records whether a file could be fetched from a provider's host. Failures open the circuit of the host: routes with
 * files there get no orders, while the rest of the provider stays in service.
 */
export function recordFetch(deps: Health, provider: string, file: FileFetch): Promise<void> {
  const { host, hasWorked } = file;
  const at = { key: fileHostKey(provider, host), where: { provider, fileHost: host } };
  return recordAt(deps, at, { kind: hasWorked ? 'success' : 'failure' });
}

/** Whether a route has several keys, so that a refused one can be paused alone. */
export function hasOtherKeys({ keys }: Pick<Route, 'keys'>): boolean {
  return (keys?.length ?? 0) > 1;
}

/** Advice for staff, by the kind of health that opened a breaker. */
const advice: Readonly<Partial<Record<ProviderHealth['kind'], string>>> = {
  key: ': the provider refuses the key; check it, its permissions and its origin',
  account:
    ': the provider accepts no orders from the account; check its balance, limits and invoices',
  region:
    ': the provider does not serve this location; check the region of the server and the account',
  model_gone:
    ': the provider does not offer it, or not to this account; check its ID in ROUTES_FILE',
  refusal:
    ': it refuses all orders for an unknown reason; read its message, and add it to errorRules',
};

async function recordAt(
  { breakers, clock, log }: Health,
  {
    key,
    where,
  }: {
    key: string;
    where: { provider: string; providerModel?: string; keyName?: string; fileHost?: string };
  },
  health: ProviderHealth,
  note = '',
  order?: GenerationRef,
): Promise<void> {
  const change = (breaker: Breaker, nowMs: number): Breaker | null => {
    if (health.kind !== 'refusal' || !order) return afterSubmission(breaker, health, nowMs, note);
    const refusal = { said: health.said, generation: order.id, account: order.accountId };
    return afterRefusal(breaker, refusal, nowMs, { kind: health.kind, said: note });
  };
  let before = breakers.get(key);
  if (change(before, clock.now()) === null) return;
  const subject =
    (where.keyName !== undefined && 'key') ||
    (where.fileHost !== undefined && 'file host') ||
    (where.providerModel !== undefined && 'model') ||
    'provider';
  try {
    // Judged by the newest state, so that only the submission that opened the circuit logs it.
    const after = await breakers.change(key, (breaker, nowMs) => {
      before = breaker;
      return change(breaker, nowMs);
    });
    if (after === null) return;
    const why = advice[health.kind];
    const reason = why !== undefined && { verdict: health.kind, said: note };
    if (after.openedAt !== null && before.openedAt === null) {
      const { failures, openUntil } = after;
      const name = subject.replace(' ', '_');
      const alert = { alert: `${name}_circuit_open`, ...where, failures, openUntil };
      const text = `${subject} has an open circuit${why ?? ' after consecutive failures'}`;
      log.error({ ...alert, ...reason }, text);
    } else if (isHolding(after) && !isHolding(before)) {
      const alert = { alert: 'orders_held_back', ...where, account: order?.accountId };
      log.error(
        { ...alert, ...reason },
        `${subject} receives no orders from one account${why ?? ''}`,
      );
    }
    if (after.openedAt === null && before.openedAt !== null) {
      // Only warnings and errors may name a model of a provider.
      log.info({ provider: where.provider }, `${subject} is in service again`);
    }
  } catch (error) {
    log.warn({ error, ...where }, `failed to write the state of a ${subject}`);
  }
}

const isHolding = ({ identical }: Breaker) => (identical?.holdsUntil ?? 0) > 0;
