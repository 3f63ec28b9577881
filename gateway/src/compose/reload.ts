import pLimit from 'p-limit';
import { type Log, messageOf } from '@framegate/contract';
import { RoutesFileError } from '@framegate/provider-routes';
import type { Catalogues } from '../application/catalogue/catalogues.ts';
import type { RoutesReload } from '../application/ports/providers.ts';
import type { Config } from '../config.ts';
import { FileProblemsError } from '../domain/installation/fileProblems.ts';
import { rereadCatalogue } from '../settings/fileSettings.ts';
import { publishConfigured } from './catalogues.ts';
import { type ComposedRoutes, reloadRoutesFile } from './routes.ts';

/** A file that is re-read while the process runs. */
interface ReloadableFile {
  setting: string;
  alert: string;
  /** Completes "and … as they were". */
  kept: string;
  /** @returns Whether it has changed. */
  read: () => Promise<boolean>;
}

/**
 * Re-reads the files of models and routes, one call at a time, and logs the result. Never throws: an invalid file
 * changes nothing, and the other file is still applied.
 */
export function composeReload(parts: {
  config: Config;
  routeSet: ComposedRoutes;
  catalogues: Catalogues;
  log: Log;
}): () => Promise<RoutesReload> {
  const { config, routeSet, log } = parts;
  const { file } = config.catalogue;
  // Models first, because new routes may name them.
  const files: ReloadableFile[] = [];
  if (file !== null) {
    files.push({
      setting: file.setting,
      alert: 'models_file_refused',
      kept: 'the models and prices stay',
      read: async () =>
        (await publishConfigured(rereadCatalogue(config.catalogue), parts)) === 'published',
    });
  }
  if (file === null || config.routes !== null) {
    files.push({
      setting: 'ROUTES_FILE',
      alert: 'routes_file_refused',
      kept: 'the routes stay',
      read: () => reloadRoutesFile(routeSet, log),
    });
  }

  async function take({
    setting,
    alert,
    kept: unchangedText,
    read,
  }: ReloadableFile): Promise<RoutesReload> {
    try {
      return { result: (await read()) ? 'reloaded' : 'unchanged', problems: [] };
    } catch (error) {
      const problems =
        error instanceof RoutesFileError || error instanceof FileProblemsError
          ? error.problems
          : [messageOf(error)];
      const text = problems.join(' ');
      log.error(
        { alert, problems },
        `${setting} was refused, and ${unchangedText} as they were: ${text}`,
      );
      return { result: 'refused', problems };
    }
  }

  async function reload(): Promise<RoutesReload> {
    const all: RoutesReload[] = [];
    for (const each of files) all.push(await take(each));
    const has = (result: RoutesReload['result']) => all.some((each) => each.result === result);
    return {
      result: has('refused') ? 'refused' : has('reloaded') ? 'reloaded' : 'unchanged',
      problems: all.flatMap(({ problems }) => problems),
    };
  }

  const oneAtATime = pLimit(1);
  return () => oneAtATime(reload);
}
