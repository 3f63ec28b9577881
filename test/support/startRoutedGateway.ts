import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestGateway, type TestGateway } from './gateway.ts';

/**
 * Starts a gateway for a test file, with this content as its routes file.
 * @param env The providers' keys, and other settings.
 */
export async function startRoutedGateway(
  routes: object,
  env: Record<string, string>,
): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-routes-'));
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  const gateway = await startTestGateway({ ROUTES_FILE: file, ...env });
  return {
    ...gateway,
    async stop() {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
