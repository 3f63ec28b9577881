import Joi from 'joi';
import type { Graph } from './comfyUi/graph.ts';
import type { Description } from './http/description.ts';
import type { ResultFlag } from './resultFlags.ts';
import type { DeliveryRule, Money, PollLimits, Route, RouteLimits, RouteRanking } from './route.ts';
import type { RouteCost } from './routeCost.ts';
import type { Abilities } from './routeSupport.ts';
import type { JsonObject, SendRules } from './sendRules.ts';
import type { ErrorRule } from './verdicts.ts';

/** Fields of every provider. */
interface CommonProvider {
  name: string;
  /** Maximum concurrent generations. */
  maxConcurrent: number;
  errorRules: readonly ErrorRule[];
  /** Maximum cost of its orders per UTC day; null for no limit. */
  budget: Money | null;
  delivery: DeliveryRule;
}

/** The built-in renderer. */
export interface PreviewProvider extends CommonProvider {
  kind: 'preview-renderer';
}

/** A key for a provider's API. */
export interface ProviderKey {
  /** Its environment variable, or its fingerprint: not secret, and stored with the key's orders. */
  name: string;
  secret: string;
  /** Whether it only polls and cancels the orders that it made. */
  isFormer?: boolean;
}

/** Fields of every provider reached over HTTP. */
export interface HttpProvider extends CommonProvider {
  /** Keys used in rotation, former ones last; empty if the provider needs no key. */
  keys: readonly ProviderKey[];
  /** Origins to reach elsewhere, such as through the operator's proxy. */
  rewriteOrigins: ReadonlyMap<string, string>;
  /** Origins of its API from its entry: `baseURL`, URLs in `options`, rewritten origins. */
  apiOrigins: ReadonlySet<string>;
  /** Hosts for file downloads: `host`, `*.suffix` or `host:port`. */
  mediaHosts: readonly string[];
  /** Allows plain http and private addresses for its API and media. */
  allowPrivateNetwork: boolean;
  polls: PollLimits;
}

/** A package with the Vercel AI SDK's provider interface, from the operator's installation. */
export interface AiSdkProvider extends HttpProvider {
  kind: 'ai-sdk';
  package: string;
  factory: string;
  /** Passed to the factory in addition to the key and our fetch. */
  options: JsonObject;
  /** Fields next to its results that mean a refusal of their content, in addition to the known ones. */
  flags: readonly ResultFlag[];
  /** Description of its calls, if Framegate has no dialect for it. */
  calls: DescribedCalls;
}

/** BytePlus ModelArk. */
export interface ModelArkProvider extends HttpProvider {
  kind: 'model-ark';
  baseURL: string;
}

/** One server of an operator's own GPUs with ComfyUI, which makes the models of its workflows. */
export interface ComfyUiProvider extends HttpProvider {
  kind: 'comfyui';
  baseURL: string;
  /** Workflows by the model name used in routes. */
  workflows: Readonly<Record<string, Graph>>;
}

/** An API that a document describes. */
export interface DescribedProvider extends HttpProvider {
  kind: 'http';
  baseURL: string;
  description: Description;
  /** Fields next to its results that mean a refusal of their content, in addition to the described ones. */
  flags: readonly ResultFlag[];
}

/** A configured provider of any kind. */
export type Provider =
  PreviewProvider | AiSdkProvider | ModelArkProvider | ComfyUiProvider | DescribedProvider;

