import { withinTime } from '@framegate/limits';
import type { Dialect } from './dialect.ts';
import { isAnswered, recordCall, type Exchange } from './exchanges.ts';
import { failureTextOf, staffNote } from './providerFailures.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';
import type { CancelResult, Route } from './route.ts';
import type { FreeProbe } from './rows.ts';

/** A provider's API with one of its keys. */
export interface Api {
  fetch: typeof globalThis.fetch;
  /** If the entry names it; else empty. */
  baseURL: string;
  apiKey: string;
}

/** Sends a request of our own to a host of the API. @returns Undefined if nothing was tried. Never throws. */
async function send(
  { fetch }: Api,
  url: string,
  init: { method: string; headers: Record<string, string> },
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<Exchange | undefined> {
  const call = await recordCall(
    'poll',
    () => withinTime(ms, signal, (limited) => fetch(url, { ...init, signal: limited })),
    { isTyped: true },
  );
  return call.exchanges.at(-1);
}

/** Time limit for the answer to a probe, in ms. */
const probeMs = 3_000;

/**
 * The free probe that a provider's rows declare, with one key. It holds a generation back only for reasons that would
 * refuse the generation as well: no connection, a refused key, or an empty account.
 */
export function freeProbe(probe: FreeProbe, api: Api): NonNullable<Route['probe']> {
  const url = probe.url.replace('{baseURL}', api.baseURL);
  const headers = Object.fromEntries(
    Object.entries(probe.headers).map(([name, value]) => [
      name,
      value.replace('{key}', api.apiKey),
    ]),
  );
  return async (signal) => {
    const last = await send(api, url, { method: 'GET', headers }, { ms: probeMs, signal });
    if (!last || signal.aborted) return null;
    if (last.status === null) return { kind: 'failure' };
    if (last.status === 401 || last.status === 402) return { kind: 'key_failure' };
    if (!isAnswered(last)) return null;
    const credit = fieldsOf(parseJson(last.body ?? ''))[probe.balance ?? ''];
    const isEmpty = typeof credit === 'number' && credit <= 0;
    return { kind: isEmpty ? 'key_failure' : 'success' };
  };
}

/** Time limit for the answer to a cancellation, in ms. */
const cancelMs = 10_000;

/**
 * Asks a provider to cancel an operation, if its dialect supports that. The request goes only to hosts of the
 * API, because an operation may name any address. Never throws.
 */
export async function cancelJob(
  operation: unknown,
  signal: AbortSignal,
  { cancelRequest }: Pick<Dialect, 'cancelRequest'>,
  api: Api,
): Promise<CancelResult> {
  const request = cancelRequest?.(operation, api);
  if (!request) return { accepted: false, note: 'the operation names no job' };
  const { url, method, authorization } = request;
  const init = { method, headers: { authorization } };
  const last = await send(api, url, init, { ms: cancelMs, signal });
  const { status = null, failure = null, body = null } = last ?? {};
  return {
    accepted: last !== undefined && isAnswered(last),
    note: staffNote([status?.toString() ?? 'no answer', failure, failureTextOf(body)], api.apiKey),
  };
}
