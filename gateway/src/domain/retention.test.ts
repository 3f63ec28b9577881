import { describe, expect, test } from '@jest/globals';
import { dueRemovals, withoutQuery } from './retention.ts';

const kept = { inputsKeptMs: 10, outputsKeptMs: 20, promptsKeptMs: 30 };
const ended = { endedAt: 1000, outputsDeleteAt: 1020 };

describe('what has had its time', () => {
  test.each([
    [1000, { inputs: false, outputs: false, prompt: false, tidyAt: 1010 }],
    [1009, { inputs: false, outputs: false, prompt: false, tidyAt: 1010 }],
    [1010, { inputs: true, outputs: false, prompt: false, tidyAt: 1020 }],
    [1020, { inputs: true, outputs: true, prompt: false, tidyAt: 1030 }],
    [1030, { inputs: true, outputs: true, prompt: true, tidyAt: null }],
    [9999, { inputs: true, outputs: true, prompt: true, tidyAt: null }],
  ])('at %i', (now, due) => {
    expect(dueRemovals(ended, kept, now)).toEqual(due);
  });

  test('outputs go when they were promised to, also after a change of the setting', () => {
    expect(dueRemovals({ endedAt: 1000, outputsDeleteAt: 1005 }, kept, 1005).outputs).toBe(true);
  });

  test('a failed one has nothing but its replay at that time', () => {
    const failed = { endedAt: 1000, outputsDeleteAt: null };
    expect(dueRemovals(failed, kept, 1019).outputs).toBe(false);
    expect(dueRemovals(failed, kept, 1020).outputs).toBe(true);
  });
});

test('the query of an input’s URL, where signatures are, goes with the files', () => {
  const input = { type: 'image', role: 'reference', ownOutput: null } as const;
  const url = 'https://media.example/a.png?token=1&x=?';
  expect(withoutQuery({ ...input, url }).url).toBe('https://media.example/a.png');
});
