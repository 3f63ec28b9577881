import type { Model } from '@framegate/contract';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { checkRoutesFile } from '../adapters/providers/openProvider.ts';
import {
  isPreviewed,
  usesPreview,
  type RoutesFile,
} from '../adapters/providers/configuredRoutes.ts';
import { createRoutes, type OpenRoutes } from '../adapters/providers/createRoutes.ts';
import { createLiveRoutes } from '../adapters/providers/liveRoutes.ts';
import { offeredModel } from '../adapters/providers/offeredModel.ts';
import type { RouteSupport } from '../adapters/providers/routeSupport.ts';
import { defaultRoutes, RoutesFileError } from '../adapters/providers/routesFile.ts';
import type { WorkDeps } from '../application/generations/deps.ts';
import type { Routes, RoutesReload } from '../application/ports/providers.ts';
import type { Log } from '../application/ports/system.ts';
import { loadPackage } from './loadPackage.ts';
import type { Config } from '../config.ts';
import { hasRoutes } from '../config/checks.ts';
import { readJsonFile } from '../config/fileSettings.ts';

/** Usual duration of a preview, in seconds, so that clients do not wait as long as for a provider. */
const previewSeconds = { video: 5, image: 2 };

/** The current routes, and the part of the catalogue that they cover, with usual durations. */
export interface ComposedRoutes {
  routes: Routes;
  /** The current models; they change with the routes. */
  models: () => readonly Model[];
  /** Support of each route of a model, in the operator's order. */
  supportsOf(modelId: string): readonly RouteSupport[];
  /**
   * Re-reads ROUTES_FILE, checks it completely and applies it.
   * @returns Whether it has changed, and the providers that it no longer names.
   * @throws RoutesFileError with every problem; the routes stay unchanged.
   */
  reload(): Promise<{ changed: boolean; gone: readonly string[] }>;
  close(): Promise<void>;
}

type Parts = Pick<WorkDeps, 'log' | 'clock' | 'random'>;

/** One opened version of the file. */
interface Loaded {
  content: unknown;
  file: RoutesFile;
  open: OpenRoutes;
  models: readonly Model[];
}

/**
 * How long replaced routes are kept beyond the longest running deadline, in ms, because files are fetched in a
 * grace.
 */
const keptBeyondMs = 10 * 60_000;

/**
 * Opens the operator's routes; without a routes file the preview renderer makes every model.
 * @throws RoutesFileError, or an Error with instructions to install the preview renderer.
 */
export async function composeRoutes(config: Config, parts: Parts): Promise<ComposedRoutes> {
  const preview = openOnce(() => openPreview(config, parts));
  const load = async (content: unknown): Promise<Loaded> => {
    const { providersDir } = config;
    const env = new Proxy({}, { get: (_, name) => config.environment(String(name)) });
    const file = config.routes
      ? await checkRoutesFile([content, env, config.models, config.mode], providersDir)
      : defaultRoutes(config.models);
    const { log } = parts;
    const renderer = usesPreview(file) ? await preview.open() : null;
    const open = await createRoutes({ file, preview: renderer, log, providersDir });
    try {
      return { content, file, open, models: listedModels(config, file, open) };
    } catch (error) {
      await open.close();
      throw error;
    }
  };
  let loaded: Loaded;
  try {
    loaded = await load(config.routes?.content);
  } catch (error) {
    await preview.close();
    throw error;
  }
  const longestMs = Math.max(...config.models.map(({ maxSeconds }) => maxSeconds)) * 1000;
  const live = createLiveRoutes(loaded.open, longestMs + keptBeyondMs);
  return {
    routes: live,
    models: () => loaded.models,
    supportsOf: (modelId) => loaded.open.supportsOf(modelId),
    async reload() {
      const content = rereadRoutes(config);
      if (isDeepStrictEqual(content, loaded.content)) return { changed: false, gone: [] };
      const next = await load(content);
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

/** The current content of ROUTES_FILE. @throws RoutesFileError */
function rereadRoutes({ routes, mode }: Config): unknown {
  if (!routes) throw new RoutesFileError(['ROUTES_FILE is not set: there is no file to read.']);
  let content: unknown;
  try {
    content = readJsonFile(routes.path).content;
  } catch (error) {
    throw new RoutesFileError([`${routes.path}: ${(error as Error).message}.`]);
  }
  if (mode === 'production' && !hasRoutes(content)) {
    throw new RoutesFileError(['models has no route for any model.']);
  }
  return content;
}

/** The catalogue as offered by a file's routes. @throws RoutesFileError */
function listedModels(config: Config, file: RoutesFile, open: OpenRoutes): readonly Model[] {
  return offeredModels(config.models, open).map((model) =>
    isPreviewed(file, model.id) ? { ...model, typicalSeconds: previewSeconds[model.type] } : model,
  );
}

/** Opens a resource on first use; `close` closes it if it was opened. */
function openOnce<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null;
  return {
    open: () => (opened ??= open()),
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

/** Opens the preview renderer. @throws Error for the operator if it is not installed. */
async function openPreview({ routes, dataDir }: Config, { log, clock, random }: Parts) {
  const reason = routes ? 'names the kind preview-renderer' : 'is not set';
  const missing = new Error(
    `ROUTES_FILE ${reason}, and this installation does not have the preview renderer ` +
      '(@framegate/preview-renderer): name other providers in ROUTES_FILE, or add ' +
      '"-w @framegate/preview-renderer" to the "npm ci" that installs.',
  );
  const { createPreviewRenderer } = await loadPackage(
    '@framegate/preview-renderer',
    () => import('@framegate/preview-renderer'),
    missing,
  );
  return createPreviewRenderer({
    workDir: join(dataDir, 'preview'),
    log,
    now: () => clock.now(),
    newId: () => random.newId('gen'),
  });
}

/**
 * Narrows each model to what its routes cover. Models without a route stay unchanged: customers do not see
 * them. @throws RoutesFileError
 */
function offeredModels(
  catalogue: readonly Model[],
  routes: Pick<OpenRoutes, 'supportsOf'>,
): readonly Model[] {
  const problems: string[] = [];
  const offered = catalogue.map((model) => {
    const supports = routes.supportsOf(model.id);
    if (supports.length === 0) return model;
    const made = offeredModel(model, supports);
    if (!made) {
      problems.push(`models["${model.id}"]: its routes make nothing that this model offers.`);
    }
    return made ?? model;
  });
  if (problems.length > 0) throw new RoutesFileError(problems);
  return offered;
}

/**
 * Re-reads ROUTES_FILE, one call after another, and logs the result. Never throws: with an invalid file the
 * routes stay unchanged.
 */
export function createReload(routes: ComposedRoutes, log: Log): () => Promise<RoutesReload> {
  let last: Promise<unknown> = Promise.resolve();
  async function reload(): Promise<RoutesReload> {
    try {
      const { changed, gone } = await routes.reload();
      log.info({ changed }, 'ROUTES_FILE was re-read');
      if (gone.length > 0) {
        const what =
          'providers are not in ROUTES_FILE any more: what they still have in hand is polled until it ends, by processes that knew them';
        log.warn({ providers: gone }, what);
      }
      return { result: changed ? 'reloaded' : 'unchanged', problems: [] };
    } catch (error) {
      const problems = error instanceof RoutesFileError ? error.problems : [String(error)];
      const text = problems.join(' ');
      log.error(
        { alert: 'routes_file_refused', problems },
        `ROUTES_FILE was not taken, and the routes stay as they were: ${text}`,
      );
      return { result: 'refused', problems };
    }
  }
  return () => {
    const next = last.then(reload);
    last = next;
    return next;
  };
}
