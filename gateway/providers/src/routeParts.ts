import type { SharedV4ProviderOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { Log } from '@framegate/contract';
import { addWithin } from '@framegate/limits';
import type { Provider, RouteEntry } from './configuredRoutes.ts';
import { expectedSize, sizeOf } from './deliveredSizes.ts';
import type { Dialect } from './dialect.ts';
import { ParametersDroppedError } from './droppedParameters.ts';
import { InputUnreadableError } from './inputFiles.ts';
import type { Network } from './network.ts';
import { type Api, freeProbe } from './ownRequests.ts';
import type { FailureRules } from './providerFailures.ts';
import type { ProviderHttp } from './providerHttp.ts';
import type { ProviderRequest, Route, Submission } from './route.ts';
import { costOfOrder } from './routeCost.ts';
import type { RoutePlan } from './routePlan.ts';
import { covers } from './routeSupport.ts';
import { findPromises, type JsonObject, type SendRules } from './sendRules.ts';

/** The components of a route in addition to its model. */
export interface RouteParts {
  entry: RouteEntry;
  provider: Provider;
  safeToRepeat: boolean;
  dialect: Dialect;
  plan: RoutePlan;
  failureRules: FailureRules;
  /** Null for a local renderer. */
  http: ProviderHttp | null;
  /** Null for a local renderer. */
  api: Api | null;
  isNearHost: Network['isNearHost'];
  /** Hosts of the route's most recent files, across all its keys, newest last. */
  fileHosts: Set<string>;
  imageTimes: ImageTimes;
  /** Parameters whose loss has raised an alert, with provider and model, across all routes and keys. */
  alertedParameters: Set<string>;
  log: Log;
}

/** The times of image calls, in ms. */
export interface ImageTimes {
  /** Time limit of a call. */
  callMs: number;
  /** Pause after an inconclusive poll or download inside a call. */
  pauseMs: number;
}

/**
 * The members common to all routes: provider, support and costs.
 * @param callsFor Returns the number of calls that an order takes.
 */
export function routeOf(
  parts: RouteParts,
  callsFor: (parameters: ProviderRequest['parameters']) => Promise<number>,
): Omit<Route, 'submit' | 'poll'> {
  const { entry, plan, provider, safeToRepeat, dialect, api } = parts;
  const { probe } = dialect.models;
  // The operator directs requests to a URL other than the package's own.
  const isElsewhere = provider.kind === 'ai-sdk' && 'baseURL' in provider.options;
  return {
    ...(probe && api && !isElsewhere && { probe: freeProbe(probe, api, parts.failureRules) }),
    ...(entry.limits && { limits: entry.limits }),
    ...('polls' in provider && { polls: provider.polls }),
    ...(entry.region !== null && { region: entry.region }),
    ...(entry.groups && { groups: entry.groups }),
    provider: entry.provider,
    model: entry.model,
    weight: entry.weight,
    maxConcurrent: provider.maxConcurrent,
    budget: provider.budget,
    delivery: {
      sizesOf: (request) => expectedSize(plan.row, request),
      rule: provider.delivery,
    },
    safeToRepeat,
    fileHosts: () => [...parts.fileHosts],
    covers: (request) => covers(plan.support, request),
    async findCost(request, tokens) {
      const { cost } = entry;
      if (cost === null) return dialect.isLocal === true ? 'nothing' : null;
      const { parameters } = request;
      const type = 'duration_seconds' in parameters ? 'video' : 'image';
      const size = sizeOf(plan.row, type, parameters);
      return costOfOrder(cost, request, { calls: await callsFor(parameters), size, tokens });
    },
  };
}

/** Maximum file hosts remembered per route. */
const maxHosts = 5;

/** Remembers the actual or intended host of a file. */
export function recordHost({ fileHosts }: Pick<RouteParts, 'fileHosts'>, host: string): void {
  addWithin(fileHosts, host, maxHosts);
}

/** A route's requirements on its inputs, for `withInputFiles`. */
export function inputNeeds({ dialect, provider, isNearHost }: RouteParts) {
  const reachesPrivate = 'allowPrivateNetwork' in provider && provider.allowPrivateNetwork;
  return { takesBytesOnly: dialect.takesBytesOnly === true, reachesPrivate, isNearHost };
}

/** Parameters whose loss affects nothing that is billed or promised. */
const unpromised: readonly string[] = ['seed', 'fps'];

/** The operator's options of a request, including those for real-person mode if applicable; later ones win. */
export function optionsFor({ parameters }: ProviderRequest, entry: RouteEntry): JsonObject[] {
  const isRealPerson = 'real_person_mode' in parameters && parameters.real_person_mode;
  return [entry.options, ...(isRealPerson ? [entry.realPersonOptions] : [])];
}

/**
 * The provider's own options of a request: ours, then the operator's; null removes one of ours.
 */
export function ownOptions(
  { dialect, entry }: Pick<RouteParts, 'dialect' | 'entry'>,
  request: ProviderRequest,
  own: JsonObject,
): SharedV4ProviderOptions {
  const all = Object.assign({}, own, ...optionsFor(request, entry)) as JsonObject;
  const remaining = Object.entries(all).filter(([key, value]) => value !== null || !(key in own));
  return { [dialect.name]: Object.fromEntries(remaining) };
}

/**
 * The result of a submission that was not made; null for an error after the order may have been sent. A failure of our
 * own store may have passed at a later attempt. If the package would have omitted a promised parameter, another route
 * may take the order, and the log asks the operator to correct `does` or `send`.
 */
export function unsent(
  error: unknown,
  request: ProviderRequest,
  parts: DroppedParts,
): Submission | null {
  const refused = { kind: 'refused', code: null } as const;
  if (error instanceof InputUnreadableError) {
    return { ...refused, isBusy: true, note: `input: ${error.message}` };
  }
  if (!(error instanceof ParametersDroppedError)) return null;
  const note = alertDropped(error.parameters, request, parts);
  return { ...refused, isBusy: false, note, health: { kind: 'parameter_dropped' } };
}

/**
 * Logs the parameters that a package did not pass on. A lost parameter that was billed or promised raises an alert: the
 * operator must correct the route's `does` or `send`, or Framegate its row.
 * @param options Options passed to the package, since some packages warn about absent fields.
 * @returns A staff note if the result would differ from the paid order, else null.
 */
export function reportWarnings(
  warnings: readonly SharedV4Warning[],
  request: ProviderRequest,
  parts: DroppedParts,
  options: Readonly<Record<string, unknown>> = {},
): string | null {
  const lost: string[] = [];
  const isAbsent = (name: string) => name in options && options[name] === undefined;
  for (const warning of warnings) {
    if (warning.type !== 'unsupported' || isAbsent(warning.feature)) {
      const where = whereOf(request, parts);
      parts.log.warn({ ...where, warning: warning.type }, 'provider package reported a warning');
    } else if (!unpromised.includes(warning.feature)) {
      lost.push(warning.feature);
    }
  }
  return lost.length > 0 ? alertDropped(lost, request, parts) : null;
}

type DroppedParts = Pick<RouteParts, 'entry' | 'log' | 'plan' | 'alertedParameters'>;

/** Maximum of remembered alerts: the names come from packages. */
const maxAlerted = 10_000;

/**
 * Raises an alert for each lost parameter, once while the routes are open: several may have the same provider
 * and model.
 * @returns The note for staff.
 */
function alertDropped(
  lost: readonly string[],
  request: ProviderRequest,
  parts: DroppedParts,
): string {
  for (const feature of lost) {
    const name = [parts.entry.provider, parts.entry.model, feature].join(' ');
    if (parts.alertedParameters.has(name)) continue;
    addWithin(parts.alertedParameters, name, maxAlerted);
    const sentBy = sentByOf(feature, parts.plan.send);
    const alert = { ...whereOf(request, parts), alert: 'parameter_dropped', feature, ...sentBy };
    parts.log.error(
      alert,
      'provider package dropped a parameter that was promised; correct does or send of its route',
    );
  }
  return `not sent on: ${lost.map((feature) => fieldShown(feature, parts.plan.send)).join(', ')}`;
}

/** A field of a call as `send` names it, such as `@resolution`, with the promises sent there. */
export function fieldShown(feature: string, send: SendRules): string {
  const { field, send: promised } = sentByOf(feature, send);
  return promised === undefined ? field : `${field} (send.${promised.join(', send.')})`;
}

function sentByOf(feature: string, send: SendRules): { field: string; send?: string[] } {
  for (const field of [`@${feature}`, feature]) {
    const sentThere = findPromises(field, send);
    if (sentThere.length > 0) return { field, send: sentThere };
  }
  return { field: feature };
}

/** The route and generation of a log line. */
function whereOf({ generationId }: ProviderRequest, { entry }: Pick<RouteParts, 'entry'>) {
  return {
    provider: entry.provider,
    providerModel: entry.model,
    generationId,
  };
}
