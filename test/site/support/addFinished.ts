import { join } from 'node:path';
import { dayMs } from '@framegate/contract';
import { createDiskStore } from '../../../gateway/media/src/diskStore.ts';
import type { Generation } from '../../../gateway/src/domain/generations/generation.ts';
import { mediaKey } from '../../../gateway/src/domain/generations/mediaUrl.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { store, workGeneration } from '../../support/workWorld.ts';

/** A finished generation with its files in the gateway's media store. @returns Its id. */
export async function addFinished(
  gateway: TestGateway,
  accountId: string,
  more: Partial<Generation> = {},
): Promise<string> {
  const id = gateway.random.newId('gen');
  const nowMs = gateway.clock.now();
  const disk = createDiskStore(join(gateway.dataDir, 'media'));
  const outputs: Generation['outputs'] = [];
  for (const index of [0, 1]) {
    const key = mediaKey('outputs', { generationId: id, index, extension: 'jpg' });
    const options = { contentType: 'image/jpeg', maxBytes: 100 };
    const file = await disk.put(key, Buffer.from(`picture ${index}`), options);
    outputs.push({ key, extension: 'jpg', mediaType: 'image/jpeg', ...file });
  }
  const parameters = { n: 2, resolution: '1k', aspect_ratio: '16:9', output_format: 'jpeg' };
  await store(gateway, [
    workGeneration(id, accountId, nowMs, {
      type: 'image',
      model: 'image-b-2',
      mode: null,
      channel: 'pc',
      status: 'completed',
      step: 'ended',
      endedAt: nowMs,
      outputs,
      outputsRemoveAt: nowMs + dayMs,
      parameters: parameters as Generation['parameters'],
      prompt: 'A quiet place by the water',
      ...more,
    }),
  ]);
  return id;
}
