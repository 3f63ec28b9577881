import { expect, test } from '@jest/globals';
import type { Generation } from '../../domain/generation.ts';
import type { TidyChange } from '../ports/upkeep.ts';
import { inputsKeptMs, tidyGenerations } from './tidyGenerations.ts';

const day = 24 * 3600 * 1000;

/** An ended generation whose process was killed before it recorded its stored input. */
const ended = {
  id: 'gen_1',
  type: 'video',
  status: 'completed',
  endedAt: 0,
  tidyAt: inputsKeptMs,
  inputs: [{ type: 'image', role: 'first_frame', url: 'https://a.example/1.png', ownOutput: null }],
  parameters: { resolution: '720p' },
  storedInputs: null,
  attempts: [],
  outputs: [],
  outputsDeleteAt: 300 * day,
  outputsDeletedAt: null,
  replay: null,
};

/** Tidies a generation once. @returns the keys that were deleted, and the change. */
async function tidy(generation: object, now: number) {
  const deleted: string[] = [];
  const changes: TidyChange[] = [];
  const claims = [{ generation: generation as Generation, until: now }];
  await tidyGenerations(
    {
      clock: { now: () => now, skewMs: () => 0 },
      media: { delete: async (key: string) => void deleted.push(key) } as never,
      log: {} as never,
      outputsKeptMs: 300 * day,
      promptsKeptMs: 30 * day,
      upkeep: {
        claimToTidy: async () => claims.splice(0),
        markTidied: async (tidied) => void changes.push(...tidied.map(({ change }) => change)),
      },
    },
    new AbortController().signal,
  );
  return { deleted, change: changes[0] };
}

const inputFiles = ['jpg', 'png', 'webp'].map((extension) => `inputs/gen_1/0.${extension}`);

test.each([
  ['of today', inputsKeptMs],
  ['that was longer at its end', 3 * inputsKeptMs],
])('unrecorded input files are deleted after a retention %s', async (_, tidyAt) => {
  const { deleted, change } = await tidy({ ...ended, tidyAt }, tidyAt);
  expect(deleted).toEqual(inputFiles);
  expect(change?.storedInputs).toEqual([]);
});

test('removed inputs are not deleted again', async () => {
  const { change } = await tidy(ended, inputsKeptMs);
  const { deleted } = await tidy({ ...ended, ...change }, 31 * day);
  expect(deleted).toEqual([]);
});
