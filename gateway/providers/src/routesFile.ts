import { comfyProviders, needsOf, serverName } from './comfyUi/comfyFile.ts';
import type { DescribedProvider, Provider, RouteEntry, RoutesFile } from './configuredRoutes.ts';
import { describe, type DescriptionOrProblems } from './http/describe.ts';
import { servesOwnFiles } from './http/description.ts';
import { type KeyFile, keysOf, type KeySources } from './providerKeys.ts';
import {
  contentProblems,
  type RoutableModel,
  routeLimits,
  type RoutesContext,
} from './routesFileProblems.ts';
import {
  checkShape,
  type DescribedJson,
  type HttpProviderJson,
  type ProviderJson,
  providerSchema,
  type RouteJson,
  routeSchema,
  type RoutesFileJson,
} from './routesFileSchema.ts';

/** The parsed ROUTES_FILE, with the findings of its reader. */
export interface RoutesFileSource {
  content: unknown;
  /** Problems found in its text. */
  repeated?: readonly string[];
  /** The key files that it names, by provider. */
  keyFiles?: Readonly<Record<string, KeyFile>>;
}

/** The routes prevent a start. The message is for the operator and lists every problem. */
export class RoutesFileError extends Error {
  override readonly name = 'RoutesFileError';
  /** One sentence each, starting with the JSON path. */
  readonly problems: readonly string[];
  /** Providers with routes whose own entries are valid, if the form was checked. */
  readonly sound: readonly Provider[];

  constructor(problems: readonly string[], sound: readonly Provider[] = []) {
    super(
      ['ROUTES_FILE does not allow a start:', ...problems.map((each) => `  - ${each}`)].join('\n'),
    );
    this.problems = problems;
    this.sound = sound;
  }
}

/**
 * Checks ROUTES_FILE and fills in its defaults.
 * @param json The parsed file.
 * @param env The environment with the variables named by `apiKeyEnv`.
 * @param catalogue The models that may have routes.
 * @param mode In production the preview renderer must not be mixed with providers.
 * @throws RoutesFileError with every problem.
 */
export function parseRoutesFile(
  json: unknown,
  env: Readonly<Record<string, string | undefined>>,
  catalogue: readonly RoutableModel[],
  mode: 'development' | 'production' = 'development',
  { repeated = [], keyFiles = {} }: Omit<RoutesFileSource, 'content'> = {},
): RoutesFile {
  const { value, sound, problems } = checkShape(json);
  const described = describedApis(sound);
  const context = { sound, described, whole: value, env, keyFiles, catalogue, mode };
  problems.push(...repeated, ...contentProblems(context));
  if (problems.length > 0) throw new RoutesFileError(problems, soundProviders(context));
  const providers = Object.entries(value.providers).flatMap(([name, each]) =>
    parseProvider(name, each, context),
  );
  const models = Object.entries(value.models).map(([id, routes]) => {
    const type = catalogue.find((model) => model.id === id)?.type ?? 'video';
    return [
      id,
      { type, routes: routes.flatMap((route, index) => parseRoutes(route, index, value)) },
    ] as const;
  });
  const { order, groups } = value;
  const byName = new Map(providers.map((each) => [each.name, each]));
  return { providers: byName, models: new Map(models), order, groups };
}

/** The valid providers named by any route, also by an invalid one. */
function soundProviders(context: RoutesContext): Provider[] {
  const routes = Object.values(context.whole.models).flat() as ({ provider?: unknown } | null)[];
  const named = new Set(routes.map((route) => route?.provider));
  return Object.entries(context.sound.providers).flatMap(([name, each]) =>
    named.has(name) ? parseProvider(name, each, context) : [],
  );
}

/** The descriptions of the valid entries of kind http, by provider. */
function describedApis({ providers }: RoutesFileJson): ReadonlyMap<string, DescriptionOrProblems> {
  const described = new Map<string, DescriptionOrProblems>();
  for (const [name, provider] of Object.entries(providers)) {
    if (provider.kind === 'http') described.set(name, describe(provider, ['providers', name]));
  }
  return described;
}

/** The routes without a file: the preview renderer makes every model. */
export function defaultRoutes(catalogue: readonly RoutableModel[]): RoutesFile {
  const json = providerSchema.validate({ kind: 'preview-renderer' }).value as ProviderJson;
  const none = { env: {}, keyFiles: {}, described: new Map() };
  const providers = parseProvider('preview', json, none).map((each) => [each.name, each] as const);
  const models = catalogue.map(
    ({ id, type }) => [id, { type, routes: [unroutedEntry('preview', id)] }] as const,
  );
  return { providers: new Map(providers), models: new Map(models), order: {}, groups: {} };
}

/** The provider of an entry, or one for each of its servers. */
function parseProvider(
  name: string,
  json: ProviderJson,
  { described, ...sources }: KeySources & Pick<RoutesContext, 'described'>,
): Provider[] {
  if (json.kind === 'preview-renderer') return [{ ...json, name }];
  const { keys } = keysOf(name, json, sources);
  if (json.kind === 'comfyui') return comfyProviders(name, json, keys);
  if (json.kind === 'http') {
    const description = described.get(name)?.description;
    return description ? [describedProvider(name, json, { keys, description })] : [];
  }
  return [{ ...json, name, keys, apiOrigins: namedOrigins(json) }];
}

/** The provider of a described API. */
function describedProvider(
  name: string,
  json: DescribedJson,
  { keys, description }: Pick<DescribedProvider, 'keys' | 'description'>,
): DescribedProvider {
  const { baseURL = '', mediaHosts } = description;
  const { origin, host } = new URL(baseURL);
  const servesFiles = servesOwnFiles(description);
  return {
    ...json,
    name,
    keys,
    baseURL,
    description,
    apiOrigins: new Set([...json.rewriteOrigins.keys(), origin]),
    mediaHosts: [...json.mediaHosts, ...mediaHosts, ...(servesFiles ? [host] : [])],
    polls: {
      ...json.polls,
      everySeconds: json.polls.everySeconds ?? description.videos?.poll?.everySeconds ?? null,
    },
  };
}

/** An entry with only a known provider and model. */
export function unroutedEntry(provider: string, model: string): RouteEntry {
  return parseRoute(routeSchema.validate({ provider, model }).value as RouteJson, 0);
}

/** The route of an entry, or one to each server of its provider. */
function parseRoutes(json: RouteJson, at: number, { providers }: RoutesFileJson): RouteEntry[] {
  const entry = parseRoute(json, at);
  const provider = providers[json.provider];
  if (provider?.kind !== 'comfyui') return [entry];
  const does = needsOf(json, entry.does);
  return Object.keys(provider.servers).map((server) => ({
    ...entry,
    does,
    provider: serverName(json.provider, server),
  }));
}

function parseRoute(json: RouteJson, listedAt: number): RouteEntry {
  return { ...json, listedAt, does: json.does ?? {}, limits: routeLimits(json) };
}

/** Origins of a provider's API from its entry: `baseURL`, URLs in `options`, rewritten origins. */
function namedOrigins(json: HttpProviderJson): ReadonlySet<string> {
  const addresses = json.kind === 'model-ark' ? [json.baseURL] : Object.values(json.options);
  const named = [...json.rewriteOrigins.keys(), ...addresses].flatMap((each) => {
    const url = typeof each === 'string' ? URL.parse(each) : null;
    return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
  return new Set(named);
}
