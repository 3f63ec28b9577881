import { join } from 'node:path';
import { createDiskStore } from '../../../gateway/media/src/diskStore.ts';
import { createPosterMaker } from '../../../gateway/media/src/makePosters.ts';
import { createStoreOutput, maxOutputPixels } from '../../../gateway/media/src/storeOutput.ts';
import { maxOutputBytes } from '../../../gateway/src/application/ports/media.ts';
import type { Generation } from '../../../gateway/src/domain/generations/generation.ts';
import {
  mediaKey,
  posterKey,
  posterWidths,
} from '../../../gateway/src/domain/generations/mediaUrl.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { collectLog } from '../../support/mongod.ts';
import { workGeneration, store } from '../../support/workWorld.ts';

/**
 * Makes a finished generation, whose files are fetched as a provider's are, with their posters.
 * @param files Each file's bytes, in order.
 * @returns Its id.
 */
export async function addResult(
  gateway: TestGateway,
  accountId: string,
  files: readonly (() => Promise<Uint8Array>)[],
  more: Pick<Generation, 'type' | 'model' | 'mode' | 'prompt'> & { parameters: object },
): Promise<string> {
  const id = gateway.random.newId('gen');
  const nowMs = gateway.clock.now();
  const folder = join(gateway.dataDir, 'media');
  const tempFolder = join(folder, 'work');
  const disk = createDiskStore(folder);
  const { type, parameters } = more;
  const [extension, format] =
    type === 'video' ? (['mp4', 'video/mp4'] as const) : (['jpg', 'image/jpeg'] as const);
  const { log } = collectLog();
  const storeOutput = createStoreOutput({
    store: disk,
    log,
    tempFolder,
    maxOutputBytes,
    posters: createPosterMaker(
      {
        store: disk,
        log,
        tempFolder,
        maxPixels: maxOutputPixels,
        maxBytes: maxOutputBytes,
      },
      {
        types: [type],
        sizes: posterWidths.map((width) => ({ width, posterKey: (key) => posterKey(key, width) })),
      },
    ),
  });
  const outputs: Generation['outputs'] = [];
  for (const [index, read] of files.entries()) {
    const key = mediaKey('outputs', { generationId: id, index, extension });
    const wanted = { accountId, type, format } as const;
    const file = await storeOutput(key, { read }, wanted, new AbortController().signal);
    outputs.push({ key, extension, ...file });
  }
  await store(gateway, [
    workGeneration(id, accountId, nowMs, {
      ...more,
      parameters: parameters as Generation['parameters'],
      channel: 'pc',
      outputs,
      status: 'completed',
      step: 'ended',
      endedAt: nowMs,
      outputsRemoveAt: nowMs + 86_400_000,
    }),
  ]);
  return id;
}
