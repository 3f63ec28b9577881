import { expect, test } from '@jest/globals';
import { dayMs, minuteMs } from '@framegate/contract';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { TidyChange } from '../../ports/upkeep.ts';
import { inputsKeptMs, tidyGenerations } from './tidyGenerations.ts';

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
  outputsRemoveAt: 300 * dayMs,
  outputsRemovedAt: null,
  replay: null,
};

/** The outcome of an output's posters, and when it was taken down in the meantime. */
interface Drawing {
  result: 'made' | 'missed' | 'impossible';
  removedAt: number | null;
}

/** Tidies a generation once. @returns The deleted keys and the change. */
async function tidy(
  generation: object,
  nowMs: number,
  { result = 'impossible', removedAt = null }: Partial<Drawing> = {},
) {
  const drawn: string[] = [];
  const deleted: string[] = [];
  const changes: TidyChange[] = [];
  const leases = [{ generation: generation as Generation, until: nowMs }];
  await tidyGenerations(
    {
      clock: { now: () => nowMs, skewMs: () => 0, wrongClock: () => null },
      media: { delete: async (key: string) => void deleted.push(key) } as never,
      log: { warn: () => undefined } as never,
      posters: {
        types: ['video'],
        make: async (key) => {
          drawn.push(key);
          return result;
        },
      },
      database: { generations: { find: async () => ({ outputsRemovedAt: removedAt }) } } as never,
      timings: { removalMs: 1_000 },
      outputsKeptMs: 300 * dayMs,
      promptsKeptMs: 30 * dayMs,
      upkeep: {
        acquireTidyLeases: async () => leases.splice(0),
        markTidied: async (tidied) => void changes.push(...tidied.map(({ change }) => change)),
      },
    },
    new AbortController().signal,
  );
  return { deleted, drawn, change: changes[0] };
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
  const { deleted } = await tidy({ ...ended, ...change }, 31 * dayMs);
  expect(deleted).toEqual([]);
});

test('everything that may quote the prompt is deleted with it', async () => {
  const said = 'refused: a red boat';
  const attempt = {
    number: 1,
    note: said,
    operation: { taskId: 'cgt-1' },
    doubt: { sign: 'no result', times: 1, since: 1, reason: said },
    fetches: { attempts: 1, at: 1, error: said },
    lost: { reason: 'no_result', note: said },
    cancel: { at: 1, isAccepted: false, note: said },
    refused: { at: 1, until: 1, files: [{ key: 'refused/gen_1/1-0', head: said }] },
  };
  const plain = { number: 2, note: null, operation: null };
  const inputs = [{ ...ended.inputs[0], url: 'https://a.example/a red boat.png' }];
  const made = { ...ended, prompt: 'a red boat', inputs, attempts: [attempt, plain] };
  expect((await tidy(made, 30 * dayMs - 1)).change).not.toHaveProperty('attempts');
  const { deleted, change } = await tidy(made, 30 * dayMs);
  expect(change).toMatchObject({ prompt: '', responses: null });
  expect(JSON.stringify(change)).not.toContain('a red boat');
  expect(change?.attempts).toEqual([
    {
      ...attempt,
      note: null,
      doubt: { ...attempt.doubt, reason: '' },
      fetches: { ...attempt.fetches, error: '' },
      lost: { ...attempt.lost, note: '' },
      cancel: { ...attempt.cancel, note: '' },
      refused: { ...attempt.refused, files: [] },
    },
    plain,
  ]);
  expect(deleted).toContain('refused/gen_1/1-0');
});

const output = { key: 'outputs/gen_1/0.mp4', extension: 'mp4', mediaType: 'video/mp4', bytes: 9 };
const bare = { ...ended, outputs: [output], tidyAt: 2 * minuteMs };

test('missing posters of a result are made once, after its end', async () => {
  const { drawn, deleted, change } = await tidy(bare, 3 * minuteMs, { result: 'made' });
  expect(drawn).toEqual([output.key]);
  expect(change).toEqual({ outputs: [{ ...output, hasPoster: true }], tidyAt: inputsKeptMs });
  expect(deleted).toEqual([]);
  expect((await tidy({ ...bare, ...change }, 4 * minuteMs)).drawn).toEqual([]);
});

test.each([
  ['are tried again in ten minutes', 'missed', 3, 13],
  ['are given up after an hour', 'missed', 55, inputsKeptMs / minuteMs],
  ['that no try would make are given up at once', 'impossible', 3, inputsKeptMs / minuteMs],
] as const)('posters %s', async (_, result, at, nextAt) => {
  const { drawn, change } = await tidy(bare, at * minuteMs, { result });
  expect(drawn).toEqual([output.key]);
  expect(change).toEqual({ outputs: [output], tidyAt: nextAt * minuteMs });
});

test('posters of a result that was taken down meanwhile are removed', async () => {
  const { deleted, change } = await tidy(bare, 3 * minuteMs, { result: 'made', removedAt: 1 });
  expect(deleted).toEqual(expect.arrayContaining(['posters_320/gen_1/0.webp']));
  expect(change).toEqual({ tidyAt: inputsKeptMs });
});

test.each([
  ['an hour after the end', {}, 61 * minuteMs],
  ['of what is taken down', { outputsRemovedAt: 1 }, 3 * minuteMs],
  ['of a failure', { status: 'failed' }, 3 * minuteMs],
  ['of a type without posters', { type: 'image', parameters: { n: 1 } }, 3 * minuteMs],
])('no posters are made %s', async (_, other, nowMs) => {
  expect((await tidy({ ...bare, ...other }, nowMs)).drawn).toEqual([]);
});
