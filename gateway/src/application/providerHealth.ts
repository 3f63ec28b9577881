import { admits, afterSubmission, takeProbe, type ProviderHealth } from '../domain/breaker.ts';
import type { Submission } from './ports/providers.ts';
import type { WorkDeps } from './workDeps.ts';

/**
 * Whether this generation may be given to the provider now: it is in service, or this one is its
 * probe. Of all processes one gets a probe.
 */
export async function mayGive(
  { breakers, clock }: Pick<WorkDeps, 'breakers' | 'clock'>,
  provider: string,
): Promise<boolean> {
  const known = admits(breakers.of(provider), clock.now());
  if (known !== 'probe') return known === 'yes';
  return (await breakers.change(provider, takeProbe)) !== null;
}

/** What a submission says about its provider; null where it was about the request alone. */
export function healthOf(submission: Submission): ProviderHealth | null {
  if (submission.kind === 'unknown') return { kind: 'failure' };
  return submission.kind === 'refused' ? (submission.health ?? null) : { kind: 'success' };
}

/**
 * Notes what a submission says about its provider. A failure to write it is logged
 * and does not stop the generation.
 */
export async function noteHealth(
  { breakers, clock, log }: Pick<WorkDeps, 'breakers' | 'clock' | 'log'>,
  provider: string,
  submission: Submission,
): Promise<void> {
  const health = healthOf(submission);
  if (health === null) return;
  const before = breakers.of(provider);
  // Usually there is nothing to write.
  if (afterSubmission(before, health, clock.now()) === null) return;
  try {
    const after = await breakers.change(provider, (breaker, now) =>
      afterSubmission(breaker, health, now),
    );
    if (after === null) return;
    if (after.closedOffAt !== null && before.closedOffAt === null) {
      const { failures, restsUntil } = after;
      const alert = { alert: 'provider_closed_off', provider, failures, rests_until: restsUntil };
      log.error(alert, 'a provider is closed off after failures in a row');
    }
    if (after.closedOffAt === null && before.closedOffAt !== null) {
      log.info({ provider }, 'a provider is in service again');
    }
  } catch (error) {
    log.warn({ error, provider }, 'the state of a provider could not be written');
  }
}
