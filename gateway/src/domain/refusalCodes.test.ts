import { expect, test } from '@jest/globals';
import { operatorErrorCodes } from '@framegate/contract';
import { internalRefusals } from './refusalCodes.ts';

const namesField = /_(missing|invalid|too_short|too_long|too_many)$/;

/** Ends of codes, each with its status. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [namesField, 400],
  [/_wrong$/, 400],
  [/_(of_another|of_another_site|of_staff|lacks_right|needs_factor)$/, 403],
  [/_not_found$/, 404],
  [/_(full|too_high|taken|already|not_verified|too_late|runs)$/, 409],
  [/_expired$/, 410],
  [/_too_large$/, 413],
  [/_too_often$/, 429],
];

/** Second words for these ends. */
const synonyms = /^no_|_(empty|unnamed|before|gone|late|stale|unverified|too_much|too_old)$/;

const rows = Object.entries<{ status: number; param?: string | null }>({
  ...operatorErrorCodes,
  ...internalRefusals,
});

test('a code that ends like others has their status', () => {
  const others = rows.filter(([code, { status }]) => {
    const [, expected = status] = statuses.find(([end]) => end.test(code)) ?? [];
    return status !== expected;
  });
  expect(others).toEqual([]);
});

test('a code about an entered value names its field, or leaves that to each use', () => {
  expect(rows.filter(([code, { param }]) => namesField.test(code) && param === null)).toEqual([]);
});

test('each ending stands for one idea', () => {
  expect(rows.filter(([code]) => synonyms.test(code) && !/_too_late$/.test(code))).toEqual([]);
});
