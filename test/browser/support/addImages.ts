import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskStore } from '../../../gateway/media/src/diskStore.ts';
import { sampleFolder, samplePictures } from '../../../gateway/src/adapters/net/sampleHost.ts';
import { createPosterMaker } from '../../../gateway/media/src/makePosters.ts';
import { createStoreOutput } from '../../../gateway/media/src/storeOutput.ts';
import type { Generation } from '../../../gateway/src/domain/generation.ts';
import { maxOutputBytes } from '../../../gateway/src/application/ports/media.ts';
import { mediaKey, posterKey, posterWidths } from '../../../gateway/src/domain/mediaUrl.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { collectLog } from '../../support/mongod.ts';
import { generationOf, store } from '../../support/workWorld.ts';

/**
 * Makes a finished generation of images, taken over as a provider's are, of the sample pictures.
 * @param number Chooses the pictures, and stands in the prompt.
 * @returns its id.
 */
export async function addImages(
  { gateway, dataDir }: TestGateway,
  accountId: string,
  { number, n }: { number: number; n: number },
): Promise<string> {
  const id = gateway.random.newId('gen');
  const now = gateway.database.clock.now();
  const folder = join(dataDir, 'media');
  const { log } = collectLog();
  const disk = createDiskStore(folder);
  const storeOutput = createStoreOutput({
    store: disk,
    tempFolder: join(folder, 'work'),
    maxOutputBytes,
    posters: createPosterMaker(
      { store: disk, log },
      {
        types: ['image'],
        sizes: posterWidths.map((width) => ({ width, keyOf: (key) => posterKey(key, width) })),
      },
    ),
  });
  const outputs: Generation['outputs'] = [];
  for (let index = 0; index < n; index += 1) {
    const name = samplePictures[(number + index) % samplePictures.length] ?? '';
    const read = () => readFile(join(sampleFolder, name));
    const key = mediaKey('outputs', { generationId: id, index, extension: 'jpg' });
    const wanted = { accountId, type: 'image', format: 'image/jpeg' } as const;
    const file = await storeOutput(key, { read }, wanted, new AbortController().signal);
    outputs.push({ key, extension: 'jpg', ...file });
  }
  const parameters = { n, resolution: '1k', aspect_ratio: '16:9', output_format: 'jpeg' };
  await store(gateway.database, [
    generationOf(id, accountId, now, {
      type: 'image',
      model: 'image-b-2',
      mode: null,
      channel: 'pc',
      outputs,
      status: 'completed',
      step: 'ended',
      endedAt: now,
      outputsDeleteAt: now + 86_400_000,
      parameters: parameters as Generation['parameters'],
      prompt: `Picture ${String(number)} of a quiet place by the water, in the morning`,
    }),
  ]);
  return id;
}
