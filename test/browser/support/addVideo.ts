import { readFile } from 'node:fs/promises';
import type { TestGateway } from '../../support/gateway.ts';
import { addResult } from './addResult.ts';

const file = new URL('../../../gateway/media/test/reordered.mp4', import.meta.url);

/** Makes a finished video. @param number Stands in the prompt. @returns Its id. */
export function addVideo(gateway: TestGateway, accountId: string, number: number): Promise<string> {
  return addResult(gateway, accountId, [() => readFile(file)], {
    type: 'video',
    model: 'alpha-2.0-fast',
    mode: 'text-to-video',
    parameters: {
      duration_seconds: 4,
      resolution: '480p',
      aspect_ratio: '16:9',
      generate_audio: false,
    },
    prompt: `Clip ${String(number)} of stripes that move`,
  });
}
