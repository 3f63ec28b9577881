import { expect, test } from '@jest/globals';
import { parseTeamName } from './teamName.ts';

test.each([
  ['  Acme   Films ', 'Acme Films'],
  ["O'Brien & Söhne (Berlin), Inc.", "O'Brien & Söhne (Berlin), Inc."],
  ['株式会社アクメ', '株式会社アクメ'],
  ['', ''],
])('%j is the name %j', (typed, name) => {
  expect(parseTeamName(typed)).toBe(name);
});

test.each([
  'evil.example',
  'http://evil.example',
  'pay@evil.example',
  '<b>Acme</b>',
  'Acme\u202egnp',
  '.Acme',
  'a'.repeat(41),
])('%j is not a name', (typed) => {
  expect(parseTeamName(typed)).toBeNull();
});
