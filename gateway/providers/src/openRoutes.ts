import { isDeepStrictEqual } from 'node:util';
import { jsonPath, minuteMs, type Model } from '@framegate/contract';
import { isPreviewed, type RoutesFile, usesPreview } from './configuredRoutes.ts';
import { createRoutes, type OpenRoutes, type RoutesDeps } from './createRoutes.ts';
import { createLiveRoutes } from './liveRoutes.ts';
import { offeredModel } from './offeredModel.ts';
import { checkRoutesFile, type PreviewModels } from './openProvider.ts';
import type { Routes } from './route.ts';
import type { RoutePlan } from './routePlan.ts';
import { defaultRoutes, RoutesFileError, type RoutesFileSource } from './routesFile.ts';

/** Dependencies of replaceable routes. */
export interface RoutesOptions extends Pick<RoutesDeps, 'log' | 'network' | 'now'> {
  /** ROUTES_FILE; null if the preview renderer makes every model. */
  file: RoutesFileSource | null;
  /** The environment with the variables for keys named in the file. */
  env: Readonly<Record<string, string | undefined>>;
  /** The models that may currently have routes; read together with the file. */
  catalogue: () => readonly Model[];
  /** The longest running deadline, in ms, for which replaced routes are kept. */
  maxMs: number;
  /** In production the preview renderer must not be mixed with providers. */
  mode: 'development' | 'production';
  /** Absolute path of the operator's packages; null if next to the gateway. */
  providersDir: string | null;
  /** Opens the preview renderer when the first route needs it. @throws Error for the operator. */
  openPreview: () => Promise<PreviewModels & { close(): Promise<void> }>;
}

/** The current routes, and the part of a catalogue that they cover. */
export interface ReplaceableRoutes extends Routes {
  /**
   * Narrows models to the abilities of the current routes, with the usual durations of previews. Models without a route
   * stay unchanged; a model whose routes cover none of its requests is left out. The same models give the same array
   * until the routes change.
   * @param group As in `of`.
   */
  narrowModels(models: readonly Model[], group?: string | null): readonly Model[];
  /** The plan of each route of a model, in the operator's order. */
  plansOf(modelId: string): readonly RoutePlan[];
  /** Without a file, makes the preview renderer serve models added to the catalogue since. */
  addModels(): Promise<void>;
  /**
   * Checks a new version of the file completely and applies it. Earlier orders are still polled through the old routes.
   * @returns Whether it differs, and the providers that it no longer names.
   * @throws RoutesFileError with every problem; the routes stay unchanged.
   */
  replace(file: RoutesFileSource): Promise<{ hasChanged: boolean; removed: readonly string[] }>;
  /** Closes all connections, and the preview renderer. */
  close(): Promise<void>;
}

/** One opened version of the file. */
interface LoadedRoutes {
  /** Null for the preview renderer. */
  source: RoutesFileSource | null;
  file: RoutesFile;
  open: OpenRoutes;
  narrowModel: NarrowModel;
  /** Narrowed models by their originals and group; groups that the file does not name count as none. */
  narrowed: WeakMap<readonly Model[], Map<string | null | undefined, readonly Model[]>>;
}

/** Usual duration of a preview, in seconds, so that clients do not wait as long as for a provider. */
const previewSeconds = { video: 5, image: 2 };

/**
 * How long replaced routes are kept beyond the longest running deadline, in ms, because files are fetched during
 * a grace.
 */
const keptBeyondMs = 10 * minuteMs;

/**
 * Opens the operator's routes: checks the file, loads the providers' packages and opens their connections.
 * @throws RoutesFileError with every problem, or the error of `openPreview`.
 */
