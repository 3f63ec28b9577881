import { RoutesFileError } from '../adapters/providers/routesFile.ts';
import type { RoutesReload } from '../application/ports/providers.ts';
import type { Log } from '../application/ports/system.ts';
import type { ComposedRoutes } from './routes.ts';

/**
 * Reads ROUTES_FILE again, one time after the other, and says in the log what came of it. Never throws: where
 * the file will not do, the routes stay as they are.
 */
export function createReload(routes: ComposedRoutes, log: Log): () => Promise<RoutesReload> {
  let last: Promise<unknown> = Promise.resolve();
  async function reload(): Promise<RoutesReload> {
    try {
      const { changed, gone } = await routes.reload();
      log.info({ changed }, 'ROUTES_FILE was read again');
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
