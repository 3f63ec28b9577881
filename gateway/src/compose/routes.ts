import { join } from 'node:path';
import type { Model } from '@framegate/contract';
import { createRoutes, type OpenRoutes } from '../adapters/providers/createRoutes.ts';
import { offeredModel } from '../adapters/providers/offeredModel.ts';
import { isPreviewed, usesPreview } from '../adapters/providers/configuredRoutes.ts';
import {
  defaultRoutes,
  parseRoutesFile,
  RoutesFileError,
} from '../adapters/providers/routesFile.ts';
import type { Routes } from '../application/ports/providers.ts';
import type { WorkDeps } from '../application/workDeps.ts';
import type { Config } from '../config.ts';
import { loadPackage } from './loadPackage.ts';

/** What a preview usually takes, in seconds: clients should not wait for it as for a provider. */
const previewSeconds = { video: 5, image: 2 };

/** The routes, and the catalogue as far as they make it, with what they usually take. */
export interface ComposedRoutes {
  routes: Routes;
  models: readonly Model[];
  close(): Promise<void>;
}

/**
 * The operator's routes; without a routes file the preview renderer makes every model.
 * @throws RoutesFileError, or an Error that says how to install the preview renderer.
 */
export async function composeRoutes(
  config: Config,
  parts: Pick<WorkDeps, 'log' | 'clock' | 'random'>,
): Promise<ComposedRoutes> {
  const { log } = parts;
  const env = new Proxy({}, { get: (_, name) => config.environment(String(name)) });
  const file = config.routes
    ? parseRoutesFile(config.routes.content, env, config.models, config.mode)
    : defaultRoutes(config.models);
  const preview = usesPreview(file) ? await openPreview(config, parts) : null;
  try {
    const routes = await createRoutes({ file, preview, log, providersDir: config.providersDir });
    const models = offeredModels(config.models, routes).map((model) =>
      isPreviewed(file, model.id)
        ? { ...model, typicalSeconds: previewSeconds[model.type] }
        : model,
    );
    return {
      routes,
      models,
      async close() {
        await routes.close();
        await preview?.close();
      },
    };
  } catch (error) {
    await preview?.close();
    throw error;
  }
}

/** Opens the preview renderer. @throws Error for the operator where it is not installed. */
async function openPreview(
  { routes, dataDir }: Config,
  { log, clock, random }: Pick<WorkDeps, 'log' | 'clock' | 'random'>,
) {
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

/** Models without a route stay as they are: customers do not see them. @throws RoutesFileError */
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
