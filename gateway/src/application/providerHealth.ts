import {
  admits,
  afterSubmission,
  breakerKeys,
  modelBreakerKey,
  takeProbe,
  type ProviderHealth,
} from '../domain/breaker.ts';
import type { Route, Submission } from './ports/providers.ts';
import type { WorkDeps } from './workDeps.ts';

type Asked = Pick<Route, 'provider' | 'model'>;

/**
 * Whether this generation may be given to the route now: its provider, its model and its budget are in
 * service, or this one is their probe. Of all processes one gets a probe.
 */
export async function mayGive(
  { breakers, clock }: Pick<WorkDeps, 'breakers' | 'clock'>,
  route: Asked & Pick<Route, 'budget'>,
): Promise<boolean> {
  // The provider last: its probe is not to be taken for a model or a budget that rests.
  const known = breakerKeys(route).map((key) => ({
    key,
    admitted: admits(breakers.of(key), clock.now()),
  }));
  if (known.some(({ admitted }) => admitted === 'no')) return false;
  for (const { key, admitted } of known) {
    if (admitted === 'probe' && (await breakers.change(key, takeProbe)) === null) return false;
  }
  return true;
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
  deps: Pick<WorkDeps, 'breakers' | 'clock' | 'log'>,
  route: Asked,
  submission: Submission,
): Promise<void> {
  const { provider, model } = route;
  const ofModel = { key: modelBreakerKey(route), where: { provider, upstream_model: model } };
  const ofProvider = { key: provider, where: { provider } };
  const health = healthOf(submission);
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

async function noteAt(
  { breakers, clock, log }: Pick<WorkDeps, 'breakers' | 'clock' | 'log'>,
  { key, where }: { key: string; where: { provider: string; upstream_model?: string } },
  health: ProviderHealth,
): Promise<void> {
  const before = breakers.of(key);
  // Usually there is nothing to write.
  if (afterSubmission(before, health, clock.now()) === null) return;
  const what = where.upstream_model === undefined ? 'provider' : 'model';
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
