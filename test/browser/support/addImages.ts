import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleFolder, samplePictures } from '../../../gateway/src/adapters/net/sampleHost.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addResult } from './addResult.ts';

/**
 * Makes a finished generation of the sample pictures.
 * @param number Chooses the pictures, and stands in the prompt.
 * @returns Its id.
 */
export function addImages(
  gateway: TestGateway,
  accountId: string,
  { number, n }: { number: number; n: number },
): Promise<string> {
  const files = Array.from({ length: n }, (_, index) => {
    const name = samplePictures[(number + index) % samplePictures.length] ?? '';
    return () => readFile(join(sampleFolder, name));
  });
  return addResult(gateway, accountId, files, {
    type: 'image',
    model: 'image-b-2',
    mode: null,
    parameters: { n, resolution: '1k', aspect_ratio: '16:9', output_format: 'jpeg' },
    prompt: `Picture ${String(number)} of a quiet place by the water, in the morning`,
  });
}
