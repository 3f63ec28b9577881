import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sum } from '@framegate/contract';
import { maxFirstSeconds, pollHintSeconds, pollPlanOf } from './pollHint.ts';
import { planPolls } from './pollPlan.ts';
import { distributionOf, type ShareDone, type UsualDuration } from './usualDurations.ts';

const types = fc.constantFrom('video' as const, 'image' as const);
const seconds = (max: number) => fc.double({ min: 0.5, max, noNaN: true });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const known = fc.record({
  typical: seconds(600),
  recent: fc.array(seconds(600), { minLength: 8, maxLength: 20 }),
});
const unknown = fc.record({ typical: seconds(600), recent: fc.constant<number[]>([]) });
const runs = { numRuns: 40 };

/** The ages at which a client with these hints polls, until a minute after `end`. */
function pollsOf(usual: UsualDuration, end: number, chance: number): number[] {
  const plan = pollPlanOf('video', usual);
  const ages: number[] = [];
  for (let age = 0; age < end; ages.push(age)) {
    age += pollHintSeconds('video', plan, { ageSeconds: age, runningSeconds: age }, chance);
  }
  return ages;
}

describe('the poll hint', () => {
  test('is a whole number of seconds within its bounds', () => {
    fc.assert(
      fc.property(
        types,
        fc.oneof(known, unknown),
        seconds(5000),
        fraction,
        (type, usual, age, by) => {
          const plan = pollPlanOf(type, usual);
          const first = pollHintSeconds(type, plan, { ageSeconds: 0, runningSeconds: 0 }, by);
          const later = [0, age / 2, age].map((running) =>
            pollHintSeconds(type, plan, { ageSeconds: age + 1, runningSeconds: running }, by),
          );
          const broken = [first, ...later].filter((hint) => !Number.isInteger(hint) || hint < 1);
          expect(broken).toEqual([]);
          expect(first).toBeLessThanOrEqual(maxFirstSeconds[type]);
          expect(Math.max(...later)).toBeLessThanOrEqual(30);
        },
      ),
      runs,
    );
  });

  test.each([
    { name: 'a quarter with recent history', usuals: known, share: 0.25 },
    { name: 'three tenths without', usuals: unknown, share: 0.3 },
  ])(
    'after the first poll, nothing is seen later than $name, or by one second',
    ({ usuals, share }) => {
      fc.assert(
        fc.property(usuals, fraction, (usual, chance) => {
          const ages = pollsOf(usual, 900, chance);
          const tooLate = ages.slice(1).filter((age, index) => {
            const before = ages[index] ?? 0;
            return age - before > Math.max(1, before * share);
          });
          expect(tooLate).toEqual([]);
        }),
        runs,
      );
    },
  );

  test('aims at the early end of the usual time, polls often around the middle and rarely after it', () => {
    const recent = Array.from({ length: 60 }, (_, index) => 50 + ((index * 7) % 21));
    const plan = pollPlanOf('video', { typical: 300, recent });
    const hint = (age: number) =>
      pollHintSeconds('video', plan, { ageSeconds: age, runningSeconds: age }, 0);
    expect(hint(0)).toBeGreaterThan(30);
    expect(hint(0)).toBeLessThan(50);
    expect(hint(58)).toBeLessThan(hint(90));
    expect(hint(90)).toBeGreaterThan(18);
  });

  test('without history begins early and continues in steps of about a fifth', () => {
    const ages = pollsOf({ typical: 60, recent: [] }, 120, 0.5);
    expect(ages[0]).toBeGreaterThan(10);
    expect(ages[0]).toBeLessThan(30);
    const steps = ages.slice(1).map((age, index) => age / (ages[index] ?? age) - 1);
    expect(Math.min(...steps)).toBeGreaterThan(0.1);
    expect(sum(steps) / steps.length).toBeCloseTo(0.2, 1);
  });

  test('starts over while the generation waits for a provider, and grows with the wait', () => {
    const plan = pollPlanOf('video', { typical: 20, recent: Array.from({ length: 50 }, () => 20) });
    const hint = (age: number, running: number) =>
      pollHintSeconds('video', plan, { ageSeconds: age, runningSeconds: running }, 0);
    expect(hint(19, 0)).toBe(hint(0, 0));
    expect(hint(19, 19)).toBeLessThan(5);
    // Its inputs took a while: the plan's first poll comes, and none before.
    expect(4 + hint(10, 4)).toBe(hint(0, 0));
    // After ten minutes of waiting, half a minute hardly matters.
    expect(hint(600, 0)).toBe(30);
    expect(hint(600, 19)).toBe(30);
  });

  test('varies randomly, so that clients do not poll in step', () => {
    const plan = pollPlanOf('video', { typical: 200, recent: [] });
    const hints = [0, 0.5, 1].map((by) =>
      pollHintSeconds('video', plan, { ageSeconds: 150, runningSeconds: 150 }, by),
    );
    expect(new Set(hints).size).toBe(3);
    expect(Math.min(...hints)).toBeGreaterThanOrEqual(Math.max(...hints) * 0.8);
  });
});

/** Expected polls and lateness for polls at these ages. */
function expected(doneBy: ShareDone, ages: readonly number[]) {
  let [polls, late] = [0, 0];
  for (const [index, age] of ages.entries()) {
    const before = ages[index - 1] ?? 0;
    polls += 1 - (before === 0 ? 0 : doneBy(before));
    for (let second = before; second < age; second += 1) {
      const ended = doneBy(second + 1) - (second === 0 ? 0 : doneBy(second));
      late += (ended * (age - second - 0.5)) / (second + 0.5);
    }
  }
  return { polls, late };
}

const ageList = (first: number, waitAt: (age: number) => number): number[] => {
  const ages: number[] = [];
  for (let age = first; age < 400; age += waitAt(age)) ages.push(age);
  return ages;
};

test.each([20, 45, 90])('about %i s: no steps of one share are better', (typical) => {
  const doneBy = distributionOf({
    typical,
    recent: Array.from({ length: 40 }, (_, index) => typical * 1.5 ** Math.sin(index)),
  });
  const plan = planPolls(doneBy, 60, { average: 0.055, max: 0.25 });
  const planned = expected(
    doneBy,
    ageList(plan[0] ?? 1, (age) => plan[age] ?? 30),
  );
  expect(planned.late).toBeLessThan(0.06);
  // The plan protects early ends, so it is compared with those that begin no later.
  const first = plan[0] ?? 1;
  for (let share = 0.05; share <= 0.25; share += 0.01) {
    const ages = ageList(first, (age) => Math.max(1, Math.min(30, Math.round(age * share))));
    const steps = expected(doneBy, ages);
    expect([share, steps.polls < planned.polls && steps.late < planned.late]).toEqual([
      share,
      false,
    ]);
  }
});

test('a client that accepts later news polls less', () => {
  const doneBy = distributionOf({ typical: 60, recent: [] });
  const pollsAt = (average: number) => {
    const plan = planPolls(doneBy, 60, { average, max: 0.3 });
    return expected(
      doneBy,
      ageList(plan[0] ?? 1, (age) => plan[age] ?? 30),
    ).polls;
  };
  const polls = [0.04, 0.07, 0.1].map(pollsAt);
  expect(polls).toEqual(polls.toSorted((a, b) => b - a));
  expect(new Set(polls).size).toBe(3);
});
