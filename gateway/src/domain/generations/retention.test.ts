import { describe, expect, test } from '@jest/globals';
import { dueRemovals, withoutQuery } from './retention.ts';

const kept = { inputsKeptMs: 10, outputsKeptMs: 20, promptsKeptMs: 30 };
const ended = { endedAt: 1000, outputsRemoveAt: 1020 };
const replayUntil = (keptUntil: number) => ({
  scope: 's',
  fingerprint: 'f',
  body: '{}',
  headers: {},
  keptUntil,
});

describe('data past its retention', () => {
  test.each([
    [
      1000,
      {
        areInputsDue: false,
        areOutputsDue: false,
        isRefusedDue: false,
        isReplayDue: false,
        isPromptDue: false,
        tidyAt: 1010,
      },
    ],
    [
      1009,
      {
        areInputsDue: false,
        areOutputsDue: false,
        isRefusedDue: false,
        isReplayDue: false,
        isPromptDue: false,
        tidyAt: 1010,
      },
    ],
    [
      1010,
      {
        areInputsDue: true,
        areOutputsDue: false,
        isRefusedDue: false,
        isReplayDue: false,
        isPromptDue: false,
        tidyAt: 1020,
      },
    ],
    [
      1020,
      {
        areInputsDue: true,
        areOutputsDue: true,
        isRefusedDue: false,
        isReplayDue: false,
        isPromptDue: false,
        tidyAt: 1030,
      },
    ],
    [
      1030,
      {
        areInputsDue: true,
        areOutputsDue: true,
        isRefusedDue: false,
        isReplayDue: false,
        isPromptDue: true,
        tidyAt: null,
      },
    ],
    [
      9999,
      {
        areInputsDue: true,
        areOutputsDue: true,
        isRefusedDue: false,
        isReplayDue: false,
        isPromptDue: true,
        tidyAt: null,
      },
    ],
  ])('at %i', (nowMs, due) => {
    expect(dueRemovals(ended, kept, nowMs)).toEqual(due);
  });

  test('outputs are deleted at the promised time, also after a change of the setting', () => {
    expect(dueRemovals({ endedAt: 1000, outputsRemoveAt: 1005 }, kept, 1005).areOutputsDue).toBe(
      true,
    );
  });

  test.each([
    [1014, { areOutputsDue: false, isReplayDue: false, tidyAt: 1015 }],
    [1015, { areOutputsDue: false, isReplayDue: true, tidyAt: 1020 }],
  ])('the replayed response expires by its own time, before the outputs, at %i', (nowMs, due) => {
    expect(dueRemovals({ ...ended, replay: replayUntil(1015) }, kept, nowMs)).toMatchObject(due);
  });

  test.each([
    [1024, 1025, { isRefusedDue: false, tidyAt: 1025 }],
    [1025, 1025, { isRefusedDue: true, tidyAt: 1030 }],
    [1029, 1099, { isRefusedDue: false, tidyAt: 1030 }],
    [1030, 1099, { isRefusedDue: true, isPromptDue: true, tidyAt: null }],
  ])('a refused result at %i, kept until %i, never outlasts the prompt', (nowMs, until, due) => {
    const attempts = [{ refused: { at: 1000, until, files: [] } }] as never;
    expect(dueRemovals({ ...ended, attempts }, kept, nowMs)).toMatchObject(due);
  });

  test.each([
    [1030, { areOutputsDue: true, isPromptDue: true, isReplayDue: false, tidyAt: 1040 }],
    [1040, { areOutputsDue: true, isPromptDue: true, isReplayDue: true, tidyAt: null }],
  ])('the prompt is deleted last, at %i', (nowMs, due) => {
    expect(dueRemovals({ ...ended, replay: replayUntil(1040) }, kept, nowMs)).toMatchObject(due);
  });
});

test('a deletion by its owner immediately removes everything but the replayed response', () => {
  const removed = { ...ended, outputsRemoveAt: null, deletedAt: 1001, replay: replayUntil(1040) };
  const attempts = [{ refused: { at: 1000, until: 1099, files: [] } }] as never;
  const due = {
    areInputsDue: true,
    areOutputsDue: true,
    isRefusedDue: true,
    isPromptDue: true,
    isReplayDue: false,
  };
  expect(dueRemovals({ ...removed, attempts }, kept, 1001)).toEqual({ ...due, tidyAt: 1040 });
});

test("the query of an input's URL, which holds signatures, is deleted with the files", () => {
  const input = { type: 'image', role: 'reference', ownOutput: null } as const;
  const url = 'https://media.example/a.png?token=1&x=?';
  expect(withoutQuery({ ...input, url }).url).toBe('https://media.example/a.png');
});
