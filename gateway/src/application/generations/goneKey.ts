import type { Attempt } from '../../domain/attempt.ts';
import type { PollResult, Route } from '../ports/providers.ts';
import type { Clock, Log } from '../ports/system.ts';

/** Statuses with which providers answer a key that did not make the job. */
const refusingStatuses: readonly (number | null)[] = [401, 403, 404];

const reason = 'made with a key that is gone';
/** An alert about one key is not repeated by one process before, in ms. */
const toldForMs = 3600_000;
const maxTold = 1_000;

/**
 * Explains a refused look at a job whose key has been replaced under its name, and tells the operator. It is no verdict:
 * the former key may come back, and another key of the same account finds the job as well.
 */
export type ExplainGoneKey = (route: Route, attempt: Attempt, result: PollResult) => PollResult;

/** Creates the function for one process, which remembers the keys that it has told about. */
export function createExplainGoneKey({ log, clock }: { log: Log; clock: Clock }): ExplainGoneKey {
  /** When, by a key's name and fingerprint. */
  const told = new Map<string, number>();
  return (route, { provider, key, keyPrint }, result) => {
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
  };
}
