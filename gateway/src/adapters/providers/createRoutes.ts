import type {
  Experimental_VideoModelV4 as VideoModel,
  ImageModelV4 as ImageModel,
} from '@ai-sdk/provider';
import type { Log } from '../../application/ports/system.ts';
import type { Route, Routes } from '../../application/ports/providers.ts';
import { requireOneResolution } from './aiSdk/describedDialect.ts';
import { dialectOf } from './aiSdk/dialects.ts';
import { loadAiSdk } from './aiSdk/loadAiSdk.ts';
import type { Dialect } from './dialect.ts';
import { createImageRoute } from './imageRoute.ts';
import { arkDialect } from './modelArk/arkDialect.ts';
import { createModelArk } from './modelArk/modelArk.ts';
import { previewDialect } from './previewDialect.ts';
import { messageOf } from './providerFailures.ts';
import { createProviderFetch } from './providerFetch.ts';
import { createProviderHttp, type ProviderHttp } from './providerHttp.ts';
import { requirePrices } from './routeCost.ts';
import type { ImageTimes, RouteParts } from './routeParts.ts';
import { mergeSupport, type RouteSupport } from './routeSupport.ts';
import type { Provider, RouteEntry, RoutesFile } from './configuredRoutes.ts';
import { RoutesFileError } from './routesFile.ts';
import { rowOf, supportOf } from './support/supportTable.ts';
import { createVideoRoute, type TwoStepVideoModel } from './videoRoute.ts';

/** Where models come from: the preview renderer, ModelArk or a package. */
interface ModelMaker {
  videoModel(modelId: string): TwoStepVideoModel;
  imageModel(modelId: string): ImageModel;
}

/** What the preview renderer gives; the caller opens and closes it. */
export interface PreviewModels {
  videoModel(modelId: string): VideoModel;
  imageModel(modelId: string): ImageModel;
}

/** A provider that is ready to be asked. */
interface OpenProvider {
  provider: Provider;
  maker: ModelMaker;
  dialect: Dialect;
  http: ProviderHttp | null;
}

/** What routes are made from. */
export interface RoutesDeps {
  /** Checked: `parseRoutesFile` or `defaultRoutes`. */
  file: RoutesFile;
  /** Needed when a route leads to it. */
  preview: PreviewModels | null;
  log: Log;
  /** Where the operator installs packages, as an absolute path; null: beside the gateway. */
  providersDir?: string | null;
  /** Of image calls; tests have less time. */
  imageTimes?: ImageTimes;
}

const usualImageTimes: ImageTimes = { callMs: 180_000, pauseMs: 1000 };

/** The routes of a file, opened. */
export interface OpenRoutes extends Routes {
  /** What each route of a model can do, in the operator's order. */
  supportsOf(modelId: string): readonly RouteSupport[];
  /** Gives the connections up. */
  close(): Promise<void>;
}

/**
 * Opens all providers of the routes file and makes its routes.
 * @throws RoutesFileError with every provider or model that will not do.
 */
export async function createRoutes(deps: RoutesDeps): Promise<OpenRoutes> {
  const { file } = deps;
  const problems: string[] = [];
  const open = new Map<string, OpenProvider>();
  const used = new Set(
    [...file.models.values()].flatMap(({ routes }) => routes.map(({ provider }) => provider)),
  );
  for (const provider of file.providers.values()) {
    if (!used.has(provider.name)) continue;
    try {
      open.set(provider.name, await openProvider(provider, deps));
    } catch (error) {
      problems.push(`providers.${provider.name}: ${messageOf(error)}.`);
    }
  }
  const routes = new Map<string, Route[]>();
  const supports = new Map<string, RouteSupport[]>();
  for (const [id, { type, routes: entries }] of file.models) {
    const made = entries.map((entry, i) => {
      const opened = open.get(entry.provider);
      if (!opened) return [];
      const { provider } = opened;
      try {
        const support = declaredSupport(entry, type, opened);
        if (provider.kind === 'ai-sdk') requireOneResolution(provider.calls, type, support);
        requirePrices(entry.cost, provider.budget, type, support);
        warnIfRetired(entry, type, opened, deps.log);
        supports.set(id, [...(supports.get(id) ?? []), support]);
        return [makeRoute(entry, type, opened, { ...deps, support })];
      } catch (error) {
        problems.push(`models["${id}"][${String(i)}]: ${messageOf(error)}.`);
        return [];
      }
    });
    routes.set(id, made.flat());
  }
  const close = async () => {
    for (const { http } of open.values()) await http?.close();
  };
  if (problems.length > 0) {
    await close();
    throw new RoutesFileError(problems);
  }
  const all = [...routes.values()].flat();
  const providers = [...Map.groupBy(all, ({ provider }) => provider)].flatMap(([, same]) =>
    same.slice(0, 1).map(({ provider, maxConcurrent, budget }) => ({
      provider,
      maxConcurrent,
      budget,
      models: [...new Set(same.map(({ model }) => model))],
    })),
  );
  return {
    providers: () => providers,
    of: (modelId) => routes.get(modelId) ?? [],
    supportsOf: (modelId) => supports.get(modelId) ?? [],
    find: (provider, model) =>
      all.find((route) => route.provider === provider && route.model === model) ?? null,
    close,
  };
}

