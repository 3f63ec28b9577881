import { withinTime } from '@framegate/limits';
import { isAnswered, recordCall } from './exchanges.ts';
import { parseJson } from './providerFailures.ts';
import type { Route } from './route.ts';
import type { FreeProbe } from './rows.ts';

/** Time limit for the answer, in ms. */
const probeMs = 3_000;

/**
 * The free probe that a provider's rows declare, with one key. It holds a generation back only for reasons that would
 * refuse the generation as well: no connection, a refused key, or an empty account.
 */
export function freeProbe(
  probe: FreeProbe,
  { fetch, baseURL, apiKey }: { fetch: typeof globalThis.fetch; baseURL: string; apiKey: string },
): NonNullable<Route['probe']> {
  const url = probe.url.replace('{baseURL}', baseURL);
  const headers = Object.fromEntries(
    Object.entries(probe.headers).map(([name, value]) => [name, value.replace('{key}', apiKey)]),
  );
  return async (signal) => {
    const { exchanges } = await recordCall('poll', () =>
      withinTime(probeMs, signal, (limited) => fetch(url, { headers, signal: limited })),
    );
    const last = exchanges.at(-1);
    if (!last || signal.aborted) return null;
    if (last.status === null) return { kind: 'failure' };
    if (last.status === 401 || last.status === 402) return { kind: 'key_failure' };
    if (!isAnswered(last)) return null;
    const credit = probe.balance === undefined ? null : numberIn(last.body, probe.balance);
    return credit !== null && credit <= 0 ? { kind: 'key_failure' } : { kind: 'success' };
  };
}

function numberIn(body: string | null, field: string): number | null {
  const json = parseJson(body ?? '');
  if (typeof json !== 'object' || json === null) return null;
  const value = (json as Record<string, unknown>)[field];
  return typeof value === 'number' ? value : null;
}
