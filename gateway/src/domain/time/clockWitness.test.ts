import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  clockVotes,
  judgeClocks,
  maxSkewMs,
  settledAfterMs,
  stepMs,
  voteOf,
} from './clockWitness.ts';

const anyMs = fc.integer({ min: -10_000_000, max: 10_000_000 });
const anyVotes = fc.array(fc.constantFrom(...clockVotes), { maxLength: 12 });

describe('the vote of a process', () => {
  test.each([
    ['time as always', 0, 0, 'agrees'],
    ['the database is set and this machine is not', 1_200_000, 1_200_000, 'disagrees'],
    ['the database is corrected to what this machine says', -1_200_000, 0, 'agrees'],
    ['this machine was suspended and is set by now', 60_000, 0, 'agrees'],
    ['this machine was suspended and is not set yet', 60_000, 60_000, 'disagrees'],
    ['this machine alone is off', 0, 45_000, 'abstains'],
  ])('%s', (_name, steppedMs, apartMs, vote) => {
    expect(voteOf({ steppedMs, apartMs })).toBe(vote);
  });

  test('never blames the database without a step, and never for what the wall clock confirms', () => {
    fc.assert(
      fc.property(anyMs, anyMs, (steppedMs, apartMs) => {
        if (voteOf({ steppedMs, apartMs }) !== 'disagrees') return;
        expect(Math.abs(steppedMs)).toBeGreaterThan(stepMs);
        expect(Math.abs(apartMs)).toBeGreaterThan(stepMs);
      }),
    );
  });

  test('is the same for both directions, and agrees within all tolerances', () => {
    fc.assert(
      fc.property(anyMs, anyMs, (steppedMs, apartMs) => {
        const vote = voteOf({ steppedMs, apartMs });
        expect(voteOf({ steppedMs: -steppedMs, apartMs: -apartMs })).toBe(vote);
        if (Math.abs(steppedMs) <= stepMs && Math.abs(apartMs) <= maxSkewMs) {
          expect(vote).toBe('agrees');
        }
      }),
    );
  });
});

describe('the wrong clock', () => {
  test.each([
    ['one process, the database stepped', 'disagrees', [], 60_000, 'database'],
    ['most processes disagree', 'disagrees', ['disagrees', 'agrees'], 60_000, 'database'],
    ['one of two disagrees: a machine', 'disagrees', ['agrees'], settledAfterMs, 'machine'],
    ['one of two disagrees, a moment ago', 'disagrees', ['agrees'], 0, 'database'],
    ['it agrees, and most do not', 'agrees', ['disagrees', 'disagrees'], 0, 'database'],
    ['it agrees, and another does not', 'agrees', ['disagrees', 'agrees'], 0, null],
    ['its wall clock is off', 'abstains', ['agrees'], 0, 'machine'],
    ['it began late, and the others saw the step', 'abstains', ['disagrees'], 0, 'database'],
  ] as const)('%s', (_name, own, others, forMs, wrong) => {
    expect(judgeClocks(own, others, forMs)).toBe(wrong);
  });

  test("is the database's for all processes or, once all have noticed, for none", () => {
    fc.assert(
      fc.property(fc.constantFrom(...clockVotes), anyVotes, (own, others) => {
        const votes = [own, ...others];
        const verdicts = votes.map((vote, index) =>
          judgeClocks(vote, votes.toSpliced(index, 1), settledAfterMs),
        );
        expect(new Set(verdicts.map((verdict) => verdict === 'database')).size).toBe(1);
      }),
    );
  });

  test("is never the database's as long as at least as many agree", () => {
    fc.assert(
      fc.property(anyVotes, anyMs, (others, forMs) => {
        const against = others.filter((vote) => vote === 'disagrees').length;
        const all = [...others, ...Array<'agrees'>(against).fill('agrees')];
        expect(judgeClocks('agrees', all, Math.abs(forMs))).toBeNull();
      }),
    );
  });
});
