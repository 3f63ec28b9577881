import { describe, expect, test } from '@jest/globals';
import { findClues, isProse, matchesOf } from './caseClues.ts';

const nowMs = Date.UTC(2026, 10, 29, 1, 30);

describe('findClues', () => {
  test('reads amounts and times as people write them', () => {
    const { amounts, minutes } = findClues(
      '75 credits at 21:56, 1200 Credits at 9:05 pm, 12:10am',
      [],
      nowMs,
    );
    expect([...amounts]).toEqual([75, 1_200]);
    expect(minutes).toEqual([21 * 60 + 56, 21 * 60 + 5, 10]);
  });

  test.each([
    ['on 2026-11-26', '2026-11-26'],
    ['am 26. November', '2026-11-26'],
    ['on Nov 26', '2026-11-26'],
    ['am 3. Mär', '2026-03-03'],
    // Not yet this year.
    ['on 24 Dec', '2025-12-24'],
    ['gestern Abend', '2026-11-28'],
  ])('reads the day in “%s”', (text, day) => {
    const { days } = findClues(text, [], nowMs);
    expect(days.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([day]);
  });
});

test('distinguishes letters from ids and terms', () => {
  expect(isProse('Hello, where is the video that I made?')).toBe(true);
  expect(isProse('gen_01kb2m7t3q9d8r5v6w4x0y1z2a\n'.repeat(20))).toBe(false);
});

describe('matchesOf', () => {
  const item = (id: string, prompt: string, minute = 0) => ({
    id,
    prompt,
    costCredits: 75,
    endedAt: null,
    createdAt: Date.UTC(2026, 10, 28, 21, minute),
  });

  test('weighs rare words of prompts above common ones', () => {
    const items = [
      item('gen_a', 'a slow camera over mountains'),
      item('gen_b', 'a slow camera over lighthouses'),
      item('gen_c', 'a slow camera over deserts'),
    ];
    const clues = findClues('where is the slow camera with lighthouses', [], nowMs);
    expect(matchesOf(clues, items)[0]?.because).toEqual([
      'words of the prompt: lighthouses, slow, camera',
    ]);
    expect(matchesOf(clues, items)[0]?.item.id).toBe('gen_b');
  });

  test('considers other time zones last', () => {
    const items = [item('gen_a', '', 56), item('gen_b', '', 20)];
    const at = (text: string) =>
      matchesOf(findClues(text, [], nowMs), items).map(({ item: { id }, because }) => [
        id,
        because,
      ]);
    expect(at('at 21:57')).toEqual([['gen_a', ['the time, 21:56 UTC']]]);
    expect(at('at 22:20')).toEqual([['gen_b', ['the minute, in another time zone']]]);
    expect(at('at 21:40')).toEqual([]);
  });
});
