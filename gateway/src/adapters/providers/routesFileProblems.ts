import type { RouteLimits } from '../../application/ports/providers.ts';
import { modelBreakerKey } from '../../domain/breaker.ts';
import { testedPackages } from './aiSdk/dialects.ts';
import { jsonPath } from './configuredRoutes.ts';
import { costProblems } from './routeCost.ts';
import type { HttpProviderJson, RouteJson, RoutesFileJson } from './routesFileSchema.ts';

/** A model as the routes file needs to know it: an entry of the catalogue. */
export interface RoutableModel {
  id: string;
  type: 'video' | 'image';
}

/**
 * What is wrong with the content of a ROUTES_FILE whose form is right, in a sentence each that begins with
 * the JSON path at fault.
 * @param sound The entries whose form is right.
 * @param options.whole The file as it is, so that an entry of a wrong form is not called missing.
 * @param options.mode In production no route leads to the preview renderer beside routes to providers.
 */
export function contentProblems(
  sound: RoutesFileJson,
  {
    whole,
    env,
    catalogue,
    mode,
  }: {
    whole: RoutesFileJson;
    env: Readonly<Record<string, string | undefined>>;
    catalogue: readonly RoutableModel[];
    mode: 'development' | 'production';
  },
): string[] {
  return [
    ...keyProblems(sound, env),
    ...routeProblems(sound, whole, catalogue),
    ...(mode === 'production' ? previewProblems(sound) : []),
    ...limitProblems(sound),
  ];
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
export function keyVariables({ apiKeyEnv = '', apiKeyEnvs }: HttpProviderJson) {
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

/** Places and starts are counted for a provider's model, so its entries cannot differ in them. */
function limitProblems({ models }: RoutesFileJson): string[] {
  const first = new Map<string, { limits: string; at: string }>();
  return Object.entries(models).flatMap(([id, routes]) =>
    routes.flatMap((route, i) => {
      const at = jsonPath(['models', id, i]);
      const limits = JSON.stringify(limitsOf(route));
      const key = modelBreakerKey(route);
      const before = first.get(key) ?? { limits, at };
      first.set(key, before);
      if (before.limits === limits) return [];
      return [
        `${at} has another maxConcurrent or startsPerMinute than ${before.at}: they count together all that goes to this model of the provider.`,
      ];
    }),
  );
}

/** The limits of a route's own; null where it has none. */
export function limitsOf({ maxConcurrent, startsPerMinute }: RouteJson): RouteLimits | null {
  if (maxConcurrent === undefined && startsPerMinute === undefined) return null;
  return { maxConcurrent: maxConcurrent ?? null, startsPerMinute: startsPerMinute ?? null };
}
