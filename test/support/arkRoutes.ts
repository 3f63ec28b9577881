import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from '@framegate/contract';
import type { FakeArk } from './fakeArk/fakeArk.ts';
import { statedVideo } from './statedSupport.ts';

/** A provider entry of the routes file for a fake ModelArk. */
export function arkProvider(
  { baseURL, mediaHost }: Pick<FakeArk, 'baseURL' | 'mediaHost'>,
  apiKeyEnv = 'ARK_API_KEY',
) {
  return {
    kind: 'model-ark',
    apiKeyEnv,
    baseURL,
    mediaHosts: [mediaHost],
    allowPrivateNetwork: true,
  };
}

/**
 * Writes a routes file that sends every video model to a fake ModelArk.
 * @param previewed Image models made by the preview renderer.
 * @returns The settings with which a gateway uses it.
 */
export async function arkRoutes(
  folder: string,
  ark: FakeArk,
  provider: Record<string, unknown> = {},
  route: Record<string, unknown> = {},
  previewed: readonly string[] = [],
): Promise<Record<string, string>> {
  const models = catalogue
    .filter(({ type }) => type === 'video')
    .map(({ id }) => [
      id,
      // An endpoint with a real-person agreement with the provider.
      [
        {
          provider: 'ark',
          model: 'upstream-model',
          does: { ...statedVideo, realPerson: true },
          ...route,
        },
      ],
    ]);
  const images = previewed.map((id) => [id, [{ provider: 'preview', model: id }]]);
  const routes = {
    providers: {
      ...(images.length > 0 && { preview: { kind: 'preview-renderer' } }),
      ark: { ...arkProvider(ark), ...provider },
    },
    models: Object.fromEntries([...models, ...images]) as Record<string, unknown>,
  };
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  return { ROUTES_FILE: file, ARK_API_KEY: ark.apiKey };
}
