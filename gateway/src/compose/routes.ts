import type { Model } from '@framegate/contract';
import { openRoutes, RoutesFileError, type RoutePlan } from '@framegate/provider-routes';
import type * as Own from '@framegate/provider-routes';
import { join } from 'node:path';
import { providerNetwork } from '../adapters/net/providerNetwork.ts';
import type { WorkDeps } from '../application/generations/deps.ts';
import type * as Port from '../application/ports/providers.ts';
import type { Log } from '../application/ports/system.ts';
import { loadPackage } from './loadPackage.ts';
import type { Config } from '../config.ts';
import { hasRoutes } from '../config/checks.ts';
import { readJsonFile } from '../config/fileSettings.ts';

/** The current routes, and the part of the catalogue that they cover, with usual durations. */
export interface ComposedRoutes {
  routes: Port.Routes;
  /** The current models; they change with the routes. */
  models: () => readonly Model[];
  /** The plan of each route of a model, in the operator's order. */
  plansOf(modelId: string): readonly RoutePlan[];
  /**
   * Re-reads ROUTES_FILE, checks it completely and applies it.
   * @returns Whether it has changed, and the providers that it no longer names.
   * @throws RoutesFileError with every problem; the routes stay unchanged.
   */
  reload(): Promise<{ changed: boolean; gone: readonly string[] }>;
  close(): Promise<void>;
}

/** Whether the values of each type can stand for those of the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
const hold = (...proofs: readonly true[]) => proofs;

// The port and the workspace declare the same, which the compiler holds.
hold(
  true satisfies Same<Port.ProviderRequest, Own.ProviderRequest>,
  true satisfies Same<Port.Submission, Own.Submission>,
  true satisfies Same<Port.PollResult, Own.PollResult>,
  true satisfies Same<Port.CancelResult, Own.CancelResult>,
  true satisfies Same<Port.Route, Own.Route>,
  true satisfies Same<Port.Routes, Own.Routes>,
);

type Parts = Pick<WorkDeps, 'log' | 'clock' | 'random'>;

/**
 * Opens the operator's routes; without a routes file the preview renderer makes every model.
 * @throws RoutesFileError, or an Error with instructions to install the preview renderer.
 */
export async function composeRoutes(config: Config, parts: Parts): Promise<ComposedRoutes> {
  const routes = await openRoutes({
    file: config.routes,
    env: new Proxy({}, { get: (_, name) => config.environment(String(name)) }),
    catalogue: config.models,
    mode: config.mode,
    providersDir: config.providersDir,
    network: providerNetwork,
    log: parts.log,
    now: () => parts.clock.now(),
    openPreview: () => openPreview(config, parts),
  });
  return {
    routes,
    models: () => routes.models(),
    plansOf: (modelId) => routes.plansOf(modelId),
    reload: async () => routes.replace(rereadRoutes(config)),
    close: () => routes.close(),
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
 * Re-reads ROUTES_FILE, one call after another, and logs the result. Never throws: with an invalid file the
 * routes stay unchanged.
 */
export function createReload(routes: ComposedRoutes, log: Log): () => Promise<Port.RoutesReload> {
  let last: Promise<unknown> = Promise.resolve();
  async function reload(): Promise<Port.RoutesReload> {
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
