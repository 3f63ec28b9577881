import type { SharedV4ProviderOptions, SharedV4Warning } from '@ai-sdk/provider';
import type {
  ProviderRequest,
  Route,
  Submission,
  CancelResult,
} from '../../application/ports/providers.ts';
import type { Log } from '../../application/ports/system.ts';
import { withinTime } from '../../application/ports/concurrency.ts';
import { costOfOrder, type Money } from '../../domain/cost.ts';
import type { RouteEntry, JsonObject } from './configuredRoutes.ts';
import type { Dialect } from './dialect.ts';
import type { ParametersDropped } from './droppedParameters.ts';
import { isAnswered, recordCall } from './exchanges.ts';
import type { InputUnreadable } from './inputFiles.ts';
import { failureTextOf, staffNote, type FailureRules } from './providerFailures.ts';
import type { ProviderHttp } from './providerHttp.ts';
import { covers, type RouteSupport } from './routeSupport.ts';

/** The parts of a route in addition to its model. */
export interface RouteParts {
  entry: RouteEntry;
  maxConcurrent: number;
  budget: Money | null;
  safeToRepeat: boolean;
  dialect: Dialect;
  support: RouteSupport;
  failureRules: FailureRules;
  /** Null for a renderer inside this machine. */
  http: ProviderHttp | null;
  /** With the key; null for a renderer inside this machine. */
  fetch: typeof globalThis.fetch | null;
  /** Of the API, where the entry names it; empty otherwise. */
  baseURL: string;
  reachesPrivate: boolean;
  imageTimes: ImageTimes;
  log: Log;
}

/** The times of image calls, in ms. */
export interface ImageTimes {
  /** The longest that a call may take. */
  callMs: number;
  /** Between an inconclusive poll or download inside a call and the next one. */
  pauseMs: number;
}

/**
 * What a route is whatever it makes: whose it is, what it can do, and what an order costs.
 * @param callsFor How many calls an order takes.
 */
export function routeOf(
  { entry, support, maxConcurrent, budget, safeToRepeat, dialect }: RouteParts,
  callsFor: (parameters: ProviderRequest['parameters']) => Promise<number>,
): Omit<Route, 'submit' | 'poll'> {
  return {
    ...(entry.limits && { limits: entry.limits }),
    provider: entry.provider,
    model: entry.model,
    weight: entry.weight,
    maxConcurrent,
    budget,
    safeToRepeat,
    covers: (request) => covers(support, request),
    async costOf({ parameters }) {
      if (entry.cost === null && dialect.isLocal === true) return 'nothing';
      return costOfOrder(entry.cost, parameters, await callsFor(parameters));
    },
  };
}

/** How a route wants its inputs, for `withInputFiles`. */
export function inputNeeds({ dialect, reachesPrivate }: RouteParts) {
  return { bytesOnly: dialect.takesBytesOnly === true, reachesPrivate };
}

/** Parameters whose loss takes nothing from what was billed or promised. */
const unpromised: readonly string[] = ['seed', 'fps'];

/**
 * The provider's own options of a request: ours, then the operator's, then in real-person mode the
 * operator's for that; a later one wins, and null takes one of ours away.
 */
export function ownOptions(
  { dialect, entry }: Pick<RouteParts, 'dialect' | 'entry'>,
  request: ProviderRequest,
  own: JsonObject,
): SharedV4ProviderOptions {
  const { parameters } = request;
  const isRealPerson = 'real_person_mode' in parameters && parameters.real_person_mode;
  const all = { ...own, ...entry.options, ...(isRealPerson ? entry.realPersonOptions : {}) };
  const kept = Object.entries(all).filter(([key, value]) => value !== null || !(key in own));
  return { [dialect.name]: Object.fromEntries(kept) };
}

/**
 * A submission that was not made, because the package would have left a promised parameter out of it.
 * The next route is tried; the log asks the operator to correct `supports`.
 */
export function refuseDropped(
  { parameters }: ParametersDropped,
  request: ProviderRequest,
  parts: Pick<RouteParts, 'entry' | 'log'>,
): Submission {
  const note = alertDropped(parameters, request, parts);
  return { kind: 'refused', code: null, busy: false, note };
}

/**
 * Logs what a package did not send on. A lost parameter that was billed or promised is an
 * alert: the operator has to correct the route's `supports`, or Framegate its dialect.
 * @param given What the package was given: some warn of a field that was not.
 * @returns a note for staff when the customer would not get what was paid for; null otherwise.
 */
export function reportWarnings(
  warnings: readonly SharedV4Warning[],
  request: ProviderRequest,
  parts: Pick<RouteParts, 'entry' | 'log'>,
  given: Readonly<Record<string, unknown>> = {},
): string | null {
  const lost: string[] = [];
  for (const warning of warnings) {
    if (warning.type !== 'unsupported' || isAbsent(given, warning.feature)) {
      const where = whereOf(request, parts);
      parts.log.warn({ ...where, warning: warning.type }, 'a provider package warns');
    } else if (!unpromised.includes(warning.feature)) {
      lost.push(warning.feature);
    }
  }
  return lost.length > 0 ? alertDropped(lost, request, parts) : null;
}

/** Raises the alert for each lost parameter. @returns the note for staff. */
function alertDropped(
  lost: readonly string[],
  request: ProviderRequest,
  parts: Pick<RouteParts, 'entry' | 'log'>,
): string {
  for (const feature of lost) {
    const alert = { ...whereOf(request, parts), alert: 'parameter_dropped', feature };
    parts.log.error(alert, 'a provider package dropped a parameter that was promised');
  }
  return `not sent on: ${lost.join(', ')}`;
}

/** Which route a line of the log is about, and for which generation. */
function whereOf({ generationId }: ProviderRequest, { entry }: Pick<RouteParts, 'entry'>) {
  return {
    provider: entry.provider,
    upstream_model: entry.model,
    generation_id: generationId,
  };
}

function isAbsent(given: Readonly<Record<string, unknown>>, feature: string): boolean {
  return feature in given && given[feature] === undefined;
}

/** Our own store failed: nothing was sent, and later it may work. */
export function unreadableInput({ message }: InputUnreadable): Submission {
  return { kind: 'refused', code: null, busy: true, note: `input: ${message}` };
}

const cannotCancel: CancelResult = { accepted: false, note: 'it cannot be cancelled' };

/**
 * One route over all keys of its provider, from a route for each of them. What was ordered with a key is
 * polled and cancelled with that key; one that is gone gives way to the first.
 * @param routes By the names of the keys, in the operator's order; at least one.
 */
export function overKeys(routes: ReadonlyMap<string, Route>): Route {
  const names = [...routes.keys()];
  const [first] = routes.values();
  if (!first) throw new Error('a provider without a key');
  let turn = 0;
  const by = (key: string | undefined): Route => (key && routes.get(key)) || first;
  return {
    ...first,
    keys: names,
    keysInTurn() {
      const start = turn++ % names.length;
      return [...names.slice(start), ...names.slice(0, start)];
    },
    submit: (request, signal, key) => by(key).submit(request, signal),
    poll: (operation, request, signal, source, key) =>
      by(key).poll(operation, request, signal, source),
    ...(first.cancel && {
      cancel: async (operation, signal, key) =>
        (await by(key).cancel?.(operation, signal)) ?? cannotCancel,
    }),
  };
}

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
