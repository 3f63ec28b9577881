import { quantile, sum } from '@framegate/contract';
import {
  maxFirstSeconds,
  pollHintSeconds,
  pollPlanOf,
} from '../../../gateway/src/domain/generations/pollHint.ts';
import {
  type Lateness,
  planPolls,
  type PollPlan,
} from '../../../gateway/src/domain/generations/pollPlan.ts';
import { createChance } from '../../../test/faults/chance.ts';
import type { Shape } from './shapes.ts';

/**
 * Result of polling by a schedule; lost is the time from an end to the poll that sees it, as a share of the duration.
 */
export interface Figures {
  polls: number;
  maxPolls: number;
  lost: number;
  lost95: number;
  maxLost: number;
}

/** The schedules that are compared. */
export type Schedule =
  /** The hint of a model with recent history, and of one without. */
  | 'warm'
  | 'cold'
  /** The fewest polls that keep the goals for lost time, with the distribution known. */
  | 'warmBest'
  | 'coldBest'
  | 'everySecond'
  | 'every5'
  | 'every10';

/** Goals: for a model with recent history, and for one without. */
export const goals = {
  warm: { polls: 5, maxPolls: 12, lost: 0.06, maxLost: 0.25 },
  cold: { polls: Infinity, maxPolls: 15, lost: 0.12, maxLost: 0.3 },
} as const;

/**
 * The goals for a shape; an unreachable goal is replaced by the best reachable value. Polling in
 * whole seconds loses at least as much as polling each second; keeping the goals for lost time takes the polls of
 * the best schedule.
 */
export function limitsFor(
  kind: 'warm' | 'cold',
  { sampleCosts }: Shape,
  figures: Record<Schedule, Figures>,
): Omit<Figures, 'lost95'> {
  const [goal, best, { lost, maxLost }] = [
    goals[kind],
    figures[`${kind}Best`],
    figures.everySecond,
  ];
  return {
    polls: Math.max(goal.polls, best.polls * sampleCosts),
    maxPolls: Math.max(goal.maxPolls, best.maxPolls * sampleCosts),
    lost: Math.max(goal.lost, lost * 1.1),
    maxLost: Math.max(goal.maxLost, maxLost),
  };
}

const turns = 2000;
/** The number of last ends from which a plan is made, and the number of turns after which it is renewed. */
const sample = 100;
const renewEvery = 100;

/** Runs every schedule on the same generations in turn. */
export function simulate(shape: Shape, seed: number): Record<Schedule, Figures> {
  const random = createChance(seed);
  const chance = () => random.fraction();
  const history = Array.from({ length: sample }, (_, index) => shape.draw(chance, index - sample));
  const durations = Array.from({ length: turns }, (_, turn) => shape.draw(chance, turn));
  const seen = [...history, ...durations];
  const by = (planAt: (turn: number) => PollPlan, isLasting: boolean) => {
    let plan = planAt(0);
    return durations.map((duration, turn) => {
      if (turn > 0 && turn % renewEvery === 0 && !isLasting) plan = planAt(turn);
      return follow(duration, (age) =>
        pollHintSeconds(shape.type, plan, { ageSeconds: age, runningSeconds: age }, chance()),
      );
    });
  };
  const knowing = (lateness: Lateness) => {
    const doneBy = (turn: number) => (seconds: number) => shape.doneBy(seconds, turn);
    const planAt = (turn: number) => planPolls(doneBy(turn), maxFirstSeconds[shape.type], lateness);
    return by(planAt, !shape.drifts);
  };
  const followHints = (recentAt: (turn: number) => readonly number[], isLasting: boolean) => {
    const usualAt = (turn: number) => ({ typical: shape.typical, recent: recentAt(turn) });
    return by((turn) => pollPlanOf(shape.type, usualAt(turn)), isLasting);
  };
  const every = (seconds: number) => durations.map((duration) => follow(duration, () => seconds));
  const { warm, cold } = goals;
  return {
    warm: figuresOf(followHints((turn) => seen.slice(turn, turn + sample), false)),
    warmBest: figuresOf(knowing({ average: warm.lost, max: warm.maxLost })),
    cold: figuresOf(followHints(() => [], true)),
    coldBest: figuresOf(knowing({ average: cold.lost, max: cold.maxLost })),
    everySecond: figuresOf(every(1)),
    every5: figuresOf(every(5)),
    every10: figuresOf(every(10)),
  };
}

/** Polls one generation until its end is seen. */
function follow(duration: number, waitAt: (age: number) => number) {
  let [age, polls] = [0, 0];
  while (age < duration) {
    age += waitAt(age);
    polls += 1;
  }
  return { polls, lost: (age - duration) / duration };
}

function figuresOf(followed: { polls: number; lost: number }[]): Figures {
  const mean = (values: number[]) => sum(values) / values.length;
  const polls = followed.map((each) => each.polls);
  const lost = followed.map((each) => each.lost);
  return {
    polls: mean(polls),
    maxPolls: Math.max(...polls),
    lost: mean(lost),
    lost95: quantile(lost, 0.95),
    maxLost: Math.max(...lost),
  };
}
