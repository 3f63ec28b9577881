import { jsonPath, type Log, minuteMs } from '@framegate/contract';
import { idleFields } from './aiSdk/dialects.ts';
import { combineKeyRoutes } from './combineKeyRoutes.ts';
import { createComfyRoute } from './comfyUi/comfyRoute.ts';
import { groupsIn, isForGroup, type RouteEntry, type RoutesFile } from './configuredRoutes.ts';
import { createImageRoute } from './imageRoute.ts';
import type { Network } from './network.ts';
import {
  type Access,
  openingProblem,
  type OpenProvider,
  openProvider,
  type PreviewModels,
} from './openProvider.ts';
import { shortMessageOf } from './providerFailures.ts';
import { reportRow } from './reportRow.ts';
import { flagsOf } from './resultFlags.ts';
import type { Route, Routes } from './route.ts';
import { requirePrices } from './routeCost.ts';
import type { ImageTimes, RouteParts } from './routeParts.ts';
import { planOf, type RoutePlan, unsentExtras } from './routePlan.ts';
import { RoutesFileError, unroutedEntry } from './routesFile.ts';
import { createVideoRoute } from './videoRoute.ts';

/** Dependencies of the routes. */
export interface RoutesDeps {
  /** Checked, from `parseRoutesFile` or `defaultRoutes`. */
  file: RoutesFile;
  /** Required if a route uses it. */
  preview: PreviewModels | null;
  log: Log;
  network: Network;
  /** Absolute path of the operator's packages; null if next to the gateway. */
  providersDir?: string | null;
  /** The time in ms, for the age of rows. */
  now: () => number;
  /** Times of image calls; shorter in tests. */
  imageTimes?: ImageTimes;
}

const defaultImageTimes: ImageTimes = { callMs: 3 * minuteMs, pauseMs: 1_000 };

/** The opened routes of a file. */
export interface OpenRoutes extends Routes {
  /** The plans of a model's routes, in the order of `of`. */
  plansOf(modelId: string, group?: string | null): readonly RoutePlan[];
  /** Closes the connections. */
  close(): Promise<void>;
}

/** A route with its plan. */
type PlannedRoute = Route & { plan: RoutePlan };

/** Dependencies that open routes share. */
type SharedDeps = RoutesDeps & Pick<RouteParts, 'alertedParameters'>;

/**
 * Opens all providers of the routes file and creates its routes.
 * @throws RoutesFileError with every unusable provider or model.
 */
export async function createRoutes(options: RoutesDeps): Promise<OpenRoutes> {
  const deps = { ...options, alertedParameters: new Set<string>() };
  const { file } = deps;
  const nowMs = deps.now();
  const problems: string[] = [];
  const open = new Map<string, OpenProvider>();
  const used = new Set(
    [...file.models.values()].flatMap(({ routes }) => routes.map(({ provider }) => provider)),
  );
  for (const provider of file.providers.values()) {
    const isUsed = used.has(provider.name);
    // A provider without a route may still be working on generations.
    if (!isUsed && provider.kind === 'preview-renderer') continue;
    if (provider.kind === 'ai-sdk') {
      const where = { provider: provider.name, package: provider.package };
      for (const idle of idleFields(provider)) deps.log.warn(where, idle);
    }
    try {
      open.set(provider.name, await openProvider(provider, deps));
    } catch (error) {
      const problem = openingProblem(provider.name, error);
      if (isUsed) problems.push(problem);
      else deps.log.warn({ problem }, 'failed to open a provider without routes');
    }
  }
  const routes = new Map<string, PlannedRoute[]>();
  for (const [id, { type, routes: entries }] of file.models) {
    const plannedRoutes = entries.map((entry) => {
      const providerOfEntry = open.get(entry.provider);
      if (!providerOfEntry) return [];
      const { provider, dialect } = providerOfEntry;
      try {
        const plan = planOf(dialect.models, type, entry);
        const charged = dialect.charges?.[type]?.currency;
        requirePrices(entry.cost, { budget: provider.budget, charged }, type, plan.support);
        const unsent = unsentExtras(plan, entry.does);
        if (unsent.length > 0) {
          throw new Error(`does states ${unsent.join(', ')}, but send does not say how to send it`);
        }
        // Workflows are the operator's, so no row can describe them.
        const isOwn = provider.kind === 'comfyui' && plan.missing.length === 0;
        if (!dialect.isLocal && !isOwn) reportRow(plan, { id, entry, nowMs }, deps.log);
        return [{ ...makeRoute(entry, type, providerOfEntry, { ...deps, plan }), plan }];
      } catch (error) {
        problems.push(`${jsonPath(['models', id, entry.listedAt])}: ${shortMessageOf(error)}.`);
        return [];
      }
    });
    routes.set(id, plannedRoutes.flat());
  }
  const close = async () => {
    for (const { http } of open.values()) await http?.close();
  };
  if (problems.length > 0) {
    await close();
    throw new RoutesFileError(problems);
  }
  const all = [...routes.values()].flat();
  const groups = groupsIn(file);
  const routesOf = (modelId: string, group?: string | null): readonly PlannedRoute[] => {
    const listed = routes.get(modelId) ?? [];
    return group === undefined
      ? listed
      : listed.filter((each) => isForGroup(each, group, file.groups));
  };
  const providers = [...Map.groupBy(all, ({ provider }) => provider)].flatMap(([, same]) =>
    same.slice(0, 1).map(({ provider, maxConcurrent, budget, polls }) => ({
      provider,
      maxConcurrent,
      budget,
      ...(polls && { polls }),
      models: [...new Set(same.map(({ model }) => model))],
    })),
  );
  return {
    providers: () => providers,
    forModel: routesOf,
    plansOf: (...query) => routesOf(...query).map(({ plan }) => plan),
    rankingOf: (modelId) => file.order[modelId] ?? 'listed',
    groups: () => groups,
    find: (provider, model) =>
      all.find((route) => route.provider === provider && route.model === model) ??
      formerRoute(open.get(provider), model, deps),
    close,
  };
}

