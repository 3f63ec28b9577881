import type { Model } from '@framegate/contract';
import { isDeepStrictEqual } from 'node:util';
import { isPreviewed, jsonPath, usesPreview, type RoutesFile } from './configuredRoutes.ts';
import { createRoutes, type OpenRoutes, type RoutesDeps } from './createRoutes.ts';
import { createLiveRoutes } from './liveRoutes.ts';
import { offeredModel } from './offeredModel.ts';
import { checkRoutesFile, type PreviewModels } from './openProvider.ts';
import type { Routes } from './route.ts';
import { missingIn, type RoutePlan } from './routePlan.ts';
import { defaultRoutes, RoutesFileError } from './routesFile.ts';

/** Dependencies of the routes of a file that can be replaced. */
export interface RoutesOptions extends Pick<RoutesDeps, 'log' | 'network' | 'now'> {
  /** The parsed ROUTES_FILE; null: the preview renderer makes every model. */
  file: { content: unknown } | null;
  /** The environment with the variables that the file names for keys. */
  env: Readonly<Record<string, string | undefined>>;
  /** The models that may have routes. */
  catalogue: readonly Model[];
  /** In production the preview renderer must not be mixed with providers. */
  mode: 'development' | 'production';
  /** Absolute path of the operator's packages; null: beside the gateway. */
  providersDir: string | null;
  /** Opens the preview renderer when the first route needs it. @throws Error for the operator. */
  openPreview: () => Promise<PreviewModels & { close(): Promise<void> }>;
}

/** The current routes, and the part of the catalogue that they cover. */
export interface ReplaceableRoutes extends Routes {
  /** The current models, with the usual durations of previews; they change with the routes. */
  models(): readonly Model[];
  /** The plan of each route of a model, in the operator's order. */
  plansOf(modelId: string): readonly RoutePlan[];
  /**
   * Checks a new content of the file completely and applies it. Earlier orders are still polled through the old
   * routes.
   * @returns Whether it differs, and the providers that it no longer names.
   * @throws RoutesFileError with every problem; the routes stay unchanged.
   */
  replace(content: unknown): Promise<{ changed: boolean; gone: readonly string[] }>;
  /** Closes all connections, and the preview renderer. */
  close(): Promise<void>;
}

/** One opened version of the file. */
interface Loaded {
  content: unknown;
  file: RoutesFile;
  open: OpenRoutes;
  models: readonly Model[];
}

/** Usual duration of a preview, in seconds, so that clients do not wait as long as for a provider. */
const previewSeconds = { video: 5, image: 2 };

/**
 * How long replaced routes are kept beyond the longest running deadline, in ms, because files are fetched in a
 * grace.
 */
const keptBeyondMs = 10 * 60_000;

/**
 * Opens the operator's routes: checks the file, loads the providers' packages and opens their connections.
 * @throws RoutesFileError with every problem, or the error of `openPreview`.
 */
export async function openRoutes(options: RoutesOptions): Promise<ReplaceableRoutes> {
  const { catalogue, log, network, now, providersDir } = options;
  const preview = openOnce(options.openPreview);
  const load = async (given: RoutesOptions['file']): Promise<Loaded> => {
    const file = given
      ? await checkRoutesFile([given.content, options.env, catalogue, options.mode], {
          providersDir,
          network,
        })
      : defaultRoutes(catalogue);
    const renderer = usesPreview(file) ? await preview.open() : null;
    const open = await createRoutes({ file, preview: renderer, log, network, now, providersDir });
    try {
      return { content: given?.content, file, open, models: listedModels(catalogue, file, open) };
    } catch (error) {
      await open.close();
      throw error;
    }
  };
  let loaded: Loaded;
  try {
    loaded = await load(options.file);
  } catch (error) {
    await preview.close();
    throw error;
  }
  const longestMs = Math.max(...catalogue.map(({ maxSeconds }) => maxSeconds)) * 1000;
  const live = createLiveRoutes(loaded.open, longestMs + keptBeyondMs);
  return {
    providers: () => live.providers(),
    of: (modelId) => live.of(modelId),
    find: (provider, model, key) => live.find(provider, model, key),
    models: () => loaded.models,
    plansOf: (modelId) => loaded.open.plansOf(modelId),
    async replace(content) {
      if (isDeepStrictEqual(content, loaded.content)) return { changed: false, gone: [] };
      const next = await load({ content });
      const gone = [...loaded.file.providers.keys()].filter(
        (name) => !next.file.providers.has(name),
      );
      live.replace(next.open);
      loaded = next;
      return { changed: true, gone };
    },
    async close() {
      await live.close();
      await preview.close();
    },
  };
}

/** The catalogue as offered by a file's routes. @throws RoutesFileError */
function listedModels(
  catalogue: readonly Model[],
  file: RoutesFile,
  open: OpenRoutes,
): readonly Model[] {
  return offeredModels(catalogue, file, open).map((model) =>
    isPreviewed(file, model.id) ? { ...model, typicalSeconds: previewSeconds[model.type] } : model,
  );
}

/**
 * Narrows each model to what its routes cover. Models without a route stay unchanged: customers do not see
 * them. @throws RoutesFileError
 */
function offeredModels(
  catalogue: readonly Model[],
  file: RoutesFile,
  routes: Pick<OpenRoutes, 'plansOf'>,
): readonly Model[] {
  const problems: string[] = [];
  const offered = catalogue.map((model) => {
    const plans = routes.plansOf(model.id);
    if (plans.length === 0) return model;
    const made = offeredModel(
      model,
      plans.map(({ support }) => support),
    );
    if (!made) {
      const at = jsonPath(['models', model.id]);
      problems.push(`${at}: its routes make nothing that this model offers.`);
      problems.push(...missingStatements(model, file, plans));
    }
    return made ?? model;
  });
  if (problems.length > 0) throw new RoutesFileError(problems);
  return offered;
}

/** The statements that the routes of a model need, because no row describes what they lead to. */
function missingStatements(
  { id, type }: Model,
  file: RoutesFile,
  plans: readonly RoutePlan[],
): string[] {
  return plans.flatMap((plan, i) => {
    const entry = file.models.get(id)?.routes[i];
    const missing = entry && plan.row === null ? missingIn(plan, type, entry) : [];
    if (missing.length === 0) return [];
    const needed = missing.join(', ');
    return [`${jsonPath(['models', id, i])}: no row describes its model: it needs ${needed}.`];
  });
}

/** Opens a resource on first use; `close` closes it if it was opened. */
function openOnce<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null;
  return {
    open: () => (opened ??= open()),
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
