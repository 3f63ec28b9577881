import { testedPackages } from './aiSdk/dialects.ts';
import { jsonPath } from './jsonPath.ts';
import type { PreviewProvider, Provider, RouteEntry, RoutesFile } from './configuredRoutes.ts';
import { costProblems, parseBudget, parseCost } from './routeCost.ts';
import { limitProblems, limitsOf } from './routeLimits.ts';
import { checkShape, type RoutesFileJson } from './routesFileSchema.ts';

/** A model as the routes file needs to know it: an entry of the catalogue. */
export interface RoutableModel {
  id: string;
  type: 'video' | 'image';
}

/** The routes do not allow a start. The message is for the operator and lists every problem. */
export class RoutesFileError extends Error {
  override readonly name = 'RoutesFileError';
  /** One sentence each, beginning with the JSON path at fault. */
  readonly problems: readonly string[];
  /** Providers with routes whose own entries are sound, where the form of the file was checked. */
  readonly sound: readonly Provider[];

  constructor(problems: readonly string[], sound: readonly Provider[] = []) {
    super(
      ['ROUTES_FILE does not allow a start:', ...problems.map((each) => `  - ${each}`)].join('\n'),
    );
    this.problems = problems;
    this.sound = sound;
  }
}

const previewConcurrent = 4;
const httpConcurrent = 20;

/**
 * Checks the ROUTES_FILE and fills in its defaults.
 * @param json The parsed file.
 * @param env The environment that `apiKeyEnv` names variables of.
 * @param catalogue The models that routes may be given for.
 * @param mode In production no route leads to the preview renderer beside routes to providers.
 * @throws RoutesFileError with every problem.
 */
export function parseRoutesFile(
  json: unknown,
  env: Readonly<Record<string, string | undefined>>,
  catalogue: readonly RoutableModel[],
  mode: 'development' | 'production' = 'development',
): RoutesFile {
  const { value, sound, problems } = checkShape(json);
  problems.push(...keyProblems(sound, env), ...routeProblems(sound, value, catalogue));
  if (mode === 'production') problems.push(...previewProblems(sound));
  problems.push(...limitProblems(sound));
  if (problems.length > 0) throw new RoutesFileError(problems, soundProviders(value, sound, env));
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

/** The sound ones that some route names, whatever else is wrong with that route. */
function soundProviders(
  { models }: RoutesFileJson,
  { providers }: RoutesFileJson,
  env: Readonly<Record<string, string | undefined>>,
): Provider[] {
  const routes = Object.values(models).flat() as ({ provider?: unknown } | null)[];
  const named = new Set(routes.map((route) => route?.provider));
  return Object.entries(providers).flatMap(([name, each]) =>
    named.has(name) ? [parseProvider(name, each, env)] : [],
  );
}

/** The routes without a file: the preview renderer makes every model. */
export function defaultRoutes(catalogue: readonly RoutableModel[]): RoutesFile {
  const preview: PreviewProvider = {
    name: 'preview',
    kind: 'preview-renderer',
    maxConcurrent: previewConcurrent,
    errorRules: [],
    budget: null,
  };
  const models = catalogue.map(
    ({ id, type }) => [id, { type, routes: [unroutedEntry('preview', id)] }] as const,
  );
  return { providers: new Map([['preview', preview]]), models: new Map(models) };
}

function keyProblems(
  { providers }: RoutesFileJson,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.entries(providers).flatMap(([name, provider]) => {
    if (provider.kind === 'preview-renderer') return [];
    return keyVariables(provider).flatMap(({ variable, path }) => {
      const where = jsonPath(['providers', name, ...path]);
      return env[variable]
        ? []
        : [`${where} names ${variable}, which is not set in the environment.`];
    });
  });
}

/** The variables that hold a provider's keys, and where the entry names them. */
function keyVariables({ apiKeyEnv = '', apiKeyEnvs }: HttpProviderJson) {
  return (
    apiKeyEnvs?.map((variable, i) => ({ variable, path: ['apiKeyEnvs', i] })) ?? [
      { variable: apiKeyEnv, path: ['apiKeyEnv'] },
    ]
  );
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
    return routes.flatMap(({ provider: name, cost }, i) => {
      const at = jsonPath(['models', id, i, 'provider']);
      const provider = providers[name];
      if (provider) {
        const paths = [
          jsonPath(['models', id, i]),
          jsonPath(['providers', name, 'budget']),
        ] as const;
        return [
          ...providerProblems(name, provider, model.type, at),
          ...costProblems(cost, model.type, provider.budget, paths),
        ];
      }
      return name in whole.providers ? [] : [`${at} is "${name}", which is not in providers.`];
    });
  });
}

