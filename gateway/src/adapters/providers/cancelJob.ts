import type { CancelResult } from '../../application/ports/providers.ts';
import { withinTime } from '../../application/ports/timing.ts';
import { isAnswered, recordCall } from './exchanges.ts';
import { failureTextOf, staffNote } from './providerFailures.ts';
import type { RouteParts } from './routeParts.ts';

/** The longest that a provider has to answer, in ms. */
const cancelMs = 10_000;

/**
 * Asks a provider to stop working on an operation, where its dialect knows how. It goes to hosts of the API
 * only, because an operation may name any address. Never throws.
 */
export async function cancelJob(
  operation: unknown,
  signal: AbortSignal,
  { dialect, fetch, failureRules: { apiKey }, baseURL }: RouteParts,
): Promise<CancelResult> {
  const request = dialect.cancelRequest?.(operation, { apiKey, baseURL });
  if (!request || !fetch) return { accepted: false, note: 'the operation names no job' };
  const { url, method, authorization } = request;
  const call = await recordCall(
    'poll',
    () =>
      withinTime(cancelMs, signal, (limited) =>
        fetch(url, { method, headers: { authorization }, signal: limited }),
      ),
    { isTyped: true },
  );
  const last = call.exchanges.at(-1);
  const { status = null, failure = null, body = null } = last ?? {};
  return {
    accepted: last !== undefined && isAnswered(last),
    note: staffNote([status?.toString() ?? 'no answer', failure, failureTextOf(body)], apiKey),
  };
}