export async function openRoutes(options: RoutesOptions): Promise<ReplaceableRoutes> {
  const { log, network, now, providersDir } = options;
  const preview = openOnce(options.openPreview);
  const load = async (source: RoutesOptions['file']): Promise<LoadedRoutes> => {
    const catalogue = options.catalogue();
    const file = source
      ? await checkRoutesFile([source.content, options.env, catalogue, options.mode, source], {
          providersDir,
          network,
        })
      : defaultRoutes(catalogue);
    const renderer = usesPreview(file) ? await preview.open() : null;
    const open = await createRoutes({ file, preview: renderer, log, network, now, providersDir });
    const narrowModel = createNarrowModel(open);
    try {
      requireOffers(catalogue, file, open, narrowModel);
      return { source, file, open, narrowModel, narrowed: new WeakMap() };
    } catch (error) {
      await open.close();
      throw error;
    }
  };
  let loaded: LoadedRoutes;
  try {
    loaded = await load(options.file);
  } catch (error) {
    await preview.close();
    throw error;
  }
  const live = createLiveRoutes(loaded.open, options.maxMs + keptBeyondMs);
  const apply = (next: LoadedRoutes) => {
    live.replace(next.open);
    loaded = next;
  };
  return {
    ...live,
    narrowModels(models, group) {
      const { narrowed, file, open, narrowModel } = loaded;
      const named = group && !open.groups().includes(group) ? null : group;
      const byGroup = narrowed.get(models) ?? new Map<typeof named, readonly Model[]>();
      const cached =
        byGroup.get(named) ?? narrowModels(models, file, (model) => narrowModel(model, named));
      narrowed.set(models, byGroup.set(named, cached));
      return cached;
    },
    plansOf: (modelId) => loaded.open.plansOf(modelId),
    async addModels() {
      const isNew = ({ id }: Model) => !loaded.file.models.has(id);
      if (options.file !== null || !options.catalogue().some(isNew)) return;
      apply(await load(null));
    },
    async replace(source) {
      if (isDeepStrictEqual(source, loaded.source)) return { hasChanged: false, removed: [] };
      const next = await load(source);
      const removed = [...loaded.file.providers.keys()].filter(
        (name) => !next.file.providers.has(name),
      );
      apply(next);
      return { hasChanged: true, removed };
    },
    async close() {
      await live.close();
      await preview.close();
    },
  };
}

function narrowModels(
  models: readonly Model[],
  file: RoutesFile,
  narrowModel: NarrowModel,
): readonly Model[] {
  return models.flatMap((model) => {
    const part = narrowModel(model);
    if (part === null) return [];
    return isPreviewed(file, model.id)
      ? { ...part, typicalSeconds: previewSeconds[model.type] }
      : part;
  });
}

/** The part of a model that its routes make; null for none. Without a route it stays unchanged. */
type NarrowModel = (model: Model, group?: string | null) => Model | null;

/** Computes each part once: the same models are in the lists of several readers. */
function createNarrowModel(routes: Pick<OpenRoutes, 'plansOf'>): NarrowModel {
  const narrowedByGroup = new Map<string | null | undefined, WeakMap<Model, Model | null>>();
  return (model, group) => {
    const ofGroup = narrowedByGroup.get(group) ?? new WeakMap<Model, Model | null>();
    narrowedByGroup.set(group, ofGroup);
    const cached = ofGroup.get(model);
    if (cached !== undefined) return cached;
    const supports = routes.plansOf(model.id, group).map(({ support }) => support);
    const part = supports.length === 0 ? model : offeredModel(model, supports);
    ofGroup.set(model, part);
    return part;
  };
}

/** @throws RoutesFileError for models whose routes make nothing. */
function requireOffers(
  models: readonly Model[],
  file: RoutesFile,
  routes: Pick<OpenRoutes, 'plansOf'>,
  narrowModel: NarrowModel,
): void {
  const problems = models.flatMap((model) => {
    if (narrowModel(model) !== null) return [];
    const plans = routes.plansOf(model.id);
    const at = jsonPath(['models', model.id]);
    return [
      `${at}: its routes make nothing that this model offers.`,
      ...missingStatements(model.id, file, plans),
    ];
  });
  if (problems.length > 0) throw new RoutesFileError(problems);
}

/** The statements still missing for a model's routes, because no row describes the model behind them. */
function missingStatements(id: string, file: RoutesFile, plans: readonly RoutePlan[]): string[] {
  return plans.flatMap(({ row, missing }, index) => {
    if (row !== null || missing.length === 0) return [];
    const at = jsonPath(['models', id, file.models.get(id)?.routes[index]?.listedAt ?? index]);
    return [`${at}: no row describes its model: it needs ${missing.join(', ')}.`];
  });
}

/** Opens a resource on first use; `close` closes it if it was opened. */
function openOnce<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let result: Promise<T> | null = null;
  return {
    open: () => (result ??= open()),
    close: async () => (await result?.catch(() => null))?.close(),
  };
}