/** A customer would pay the full price for a picture that is marked as a preview. */
function previewProblems({ providers, models }: RoutesFileJson): string[] {
  const routes = Object.entries(models).flatMap(([id, all]) =>
    all.map(({ provider }, i) => ({
      isPreview: providers[provider]?.kind === 'preview-renderer',
      at: jsonPath(['models', id, i]),
    })),
  );
  if (routes.every(({ isPreview }) => isPreview)) return [];
  return routes
    .filter(({ isPreview }) => isPreview)
    .map(
      ({ at }) =>
        `${at} leads to the preview renderer beside routes to providers: with MODE=production remove it, ` +
        'or customers pay the full price for previews.',
    );
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
  if (type === 'image' || provider.mediaHosts.length > 0) return [];
  // Most hand finished videos over as URLs; a few bring them inside their answers.
  const isTested = provider.kind === 'ai-sdk' && testedPackages[provider.package];
  if (isTested && isTested.dialect.maxPollBytes !== undefined) return [];
  const hosts = jsonPath(['providers', name, 'mediaHosts']);
  return [`${hosts} must name the hosts of finished videos: nothing else is downloaded (${at}).`];
}

function parseProvider(
  name: string,
  json: RoutesFileJson['providers'][string],
  env: Readonly<Record<string, string | undefined>>,
): Provider {
  const { errorRules = [] } = json;
  const budget = parseBudget(json.budget);
  if (json.kind === 'preview-renderer') {
    const { kind, maxConcurrent = previewConcurrent } = json;
    return { name, kind, maxConcurrent, errorRules, budget };
  }
  const { maxConcurrent = httpConcurrent, mediaHosts, allowPrivateNetwork } = json;
  const http = {
    name,
    maxConcurrent,
    errorRules,
    budget,
    mediaHosts,
    allowPrivateNetwork,
    keys: keyVariables(json).map(({ variable }) => ({
      name: variable,
      secret: env[variable] ?? '',
    })),
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
  const { kind, factory, options, calls } = json;
  return { ...http, kind, package: json.package, factory, options, calls };
}

/** A route of which nothing but the provider and its model is known. */
export function unroutedEntry(provider: string, model: string): RouteEntry {
  return parseRoute({ provider, model });
}

function parseRoute(json: RouteJson): RouteEntry {
  const { provider, model, options = {}, realPersonOptions = {}, supports = {} } = json;
  return {
    provider,
    model,
    options,
    realPersonOptions,
    supports,
    weight: json.weight ?? null,
    safeToRepeat: json.safeToRepeat ?? null,
    cost: parseCost(json.cost),
    limits: limitsOf(json),
  };
}

type HttpProviderJson = Exclude<RoutesFileJson['providers'][string], { kind: 'preview-renderer' }>;
type RouteJson = RoutesFileJson['models'][string][number];

/** Origins of a provider's API that its entry names: `baseURL`, addresses in `options`, what is rewritten. */
function namedOrigins(json: HttpProviderJson): ReadonlySet<string> {
  const addresses = json.kind === 'model-ark' ? [json.baseURL] : Object.values(json.options);
  const named = [...Object.keys(json.rewriteOrigins), ...addresses].flatMap((each) => {
    const url = typeof each === 'string' ? URL.parse(each) : null;
    return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
  return new Set(named);
}
