import { expect, test } from '@jest/globals';
import { generationOf } from '../../../test/support/workWorld.ts';
import type { Generation } from './generation.ts';
import {
  filesToCopy,
  showpieceLimits,
  showpieceProblem,
  startShowpieces,
  withShowpiece,
  type Showpiece,
} from './showpiece.ts';

const staff = { staffRole: 'admin' } as const;
const output = {
  key: 'outputs/gen_1/0.mp4',
  extension: 'mp4',
  mediaType: 'video/mp4',
  bytes: 1_000,
  sha256: '',
  poster: true,
} as const;
const made = (more: Partial<Generation> = {}) =>
  generationOf('gen_1', 'acct_1', 0, {
    status: 'completed',
    step: 'ended',
    outputs: [output],
    ...more,
  });

test('a completed result of staff can be shown', () => {
  expect(showpieceProblem(made(), staff)).toBeNull();
});

const realPerson = { consentReference: 'c', policyVersion: '1', callerAddress: '' };
test.each([
  ['belongs to a customer', made(), { staffRole: null }, 'does not belong to staff'],
  ['has no account any more', made(), null, 'does not belong to staff'],
  ['shows a real person', made({ realPerson }), staff, 'real person'],
  ['is not finished', made({ status: 'processing', outputs: [] }), staff, 'not completed'],
  ['is taken down', made({ outputsDeletedAt: 1 }), staff, 'are deleted'],
  ['was deleted by its owner', made({ removedAt: 1 }), staff, 'are deleted'],
  [
    'has no poster',
    made({ outputs: [{ ...output, poster: undefined as never }] }),
    staff,
    'POSTERS',
  ],
  [
    'is too large',
    made({ outputs: [{ ...output, bytes: showpieceLimits.clipBytes + 1 }] }),
    staff,
    'choose a shorter one',
  ],
])('one that %s cannot', (_why, generation, account, words) => {
  expect(showpieceProblem(generation, account)).toContain(words);
});

test('a video is copied with its posters, an image as its posters', () => {
  expect(filesToCopy(made())).toEqual([
    ['posters_320/gen_1/0.webp', 'small.webp'],
    ['posters_960/gen_1/0.webp', 'large.webp'],
    ['outputs/gen_1/0.mp4', 'clip.mp4'],
  ]);
  expect(filesToCopy(made({ type: 'image' })).map(([, to]) => to)).toEqual([
    'small.webp',
    'large.webp',
  ]);
});

test('a model has one, and the start page six of the models on sale, videos first', () => {
  const piece = (model: string, type: Showpiece['type'] = 'video'): Showpiece => ({
    ...{ model, type, generationId: `gen_${model}` },
    aspectRatio: '16:9',
  });
  const again = { ...piece('a'), generationId: 'gen_new' };
  expect(withShowpiece([piece('a'), piece('b')], again)).toEqual([piece('b'), again]);
  const models = 'i a b c d e f g'.split(' ').map((id) => ({ id }));
  const list = [
    piece('i', 'image'),
    piece('gone'),
    ...'g f e d c b a'.split(' ').map((id) => piece(id)),
  ];
  const shown = startShowpieces(list, models).map(({ model }) => model);
  expect(shown).toEqual('a b c d e f'.split(' '));
  expect(startShowpieces([piece('i', 'image'), piece('a')], models)).toEqual([
    piece('a'),
    piece('i', 'image'),
  ]);
});
