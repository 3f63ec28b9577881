import { expect, test } from '@jest/globals';
import { type Showpiece, startShowpieces } from './showpiece.ts';

test('the start page has six of the models on sale, clips first', () => {
  const piece = (model: string, clip: string | null = 'https://a.example/clip.mp4'): Showpiece => ({
    model,
    clip,
    picture: 'https://a.example/picture.webp',
  });
  const models = 'i a b c d e f g'.split(' ').map((id) => ({ id }));
  const list = [
    piece('i', null),
    piece('gone'),
    ...'g f e d c b a'.split(' ').map((id) => piece(id)),
  ];
  const shown = startShowpieces(list, models).map(({ model }) => model);
  expect(shown).toEqual('a b c d e f'.split(' '));
  expect(startShowpieces([piece('i', null), piece('a')], models)).toEqual([
    piece('a'),
    piece('i', null),
  ]);
});