/** A configured route of a model. */
export interface RouteEntry {
  provider: string;
  /** The route's position in the file's list for the model. */
  listedAt: number;
  /** The provider's own model id. */
  model: string;
  /** The provider's own options, sent with every request; null removes one of ours. */
  options: JsonObject;
  /** Further options, sent only in real-person mode. */
  realPersonOptions: JsonObject;
  /** Abilities of its model: they replace the row's; without a row they are all of them. */
  does: Abilities;
  /** How the promises are sent; combined with the row in the same way. */
  send: SendRules;
  /** The name of its region. */
  region: string | null;
  /** The account groups that it is reserved for; null if it is for all. */
  groups: readonly string[] | null;
  /** Its weight in the random order among weighted neighbours; null for a fixed position. */
  weight: number | null;
  /** Whether a submission of unknown outcome may be repeated. Null for the kind's default. */
  safeToRepeat: boolean | null;
  /** The operator's cost of an order; null if unknown. */
  cost: RouteCost | null;
  /** The route's own limits, in addition to the provider's; equal in all entries of one provider and model. */
  limits: RouteLimits | null;
}

/** Restrictions of a group of accounts. */
export interface GroupRules {
  /** Only routes in these regions. */
  regions: readonly string[];
}

/** The checked ROUTES_FILE, with the providers' keys. Never log it. */
export interface RoutesFile {
  /** Rules by group; other groups may use every route that is not reserved. */
  groups: Readonly<Record<string, GroupRules>>;
  /** Rankings by Framegate's model id, if routes are not tried as listed. */
  order: Readonly<Record<string, RouteRanking>>;
  providers: ReadonlyMap<string, Provider>;
  /** Routes by Framegate's model id, in the operator's order. */
  models: ReadonlyMap<string, { type: 'video' | 'image'; routes: readonly RouteEntry[] }>;
}

/** The account groups named in a file. */
export function groupsIn({ groups, models }: RoutesFile): string[] {
  const reserved = [...models.values()].flatMap(({ routes }) =>
    routes.flatMap((route) => route.groups ?? []),
  );
  return [...new Set([...Object.keys(groups), ...reserved])];
}

/** Whether a route is for accounts of a group (null: of none). */
export function isForGroup(
  { region, groups }: Pick<Route, 'region' | 'groups'>,
  group: string | null,
  rules: RoutesFile['groups'],
): boolean {
  const { regions } = (group !== null && rules[group]) || {};
  const isReserved = groups && !(group !== null && groups.includes(group));
  return !isReserved && (!regions || (region !== undefined && regions.includes(region)));
}

const isPreview = ({ providers }: RoutesFile, provider = '') =>
  providers.get(provider)?.kind === 'preview-renderer';

/** Whether any route uses the preview renderer. */
export function usesPreview(file: RoutesFile): boolean {
  const used = [...file.models.values()].flatMap(({ routes }) => routes);
  return used.some(({ provider }) => isPreview(file, provider));
}

/** Whether the preview renderer is the model's first route. */
export function isPreviewed(file: RoutesFile, modelId: string): boolean {
  return isPreview(file, file.models.get(modelId)?.routes[0]?.provider);
}

/**
 * An operator's description of the calls of a package without a dialect, as far as they differ from the interface
 * documented by `@ai-sdk/provider`.
 */
export interface DescribedCalls {
  /** Its name in `providerOptions`; by convention the last part of the package's name. */
  optionsName?: string;
  /**
   * How it takes a size: in pixels (the default), by our resolution name plus the ratio, or only by the ratio, for
   * models with one resolution.
   */
  size?: 'pixels' | 'name' | 'ratio';
  /** Whether it takes pictures only as bytes. */
  bytesOnly?: boolean;
  /** Parts of error texts that mean a refusal before any work, with any HTTP status. */
  refusals?: readonly string[];
  /** Largest response to a poll, in MiB: more than 4 if it contains finished files. */
  maxPollMib?: number;
}

/** Schema of a provider's `calls` in ROUTES_FILE. */
export const describedCallsSchema = Joi.object({
  optionsName: Joi.string()
    .max(200)
    .pattern(/^[A-Za-z_$][\w$-]*$/, 'a name in providerOptions'),
  size: Joi.string().valid('pixels', 'name', 'ratio'),
  bytesOnly: Joi.boolean(),
  refusals: Joi.array().items(Joi.string().min(3).max(200)).min(1),
  maxPollMib: Joi.number().integer().min(1).max(256),
});
