import { expect, test } from 'vitest';
import { planPolls } from './pollPlan.ts';
import { distributionOf, type DoneBy } from './usualDuration.ts';

/** Polls and lateness that are to be expected when the polls come at these ages. */
function expected(doneBy: DoneBy, ages: readonly number[]) {
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
  const plan = planPolls(doneBy, 60, { average: 0.055, most: 0.25 });
  const planned = expected(
    doneBy,
    ageList(plan[0] ?? 1, (age) => plan[age] ?? 30),
  );
  expect(planned.late).toBeLessThan(0.06);
  // The plan guards the early end, so it is compared with those that begin no later.
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

test('who accepts to be told later polls less', () => {
  const doneBy = distributionOf({ typical: 60, recent: [] });
  const pollsAt = (average: number) => {
    const plan = planPolls(doneBy, 60, { average, most: 0.3 });
    return expected(
      doneBy,
      ageList(plan[0] ?? 1, (age) => plan[age] ?? 30),
    ).polls;
  };
  const polls = [0.04, 0.07, 0.1].map(pollsAt);
  expect(polls).toEqual(polls.toSorted((a, b) => b - a));
  expect(new Set(polls).size).toBe(3);
});
