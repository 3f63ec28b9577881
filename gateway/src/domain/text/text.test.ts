import { expect, test } from '@jest/globals';
import { searchWords } from './text.ts';

test('a search has at most six words of forty characters', () => {
  expect(searchWords('  a paper\tboat ')).toEqual(['a', 'paper', 'boat']);
  expect(searchWords(' ')).toEqual([]);
  expect(searchWords('a b c d e f g')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(searchWords(`${'a'.repeat(199)}b`)).toEqual(['a'.repeat(40)]);
});
