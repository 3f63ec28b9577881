import type { Attempt } from '../../domain/attempt.ts';
import type { PollResult, Route } from '../ports/providers.ts';
import type { WorkDeps } from './deps.ts';

/** Statuses with which providers answer a key that did not make the job. */
const refusingStatuses: readonly (number | null)[] = [401, 403, 404];

const reason = 'made with a key that is gone';
/** An alert about one key is not repeated by one process before, in ms. */
const toldForMs = 3600_000;
/** When this process told about a key, by its name and fingerprint. */
const told = new Map<string, number>();
const maxTold = 1_000;

/**
 * Explains a refused look at a job whose key has been replaced under its name, and tells the operator. It is no verdict:
 * the former key may come back, and another key of the same account finds the job as well.
 */
export function explainGoneKey(
  { log, clock }: Pick<WorkDeps, 'log' | 'clock'>,
  route: Route,
  { provider, key, keyPrint }: Attempt,
  result: PollResult,
): PollResult {
  if (result.kind !== 'fault' || !result.answer || keyPrint === undefined) return result;
  const isRefused = refusingStatuses.includes(result.answer.status);
  if (!isRefused || route.keyPrintOf?.(key) === keyPrint) return result;
  const [name, now] = [`${provider} ${key ?? ''} ${keyPrint}`, clock.now()];
  if ((told.get(name) ?? -Infinity) + toldForMs <= now) {
    if (told.size >= maxTold) told.clear();
    told.set(name, now);
    log.error(
      { alert: 'key_changed', provider, api_key: key },
      'a provider refuses looks at jobs made with a key that is gone: put it back until they have ended',
    );
  }
  const note = `${reason} (${key ?? ''}): ${result.note}`;
  return { ...result, note, answer: { ...result.answer, failure: reason } };
}
