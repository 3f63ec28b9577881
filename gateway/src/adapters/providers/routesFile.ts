import type { FailureCode } from '@framegate/contract';
import {
  checkShape,
  jsonPath,
  type JsonObject,
  type RoutesFileJson,
  type SupportsJson,
} from './routesFileSchema.ts';

/** A model as the routes file needs to know it: an entry of the catalogue. */
export interface RoutableModel {
  id: string;
  type: 'video' | 'image';
}

/** A text in a provider's refusal or verdict, and what it means to the customer. */
export interface ErrorRule {
  /** Part of the provider's error code or message, in any case of letters. */
  match: string;
  code: FailureCode;
}

/** What holds for every provider. */
interface CommonProvider {
  name: string;
  /** Generations that may be with it at once. */
  maxConcurrent: number;
  errorRules: readonly ErrorRule[];
}

/** The built-in renderer. */
export interface PreviewProvider extends CommonProvider {
  kind: 'preview-renderer';
}

/** What holds for every provider that is reached over HTTP. */
export interface HttpProvider extends CommonProvider {
  apiKey: string;
  /** Origins to reach elsewhere, such as through the operator's proxy. */
  rewriteOrigins: ReadonlyMap<string, string>;
  /** Origins of its API that its entry names: `baseURL`, addresses in `options`, what is rewritten. */
  apiOrigins: ReadonlySet<string>;
  /** `host`, `*.suffix` or `host:port`: where files may be downloaded from. */
  mediaHosts: readonly string[];
  /** Plain http and private addresses for its API and media. */
  allowPrivateNetwork: boolean;
}

/** A package with the Vercel AI SDK's provider interface, from the operator's installation. */
export interface AiSdkProvider extends HttpProvider {
  kind: 'ai-sdk';
  package: string;
  factory: string;
  /** Given to the factory in addition to the key and our fetch. */
  options: JsonObject;
}

/** BytePlus ModelArk. */
export interface ModelArkProvider extends HttpProvider {
  kind: 'model-ark';
  baseURL: string;
}

export type Provider = PreviewProvider | AiSdkProvider | ModelArkProvider;

/** One way to have a model's work done. */
export interface RouteEntry {
  provider: string;
  /** The provider's own model id. */
  model: string;
  /** The provider's own options, sent with every request; null takes one of ours away. */
  options: JsonObject;
  /** Further ones, sent in real-person mode only. */
  realPersonOptions: JsonObject;
  /** What differs from the tested defaults of the provider. */
  supports: SupportsJson;
  /** How often it goes before its neighbours with a weight; null: it has a place of its own. */
  weight: number | null;
  /** Whether a submission of unknown outcome may be repeated. Null: the kind's default. */
  safeToRepeat: boolean | null;
}

/** The checked ROUTES_FILE, with the providers' keys. Never log it. */
export interface RoutesFile {
  providers: ReadonlyMap<string, Provider>;
  /** By our model id, in the operator's order. */
  models: ReadonlyMap<string, { type: 'video' | 'image'; routes: readonly RouteEntry[] }>;
}