/**
 * A route for earlier orders only: it polls and cancels videos. Null if the provider is not in the file, or its
 * package no longer knows the model.
 */
function formerRoute(
  providerOfEntry: OpenProvider | undefined,
  model: string,
  deps: SharedDeps,
): Route | null {
  if (!providerOfEntry) return null;
  const entry = unroutedEntry(providerOfEntry.provider.name, model);
  try {
    const plan = planOf(providerOfEntry.dialect.models, 'video', entry);
    return {
      ...makeRoute(entry, 'video', providerOfEntry, { ...deps, plan }),
      covers: () => false,
    };
  } catch {
    return null;
  }
}

function makeRoute(
  entry: RouteEntry,
  type: 'video' | 'image',
  { provider, dialect, http, accesses }: OpenProvider,
  {
    log,
    network,
    imageTimes = defaultImageTimes,
    plan,
    alertedParameters,
  }: SharedDeps & { plan: RoutePlan },
): Route {
  const { isNearHost } = network;
  const safeToRepeat = entry.safeToRepeat ?? dialect.isLocal === true;
  const common = {
    entry,
    provider,
    dialect,
    http,
    log,
    isNearHost,
    imageTimes,
    plan,
    safeToRepeat,
    alertedParameters,
    fileHosts: new Set<string>(),
  };
  const routes = accesses.map(({ keyName, api, maker }): [string | null, Route] => {
    const apiKey = api?.apiKey ?? '';
    const failureRules = {
      ...dialect,
      apiKey,
      operatorRules: provider.errorRules,
      flags: flagsOf(dialect.flags, 'flags' in provider ? provider.flags : []),
    };
    return [keyName, openRoute(type, maker, { ...common, api, failureRules })];
  });
  const keyed = routes.flatMap(([key, route]) => (key === null ? [] : [[key, route] as const]));
  const [only] = routes;
  const keys = 'keys' in provider ? provider.keys : [];
  return keyed.length === 0 && only ? only[1] : combineKeyRoutes(keys, new Map(keyed));
}

function openRoute(type: 'video' | 'image', maker: Access['maker'], parts: RouteParts): Route {
  const { provider, api, entry } = parts;
  if (provider.kind === 'comfyui' && api) {
    return createComfyRoute(provider.workflows[entry.model] ?? {}, parts, api);
  }
  if (!maker) throw new Error(`no models of kind ${provider.kind}`);
  return type === 'video'
    ? createVideoRoute(maker.videoModel(entry.model), parts)
    : createImageRoute(maker.imageModel(entry.model), parts);
}
