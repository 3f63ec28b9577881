import { expect, test } from '@jest/globals';
import { addWithin, setWithin } from './boundedMap.ts';

test('a full map or set forgets its oldest entry, and an entry set again is the newest', () => {
  const map = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c']) setWithin(map, key, map.size, 2);
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 2],
  ]);
  const set = new Set<string>();
  for (const member of ['a', 'b', 'a', 'c']) addWithin(set, member, 2);
  expect([...set]).toEqual(['a', 'c']);
});
