import { hourMs, type Log } from '@framegate/contract';
import { setWithin } from '@framegate/limits';
import type { PollResult, Route, Routes } from '@framegate/provider-routes';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { FindKeysInUse, KeyInUse, RemovedKey, RoutesReload } from '../../ports/providers.ts';
import type { Clock } from '../../ports/system.ts';

/** Statuses with which providers refuse a key that did not make the job. */
const refusingStatuses: readonly (number | null)[] = [401, 403, 404];

const reason = 'created with a removed key';
/** Minimum time between two alerts of one process about the same key, in ms. */
const warnedForMs = hourMs;
const maxWarned = 1_000;

/**
 * Adds the cause to a refused poll of a job whose key was replaced under the same name, and alerts the operator. The
 * refusal is not a verdict: the former key may come back, and another key of the same account also finds the job.
 */
export type ReportRemovedKey = (route: Route, attempt: Attempt, result: PollResult) => PollResult;

/** Creates the function for one process, which remembers the keys already reported. */
export function createReportRemovedKey({
  log,
  clock,
}: {
  log: Log;
  clock: Clock;
}): ReportRemovedKey {
  /** When, by a key's name and fingerprint. */
  const warnedAt = new Map<string, number>();
  return (route, { provider, key, keyPrint }, result) => {
    if (result.kind !== 'fault' || !result.response || keyPrint === undefined) return result;
    const isRefused = refusingStatuses.includes(result.response.status);
    if (!isRefused || route.keyPrintOf?.(key) === keyPrint) return result;
    const [name, nowMs] = [`${provider} ${key ?? ''} ${keyPrint}`, clock.now()];
    if ((warnedAt.get(name) ?? -Infinity) + warnedForMs <= nowMs) {
      setWithin(warnedAt, name, nowMs, maxWarned);
      log.error(
        { alert: 'key_changed', provider, keyName: key },
        'provider refuses polls of jobs created with a removed key: restore it until they have ended',
      );
    }
    const note = `${reason} (${key ?? ''}): ${result.note}`;
    const { retryAfterMs } = result;
    // Only the job's own key can tell whether it is finished.
    return {
      kind: 'fault',
      note,
      response: { ...result.response, failure: reason },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  };
}

/** Adds the removed keys with unfinished jobs to the result of a reload, and alerts the operator. Never throws. */
export async function warnOfRemovedKeys(
  result: RoutesReload,
  deps: { routes: Pick<Routes, 'find'>; findKeysInUse: FindKeysInUse; log: Log },
): Promise<RoutesReload> {
  try {
    const removedKeys = listRemovedKeys(await deps.findKeysInUse(), deps.routes);
    for (const { provider, key: keyName, generations } of removedKeys) {
      const fields = { alert: 'key_changed', provider, keyName, generations };
      deps.log.error(fields, 'unfinished jobs were created with a removed key: restore it');
    }
    return removedKeys.length === 0 ? result : { ...result, removedKeys };
  } catch (error) {
    deps.log.warn({ error }, 'failed to read the keys of unfinished jobs');
    return result;
  }
}

/** The keys in use that the routes no longer have, by provider and name. */
function listRemovedKeys(inUse: readonly KeyInUse[], routes: Pick<Routes, 'find'>): RemovedKey[] {
  const removedKeys = new Map<string, RemovedKey>();
  for (const { provider, model, key, keyPrint, generations } of inUse) {
    const route = routes.find(provider, model, key ?? undefined);
    // The jobs' own alerts report a removed route.
    if (!route?.keyPrintOf || route.keyPrintOf(key ?? undefined) === keyPrint) continue;
    const name = `${provider} ${key ?? ''}`;
    const before = removedKeys.get(name)?.generations ?? 0;
    removedKeys.set(name, { provider, key, generations: before + generations });
  }
  return [...removedKeys.values()];
}
