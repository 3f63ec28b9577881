import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arkProvider } from '../../test/support/arkRoutes.ts';
import { statedVideo } from '../../test/support/statedSupport.ts';

/**
 * Writes a routes file that sends `alpha-2.0-fast` to a stand-in for ModelArk, without a limit on concurrent orders.
 * @param host Such as `127.0.0.1:40123`.
 * @returns The settings that a gateway needs for it.
 */
export async function writeBenchRoutes(folder: string, host: string) {
  const provider = arkProvider({ baseURL: `http://${host}/api/v3`, mediaHost: host });
  const routes = {
    providers: { ark: { ...provider, maxConcurrent: 100_000 } },
    models: { 'alpha-2.0-fast': [{ provider: 'ark', model: 'upstream', does: statedVideo }] },
  };
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  return { ROUTES_FILE: file, ARK_API_KEY: 'bench' };
}
