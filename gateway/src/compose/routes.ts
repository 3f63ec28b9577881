import { join } from 'node:path';
import { type Log, messageOf, type Model } from '@framegate/contract';
import {
  openRoutes,
  type ReplaceableRoutes,
  type Routes,
  RoutesFileError,
} from '@framegate/provider-routes';
import { providerNetwork } from '../adapters/net/guardedConnector.ts';
import type { AppCore } from '../application/app.ts';
import type { Config } from '../config.ts';
import { withLines } from '../settings/jsonFile.ts';
import { hasRoutes, readRoutesFile, type RoutesJsonFile } from '../settings/routesFile.ts';
import { deadlineOf } from '../settings/timeSettings.ts';
import { loadPackage } from './loadPackage.ts';

/** The current routes, and the part of a catalogue that they cover, with the deadlines of the settings. */
export interface ComposedRoutes extends Pick<
  ReplaceableRoutes,
  'narrowModels' | 'addModels' | 'plansOf'
> {
  routes: Routes;
  /**
   * Re-reads ROUTES_FILE, checks it completely and applies it.
   * @returns Whether it has changed, and the providers that it no longer names.
   * @throws RoutesFileError with every problem; the routes stay unchanged.
   */
  reload(): Promise<{ hasChanged: boolean; removed: readonly string[] }>;
  stop(): Promise<void>;
}

type RoutesParts = Pick<AppCore, 'log' | 'clock' | 'random'> & {
  config: Config;
  /** The models that may have routes. */
  catalogue: () => readonly Model[];
};

/**
 * Opens the operator's routes; without a routes file the preview renderer makes every model.
 * @throws RoutesFileError, or an Error with instructions to install the preview renderer.
 */
export async function composeRoutes(parts: RoutesParts): Promise<ComposedRoutes> {
  const { config } = parts;
  const open = {
    file: config.routes && withoutPlaces(config.routes),
    env: new Proxy({}, { get: (_, name) => config.environment(String(name)) }),
    catalogue: parts.catalogue,
    maxMs: maxRunMs(config),
    mode: config.mode,
    providersDir: config.providersDir,
    network: providerNetwork,
    log: parts.log,
    now: () => parts.clock.now(),
    openPreview: () => openPreview(parts),
  };
  const routes = await callWithLines(config.routes, () => openRoutes(open));
  return {
    routes,
    narrowModels: keepNarrowed((...query) => routes.narrowModels(...query), config),
    addModels: () => routes.addModels(),
    plansOf: (modelId) => routes.plansOf(modelId),
    async reload() {
      const file = rereadRoutes(config);
      const result = await callWithLines(file, () => routes.replace(withoutPlaces(file)));
      return { hasChanged: result.hasChanged, removed: result.removed };
    },
    stop: () => routes.close(),
  };
}

/** The parts of a routes file that the routes depend on: moving lines changes none. */
const withoutPlaces = ({ content, repeated, keyFiles }: RoutesJsonFile) => ({
  content,
  repeated,
  keyFiles,
});

/** Runs work on a routes file. @throws RoutesFileError whose problems have their lines. */
async function callWithLines<T>(file: RoutesJsonFile | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RoutesFileError) || file === null) throw error;
    throw new RoutesFileError(withLines(file, error.problems), error.sound);
  }
}

function maxRunMs({ runningDeadlines }: Config): number {
  const all = Object.values(runningDeadlines).flatMap(({ seconds, byModel }) => [
    seconds,
    ...Object.values(byModel),
  ]);
  return Math.max(...all) * 1000;
}

/** Narrowed models with the running deadlines of the settings, cached as long as the narrowed models. */
function keepNarrowed(
  narrowed: ComposedRoutes['narrowModels'],
  { runningDeadlines }: Config,
): ComposedRoutes['narrowModels'] {
  const cache = new WeakMap<readonly Model[], readonly Model[]>();
  return (...query) => {
    const models = narrowed(...query);
    const timedModels =
      cache.get(models) ??
      models.map((model) => ({
        ...model,
        maxSeconds: deadlineOf(runningDeadlines[model.type], model.id),
      }));
    cache.set(models, timedModels);
    return timedModels;
  };
}

/** Reads the current ROUTES_FILE. @throws RoutesFileError */
function rereadRoutes({ routes, mode }: Config): RoutesJsonFile {
  if (!routes) throw new RoutesFileError(['ROUTES_FILE is not set: there is no file to read.']);
  let file: RoutesJsonFile;
  try {
    file = readRoutesFile(routes.path);
  } catch (error) {
    throw new RoutesFileError([`${routes.path}: ${messageOf(error)}.`]);
  }
  if (mode === 'production' && !hasRoutes(file.content)) {
    throw new RoutesFileError(['models has no route for any model.']);
  }
  return file;
}

/** Opens the preview renderer. @throws Error for the operator if it is not installed. */
async function openPreview({ config, log, clock, random }: RoutesParts) {
  const { routes, dataDir } = config;
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

/** Re-reads ROUTES_FILE. @returns Whether it has changed. @throws RoutesFileError */
export async function reloadRoutesFile(routes: ComposedRoutes, log: Log): Promise<boolean> {
  const { hasChanged, removed } = await routes.reload();
  log.info({ changed: hasChanged }, 'ROUTES_FILE was re-read');
  if (removed.length > 0) {
    const what =
      'providers were removed from ROUTES_FILE: processes that loaded them keep polling their generations until they end';
    log.warn({ providers: removed }, what);
  }
  return hasChanged;
}