/** The routes do not allow a start. The message is for the operator and lists every problem. */
export class RoutesFileError extends Error {
  override readonly name = 'RoutesFileError';
  /** One sentence each, beginning with the JSON path at fault. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      ['ROUTES_FILE does not allow a start:', ...problems.map((each) => `  - ${each}`)].join('\n'),
    );
    this.problems = problems;
  }
}

const previewConcurrent = 4;
const httpConcurrent = 20;

/**
 * Reads the ROUTES_FILE.
 * @param json The parsed file.
 * @param env The environment that `apiKeyEnv` names variables of.
 * @param catalogue The models that routes may be given for.
 * @throws RoutesFileError with every problem.
 */
export function parseRoutesFile(
  json: unknown,
  env: Readonly<Record<string, string | undefined>>,
  catalogue: readonly RoutableModel[],
): RoutesFile {
  const { value, sound, problems } = checkShape(json);
  problems.push(...keyProblems(sound, env), ...routeProblems(sound, value, catalogue));
  if (problems.length > 0) throw new RoutesFileError(problems);
  const providers = Object.entries(value.providers).map(([name, each]): [string, Provider] => [
    name,
    parseProvider(name, each, env),
  ]);
  const models = Object.entries(value.models).map(([id, routes]) => {
    const type = catalogue.find((model) => model.id === id)?.type ?? 'video';
    return [id, { type, routes: routes.map(parseRoute) }] as const;
  });
  return { providers: new Map(providers), models: new Map(models) };
}

/** The routes without a file: the preview renderer makes every model. */
export function defaultRoutes(catalogue: readonly RoutableModel[]): RoutesFile {
  const preview: PreviewProvider = {
    name: 'preview',
    kind: 'preview-renderer',
    maxConcurrent: previewConcurrent,
    errorRules: [],
  };
  const route = (model: string) => parseRoute({ provider: 'preview', model });
  const models = catalogue.map(({ id, type }) => [id, { type, routes: [route(id)] }] as const);
  return { providers: new Map([['preview', preview]]), models: new Map(models) };
}

/** Whether a route of some model leads to the preview renderer. */
export function usesPreview(file: RoutesFile): boolean {
  const used = [...file.models.values()].flatMap(({ routes }) => routes);
  return used.some(({ provider }) => file.providers.get(provider)?.kind === 'preview-renderer');
}

/** Whether the preview renderer is the first to be asked for this model. */
export function isPreviewed(file: RoutesFile, modelId: string): boolean {
  const first = file.models.get(modelId)?.routes[0]?.provider ?? '';
  return file.providers.get(first)?.kind === 'preview-renderer';
}

function keyProblems(
  { providers }: RoutesFileJson,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.entries(providers).flatMap(([name, provider]) => {
    if (provider.kind === 'preview-renderer' || env[provider.apiKeyEnv]) return [];
    const path = jsonPath(['providers', name, 'apiKeyEnv']);
    return [`${path} names ${provider.apiKeyEnv}, which is not set in the environment.`];
  });
}

function routeProblems(
  { providers, models }: RoutesFileJson,
  whole: RoutesFileJson,
  catalogue: readonly RoutableModel[],
): string[] {
  return Object.entries(models).flatMap(([id, routes]) => {
    const model = catalogue.find((each) => each.id === id);
    if (!model) {
      const known = catalogue.map((each) => each.id).join(', ');
      return [`${jsonPath(['models', id])} is not a model of the catalogue (${known}).`];
    }
    return routes.flatMap(({ provider: name }, i) => {
      const at = jsonPath(['models', id, i, 'provider']);
      const provider = providers[name];
      if (provider) return providerProblems(name, provider, model.type, at);
      return name in whole.providers ? [] : [`${at} is "${name}", which is not in providers.`];
    });
  });
}

function providerProblems(
  name: string,
  provider: RoutesFileJson['providers'][string],
  type: 'video' | 'image',
  at: string,
): string[] {
  if (provider.kind === 'preview-renderer') return [];
  if (provider.kind === 'model-ark' && type === 'image') {
    return [`${at} is of kind model-ark, which makes videos only.`];
  }
  // Every HTTP provider hands finished videos over as URLs.
  if (type === 'image' || provider.mediaHosts.length > 0) return [];
  const hosts = jsonPath(['providers', name, 'mediaHosts']);
  return [`${hosts} must name the hosts of finished videos: nothing else is downloaded (${at}).`];
}

function parseProvider(
  name: string,
  json: RoutesFileJson['providers'][string],
  env: Readonly<Record<string, string | undefined>>,
): Provider {
  const { errorRules = [] } = json;
  if (json.kind === 'preview-renderer') {
    const { kind, maxConcurrent = previewConcurrent } = json;
    return { name, kind, maxConcurrent, errorRules };
  }
  const { maxConcurrent = httpConcurrent, mediaHosts, allowPrivateNetwork } = json;
  const http = {
    name,
    maxConcurrent,
    errorRules,
    mediaHosts,
    allowPrivateNetwork,
    apiKey: env[json.apiKeyEnv] ?? '',
    rewriteOrigins: new Map(
      Object.entries(json.rewriteOrigins).map(([from, to]) => [
        new URL(from).origin,
        new URL(to).origin,
      ]),
    ),
    apiOrigins: namedOrigins(json),
  };
  if (json.kind === 'model-ark') {
    return { ...http, kind: json.kind, baseURL: json.baseURL.replace(/\/+$/, '') };
  }
  const { kind, factory, options } = json;
  return { ...http, kind, package: json.package, factory, options };
}

function parseRoute(json: RoutesFileJson['models'][string][number]): RouteEntry {
  const { provider, model, options = {}, realPersonOptions = {}, supports = {} } = json;
  return {
    provider,
    model,
    options,
    realPersonOptions,
    supports,
    weight: json.weight ?? null,
    safeToRepeat: json.safeToRepeat ?? null,
  };
}

type HttpProviderJson = Exclude<RoutesFileJson['providers'][string], { kind: 'preview-renderer' }>;

/** Origins of a provider's API that its entry names: `baseURL`, addresses in `options`, what is rewritten. */
function namedOrigins(json: HttpProviderJson): ReadonlySet<string> {
  const addresses = json.kind === 'model-ark' ? [json.baseURL] : Object.values(json.options);
  const named = [...Object.keys(json.rewriteOrigins), ...addresses].flatMap((each) => {
    const url = typeof each === 'string' ? URL.parse(each) : null;
    return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
  return new Set(named);
}
