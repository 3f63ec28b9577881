import { didYouMean, jsonPath } from '@framegate/contract';
import { testedPackages } from './aiSdk/dialects.ts';
import { serverName, workflowProblems } from './comfyUi/comfyFile.ts';
import { keyFormOf } from './http/auth.ts';
import type { DescriptionOrProblems } from './http/describe.ts';
import { type Auth, namesFileHosts, workOf } from './http/description.ts';
import { type KeysJson, keysOf, type KeySources, namesKeys } from './providerKeys.ts';
import type { RouteLimits } from './route.ts';
import { costProblems } from './routeCost.ts';
import type { ProviderJson, RouteJson, RoutesFileJson } from './routesFileSchema.ts';
import { interfaceFieldIn } from './sendRules.ts';

/** The part of a catalogue model that the routes file depends on. */
export interface RoutableModel {
  id: string;
  type: 'video' | 'image';
}

/** A well-formed ROUTES_FILE, and its dependencies. */
export interface RoutesContext extends KeySources {
  /** The well-formed entries. */
  sound: RoutesFileJson;
  /** The whole file, so that a malformed entry is not reported as missing. */
  whole: RoutesFileJson;
  /** The descriptions of its valid entries of kind http, by provider. */
  described: ReadonlyMap<string, DescriptionOrProblems>;
  catalogue: readonly RoutableModel[];
  /** In production the preview renderer must not be mixed with providers. */
  mode: 'development' | 'production';
}

/** Problems in the content of a well-formed ROUTES_FILE, one sentence each, starting with the JSON path. */
export function contentProblems(context: RoutesContext): string[] {
  const checks = [
    keyProblems,
    descriptionProblems,
    modelProblems,
    routeProblems,
    previewProblems,
    limitProblems,
    serverProblems,
    orderProblems,
    regionProblems,
  ];
  return checks.flatMap((check) => check(context));
}

function keyProblems({ sound: { providers }, ...sources }: RoutesContext): string[] {
  return Object.entries(providers).flatMap(([name, provider]) =>
    provider.kind === 'preview-renderer' ? [] : keysOf(name, provider, sources).problems,
  );
}

/** Problems of described APIs. */
function descriptionProblems(context: RoutesContext): string[] {
  return Object.entries(context.sound.providers).flatMap(([name, provider]) => {
    const api = context.described.get(name);
    if (!api || provider.kind === 'preview-renderer') return [];
    if (!api.description) return api.problems;
    const { auth } = api.description;
    const hasKey = namesKeys(provider);
    if (hasKey === (auth.type !== 'none')) return keyFormProblems(name, provider, auth, context);
    const where = jsonPath(['providers', name, 'apiKeyEnv']);
    return [hasKey ? `${where} is not allowed: its API takes no key.` : `${where} is required.`];
  });
}

/** Problems of keys that have another form than their API takes. */
function keyFormProblems(name: string, entry: KeysJson, auth: Auth, sources: KeySources): string[] {
  const needed = keyFormOf(auth);
  if (!needed || keysOf(name, entry, sources).keys.every(({ secret }) => needed.isOf(secret))) {
    return [];
  }
  const at = (['apiKeyFile', 'apiKeyEnvs', 'apiKeyEnv'] as const).find((each) => entry[each]) ?? '';
  return [`${jsonPath(['providers', name, at])} must give ${needed.form}.`];
}

/** A route with its place in the file. */
interface PlacedRoute {
  id: string;
  route: RouteJson;
  path: readonly (string | number)[];
  at: string;
}

/** The routes of a file with their paths. */
function routesIn({ models }: Pick<RoutesFileJson, 'models'>): PlacedRoute[] {
  return Object.entries(models).flatMap(([id, routes]) =>
    routes.map((route, index) => {
      const path = ['models', id, index];
      return { id, route, path, at: jsonPath(path) };
    }),
  );
}

function modelProblems({ sound, catalogue }: RoutesContext): string[] {
  const catalogueIds = catalogue.map(({ id }) => id);
  return Object.keys(sound.models)
    .filter((id) => !catalogueIds.includes(id))
    .map(
      (id) =>
        `${jsonPath(['models', id])} is not a model of the catalogue (${catalogueIds.join(', ')}).`,
    );
}

function routeProblems({ sound, described, whole, catalogue }: RoutesContext): string[] {
  return routesIn(sound).flatMap(({ id, route, path, at }) => {
    const type = catalogue.find((each) => each.id === id)?.type;
    if (!type) return [];
    const { provider: name, cost } = route;
    const provider = sound.providers[name];
    if (!provider) {
      const problem = `${at}.provider is "${name}", which is not in providers.`;
      return name in whole.providers ? [] : [problem];
    }
    return [
      ...providerProblems(name, provider, described.get(name), { type, at: `${at}.provider` }),
      ...sendProblems(provider, route, path),
      ...costProblems(cost, type, provider.budget, [at, jsonPath(['providers', name, 'budget'])]),
    ];
  });
}

/** Previews mixed with real routes: a customer would pay the full price for a picture marked as a preview. */
function previewProblems({ sound, mode }: RoutesContext): string[] {
  const routes = routesIn(sound);
  const previews = routes.filter(
    ({ route }) => sound.providers[route.provider]?.kind === 'preview-renderer',
  );
  if (mode !== 'production' || previews.length === routes.length) return [];
  return previews.map(
    ({ at }) =>
      `${at} leads to the preview renderer in addition to routes to providers: with MODE=production remove it, ` +
      'or customers pay the full price for previews.',
  );
}

