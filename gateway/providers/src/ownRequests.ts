import { withTimeLimit } from '@framegate/limits';
import { textIn } from './dialect.ts';
import { type Exchange, isAnswered, recordCall } from './exchanges.ts';
import { textAt } from './http/pointers.ts';
import { failureTextOf, parseErrorResponse, staffNote } from './providerFailures.ts';
import type { Route } from './route.ts';
import type { CancelRequest, FreeProbe } from './rows.ts';
import { fillForm, fillForms } from './sendRules.ts';
import { parseJson } from './unknownJson.ts';
import { interpretResponse, isOfKey, type MeaningRules } from './verdicts.ts';

/** A provider's API with one of its keys. */
export interface Api {
  fetch: typeof globalThis.fetch;
  /** Base URL from the entry; empty if it names none. */
  baseURL: string;
  apiKey: string;
  /** Presents the key for files that the API itself serves; absent if they need none. */
  presentForFile?: PresentKey;
}

/** The issuer of tokens refused the key. */
export class KeyRefusedError extends Error {
  override readonly name = 'KeyRefusedError';
}

/**
 * The URL and the headers with which a request presents its key.
 * @throws KeyRefusedError, or another Error if no token can be had at this moment.
 */
export type PresentKey = (request: {
  method: string;
  url: string;
  headers: Headers;
  body?: RequestInit['body'];
}) => Promise<{ url: string; headers: Readonly<Record<string, string>> }>;

/** Calls a path of an API with its key, by GET, or by POST with a body. @returns The status, text and JSON. */
export async function callApi(
  { fetch, baseURL, apiKey }: Api,
  path: string,
  signal: AbortSignal | undefined,
  body?: object,
): Promise<{ ok: boolean; status: number; text: string; json: unknown }> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${baseURL}${path}`, {
    ...(body && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
    signal: signal ?? null,
    headers: {
      accept: 'application/json',
      ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
  });
  const { ok, status } = response;
  const text = await response.text();
  return { ok, status, text, json: parseJson(text) };
}

/** Time limits for the responses to a probe and to a cancellation, in ms. */
const probeMs = 3_000;
const cancelMs = 10_000;

/**
 * Sends one of our own requests to a host of the API.
 * @param value The value for `{value}`.
 * @returns Undefined if nothing was tried. Never throws.
 */
async function send(
  { fetch, baseURL, apiKey: key }: Api,
  { method, url, headers }: Pick<CancelRequest, 'url' | 'headers'> & { method: string },
  { ms, signal, value = '' }: { ms: number; signal: AbortSignal; value?: string },
): Promise<Exchange | undefined> {
  const values = { baseURL, key, value };
  const init = { method, headers: fillForms(headers, values) };
  const call = await recordCall(
    'poll',
    () =>
      withTimeLimit(ms, signal, (limited) =>
        fetch(fillForm(url, values), { ...init, signal: limited }),
      ),
    { isTyped: true },
  );
  return call.exchanges.at(-1);
}

/**
 * The free probe declared in a provider's rows, with one key. It holds a generation back only for reasons that would
 * also refuse the generation: no connection, a refused key or region, or an empty account.
 */
export function freeProbe(
  probe: FreeProbe,
  api: Api,
  rules: MeaningRules,
): NonNullable<Route['probe']> {
  return async (signal) => {
    const last = await send(api, { method: 'GET', ...probe }, { ms: probeMs, signal });
    if (!last || signal.aborted) return null;
    if (last.status === null) return { kind: 'failure' };
    if (!isAnswered(last)) {
      const { verdict } = interpretResponse(parseErrorResponse(last), 'submit', rules);
      return isOfKey(verdict) ? { kind: verdict } : null;
    }
    const { balance } = probe;
    const credit = balance && textAt(parseJson(last.body ?? ''), [balance]);
    const isEmpty = typeof credit === 'string' && /^-?[\d.]+$/.test(credit) && Number(credit) <= 0;
    return { kind: isEmpty ? 'account' : 'success' };
  };
}

/**
 * Asks a provider to cancel an operation. The request goes only to hosts of the API, because an operation may name any
 * address. Never throws.
 */
export function cancelJob(cancel: CancelRequest, api: Api): NonNullable<Route['cancel']> {
  return async (operation, signal) => {
    const named = textIn(operation, cancel.field);
    if (named === null) return { isAccepted: false, note: 'the operation names no job' };
    const value = /^https?:/.test(named) ? named : encodeURIComponent(named);
    const last = await send(api, cancel, { ms: cancelMs, signal, value });
    const { status = null, failure = null, body = null } = last ?? {};
    const parts = [status?.toString() ?? 'no response', failure, failureTextOf(body)];
    return {
      isAccepted: last !== undefined && isAnswered(last),
      note: staffNote(parts, api.apiKey),
    };
  };
}
