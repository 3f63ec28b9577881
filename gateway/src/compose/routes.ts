import { join } from 'node:path';
import { createPreviewRenderer } from '../adapters/providers/preview/createPreviewRenderer.ts';
import { createRoutes } from '../adapters/providers/createRoutes.ts';
import { defaultRoutes, readRoutesFile } from '../adapters/providers/routesFile.ts';
import type { Clock, Log, Random, Routes } from '../application/ports.ts';
import type { Config } from '../config.ts';

/** The operator's routes; without a routes file the preview renderer makes every model. */
export async function composeRoutes(
  config: Config,
  { log, clock, random }: { log: Log; clock: Clock; random: Random },
): Promise<{ routes: Routes; close(): Promise<void> }> {
  const preview = createPreviewRenderer({
    workDir: join(config.dataDir, 'preview'),
    log,
    now: () => clock.now(),
    newId: () => random.newId('gen'),
  });
  try {
    const env = new Proxy({}, { get: (_, name) => config.environment(String(name)) });
    const file = config.routes
      ? readRoutesFile(config.routes.content, env, config.models)
      : defaultRoutes(config.models);
    const routes = await createRoutes({ file, preview, log });
    return {
      routes,
      async close() {
        await routes.close();
        await preview.close();
      },
    };
  } catch (error) {
    await preview.close();
    throw error;
  }
}