function providerProblems(
  name: string,
  provider: ProviderJson,
  described: DescriptionOrProblems | undefined,
  { type, at }: { type: 'video' | 'image'; at: string },
): string[] {
  if (provider.kind === 'preview-renderer' || provider.kind === 'comfyui') return [];
  if (provider.kind === 'model-ark' && type === 'image') {
    return [`${at} is of kind model-ark, which makes videos only.`];
  }
  if (described) {
    const { description } = described;
    if (!description) return [];
    if (!workOf(description, type)) return [`${at} is an API whose description has no ${type}s.`];
    if (namesFileHosts(description)) return [];
  }
  if (type === 'image' || provider.mediaHosts.length > 0) return [];
  // Most packages return finished videos as URLs; a few include them in their responses.
  const testedPackage = provider.kind === 'ai-sdk' && testedPackages[provider.package];
  if (testedPackage && testedPackage.dialect.maxPollMib !== undefined) return [];
  const hosts = jsonPath(['providers', name, 'mediaHosts']);
  return [`${hosts} must name the hosts of finished videos: nothing else is downloaded (${at}).`];
}

/** The workflow inputs that take the values of an order; other kinds take the prompt implicitly. */
function sendProblems(
  provider: ProviderJson,
  route: RouteJson,
  at: readonly (string | number)[],
): string[] {
  if (provider.kind === 'comfyui') return workflowProblems(provider.workflows, route, at);
  if (provider.kind === 'http') return interfaceProblems(route, at);
  return route.send.prompt === undefined
    ? []
    : [`${jsonPath([...at, 'send', 'prompt'])} is for kind comfyui only.`];
}

/** Fields of packages in the route of a described API. */
function interfaceProblems({ send }: RouteJson, at: readonly (string | number)[]): string[] {
  return Object.entries(send).flatMap(([promise, placement]) => {
    const wrong = promise === 'fixed' ? undefined : interfaceFieldIn(placement);
    if (promise !== 'prompt' && wrong === undefined) return [];
    const where = jsonPath([...at, 'send', promise]);
    return [
      wrong === undefined
        ? `${where} is for kind comfyui only; the body of the description has {prompt}.`
        : `${where} has ${wrong}, a field of packages; name the field of the body, without @.`,
    ];
  });
}

/** Servers that share the name of another provider. */
function serverProblems({ sound, whole }: RoutesContext): string[] {
  return Object.entries(sound.providers).flatMap(([name, provider]) =>
    Object.keys(provider.kind === 'comfyui' ? provider.servers : {}).flatMap((server) => {
      const id = serverName(name, server);
      const at = jsonPath(['providers', name, 'servers', server]);
      return id in whole.providers ? [`${at} is called ${id}, like another provider.`] : [];
    }),
  );
}

/** Conflicting limits: slots and starts are counted per provider model, so its entries must agree. */
function limitProblems({ sound }: RoutesContext): string[] {
  const first = new Map<string, { limits: string; at: string }>();
  return routesIn(sound).flatMap(({ route, at }) => {
    const limits = JSON.stringify(routeLimits(route));
    const key = JSON.stringify([route.provider, route.model]);
    const before = first.get(key) ?? { limits, at };
    first.set(key, before);
    if (before.limits === limits) return [];
    return [
      `${at} must have the same maxConcurrent and startsPerMinute as ${before.at}: they apply to all routes to this model of the provider.`,
    ];
  });
}

/** Orders for unknown models, and orders by a cost that is not known in one currency. */
function orderProblems({ sound: { order, models, providers }, whole }: RoutesContext): string[] {
  return Object.entries(order).flatMap(([id, by]) => {
    const at = jsonPath(['order', id]);
    const names = Object.keys(whole.models);
    if (!names.includes(id)) return [`${at} has no routes in models${didYouMean(id, names)}.`];
    if (by !== 'cost') return [];
    const paid = (models[id] ?? []).filter(
      ({ provider }) => providers[provider]?.kind !== 'preview-renderer',
    );
    const currencies = new Set(paid.map(({ cost }) => cost?.currency));
    return currencies.size > 1 || currencies.has(undefined)
      ? [`${at} is "cost": all routes of the model need a cost in one currency.`]
      : [];
  });
}

/** Regions without a route. */
function regionProblems({ sound: { groups }, whole }: RoutesContext): string[] {
  const all = Object.values(whole.models).flat() as (RouteJson | null)[];
  const regionsOfRoutes = [...new Set(all.flatMap((route) => route?.region ?? []))];
  return Object.entries(groups).flatMap(([name, { regions }]) =>
    regions.flatMap((region, index) => {
      const at = jsonPath(['groups', name, 'regions', index]);
      const problem = `${at} is "${region}", but no route has this region${didYouMean(region, regionsOfRoutes)}.`;
      return regionsOfRoutes.includes(region) ? [] : [problem];
    }),
  );
}

/** The own limits of a route, or null. */
export function routeLimits({ maxConcurrent, startsPerMinute }: RouteJson): RouteLimits | null {
  if (maxConcurrent === undefined && startsPerMinute === undefined) return null;
  return { maxConcurrent: maxConcurrent ?? null, startsPerMinute: startsPerMinute ?? null };
}