/**
 * What the provider's table says of the model, with what the operator declares. Own options for real-person
 * mode say that real people are agreed with the provider.
 */
function declaredSupport(
  { model, supports, realPersonOptions }: RouteEntry,
  type: 'video' | 'image',
  { dialect }: OpenProvider,
): RouteSupport {
  const known = supportOf(dialect.table, type, model);
  const realPerson = known.realPerson || Object.keys(realPersonOptions).length > 0;
  return mergeSupport({ ...known, realPerson }, supports);
}

/** Warns of a route to a model that the provider shuts down: orders that go there will fail. */
function warnIfRetired(
  { model, provider }: RouteEntry,
  type: 'video' | 'image',
  { dialect }: OpenProvider,
  log: Log,
): void {
  const retired = rowOf(dialect.table, type, model)?.retired;
  if (!retired) return;
  const { on, replacement } = retired;
  const known = replacement ?? 'none that its package reaches';
  log.warn(
    { provider, upstream_model: model, retired_on: on, replacement: known },
    'a routed model is shut down by its provider',
  );
}

function makeRoute(
  entry: RouteEntry,
  type: 'video' | 'image',
  { provider, maker, dialect, http }: OpenProvider,
  { log, imageTimes = usualImageTimes, support }: RoutesDeps & { support: RouteSupport },
): Route {
  const { defaultRules, declaredRefusal, refusedBeforeWork, isVerdict, isLocal } = dialect;
  const parts: RouteParts = {
    entry,
    dialect,
    http,
    log,
    support,
    imageTimes,
    maxConcurrent: provider.maxConcurrent,
    budget: provider.budget,
    safeToRepeat: entry.safeToRepeat ?? isLocal === true,
    reachesPrivate: 'allowPrivateNetwork' in provider && provider.allowPrivateNetwork,
    failureRules: {
      apiKey: 'apiKey' in provider ? provider.apiKey : '',
      operatorRules: provider.errorRules,
      defaultRules,
      declaredRefusal,
      refusedBeforeWork,
      isVerdict,
      isLocal,
    },
  };
  return type === 'video'
    ? createVideoRoute(maker.videoModel(entry.model), parts)
    : createImageRoute(maker.imageModel(entry.model), parts);
}

async function openProvider(
  provider: Provider,
  { preview, providersDir = null }: Pick<RoutesDeps, 'preview' | 'providersDir'>,
): Promise<OpenProvider> {
  if (provider.kind === 'preview-renderer') {
    if (!preview) throw new Error('the preview renderer is not there');
    const maker: ModelMaker = {
      videoModel: (id) => twoStep(preview.videoModel(id)),
      imageModel: (id) => preview.imageModel(id),
    };
    return { provider, maker, dialect: previewDialect, http: null };
  }
  const dialect = provider.kind === 'ai-sdk' ? dialectOf(provider) : arkDialect;
  const http = createProviderHttp(provider, dialect.apiHosts);
  try {
    const fetch = createProviderFetch(http, provider.apiKey, dialect);
    return { provider, http, dialect, maker: await openMaker(provider, fetch, providersDir) };
  } catch (error) {
    await http.close();
    throw error;
  }
}

async function openMaker(
  provider: Exclude<Provider, { kind: 'preview-renderer' }>,
  fetch: typeof globalThis.fetch,
  providersDir: string | null,
): Promise<ModelMaker> {
  if (provider.kind === 'ai-sdk') return loadAiSdk(provider, fetch, providersDir);
  const { baseURL, apiKey } = provider;
  return {
    ...createModelArk({ baseURL, apiKey, fetch }),
    imageModel: () => {
      throw new Error('kind model-ark makes videos only');
    },
  };
}

/** @throws Error when the model works in one long call, which a restart would lose. */
function twoStep(model: VideoModel): TwoStepVideoModel {
  if (!model.doStart || !model.doStatus) throw new Error('no doStart and doStatus');
  return model as TwoStepVideoModel;
}
