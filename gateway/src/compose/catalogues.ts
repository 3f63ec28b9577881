import { hostname } from 'node:os';
import { jsonPath, type Log } from '@framegate/contract';
import { createCatalogueStore } from '../adapters/mongo/catalogue/catalogueStore.ts';
import { retry, whileStarting } from '../adapters/mongo/errors.ts';
import {
  type Catalogues,
  openCatalogues,
  type Publication,
} from '../application/catalogue/catalogues.ts';
import { defaultTimings, type Timings } from '../application/generations/timings.ts';
import type { CatalogueVersion } from '../domain/catalogue/catalogue.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { FileProblemsError } from '../domain/installation/fileProblems.ts';
import type { ConfiguredCatalogue } from '../settings/fileSettings.ts';
import type { ConfigAndDatabase } from './core.ts';
import type { OpenDatabase } from './openDatabase.ts';
import type { ComposedRoutes } from './routes.ts';

/** Opens the stored versions of the catalogue. */
export function composeCatalogues({
  mongo,
  log,
  timings,
}: {
  mongo: OpenDatabase;
  log: Log;
  timings: Pick<Timings, 'catalogueNoticeMs'>;
}): Promise<Catalogues> {
  const { collections, clock, processId } = mongo;
  const store = createCatalogueStore(collections);
  const publisher = `${hostname()} ${processId}`;
  const noticeMs = timings.catalogueNoticeMs;
  return retry(() => openCatalogues({ store, clock, log, noticeMs, publisher }), whileStarting);
}

/** Publishes the catalogue of the settings at a person's request. @throws CommandError */
export async function publishOnce({
  config,
  mongo,
  log,
}: ConfigAndDatabase & { log: Log }): Promise<{ result: Publication; version: CatalogueVersion }> {
  const { file, ...requested } = config.catalogue;
  const catalogues = await composeCatalogues({ mongo, log, timings: defaultTimings });
  try {
    const result = await catalogues.publish({ ...requested, isOperators: file !== null }, true);
    const version = catalogues.localVersions().at(-1);
    if (version === undefined) throw new Error('no version was published');
    return { result, version };
  } catch (error) {
    throw error instanceof FileProblemsError ? new CommandError(error.message) : error;
  } finally {
    catalogues.stop();
  }
}

/**
 * Publishes the catalogue of the settings, and logs where it deviates from them.
 * @throws FileProblemsError
 */
export async function publishConfigured(
  { file, ...requested }: ConfiguredCatalogue,
  {
    catalogues,
    routeSet,
    log,
  }: { catalogues: Catalogues; routeSet: Pick<ComposedRoutes, 'narrowModels'>; log: Log },
): Promise<Publication> {
  const { models } = requested.catalogue;
  const routedIds = new Set(routeSet.narrowModels(models).map(({ id }) => id));
  const idle = models.filter(({ id }) => !routedIds.has(id));
  if (idle.length > 0) {
    throw new FileProblemsError(
      idle.map(
        ({ id }) => `${jsonPath(['models', id])} offers nothing that its routes can produce.`,
      ),
    );
  }
  const result = await catalogues.publish({ ...requested, isOperators: file !== null });
  const newest = catalogues.localVersions().at(-1);
  const fields = { version: newest?.number, from: newest && new Date(newest.from) };
  const source = file?.setting ?? 'built-in models';
  if (result === 'published') log.info(fields, `${source} published as a new catalogue version`);
  if (result === 'former') {
    log.warn(
      fields,
      `catalogue of ${source} matches an earlier version, and a newer one stays in effect; to go back, run "npm run admin -- models publish"`,
    );
  }
  if (result === 'follows') {
    log.info(fields, 'keeping the catalogue file that other processes use');
  }
  return result;
}
