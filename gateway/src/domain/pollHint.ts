import { maxLater, planPolls, minShare, type Lateness, type PollPlan } from './pollPlan.ts';
import { distributionOf, isKnown, type UsualDuration } from './usualDuration.ts';

/** No first wait is longer, in seconds. */
export const maxFirst = { video: 60, image: 15 } as const;

/** How late results may be seen; somewhat below the goal on average, as the future differs from the past. */
const wanted = {
  known: { average: 0.055, most: 0.25 },
  unknown: { average: 0.105, most: 0.3 },
} satisfies Record<string, Lateness>;
/** The greatest part of a wait that chance takes away, so that clients do not poll in step. */
const jitter = 0.1;

/** The plan for what a model usually takes: people wait, polls are cheap. */
export function pollPlanOf(type: 'video' | 'image', usual: UsualDuration): PollPlan {
  return planPolls(
    distributionOf(usual),
    maxFirst[type],
    wanted[isKnown(usual) ? 'known' : 'unknown'],
  );
}

/** How far a generation is, in seconds. */
export interface Progress {
  /** Since it was created. */
  age: number;
  /** Since a provider got it; 0 before. */
  running: number;
}

/**
 * How long a client should wait before it polls (again), in whole seconds from 1. Before the provider
 * has it, the plan begins with each poll; the longer a client has waited altogether, the less a second
 * more matters to it.
 * @param fraction 0 to 1, by chance.
 */
export function pollHintSeconds(
  type: 'video' | 'image',
  plan: PollPlan,
  { age, running }: Progress,
  fraction: number,
): number {
  const most = age < 1 ? maxFirst[type] : maxLater;
  const planned = plan[Math.floor(running)] ?? maxLater;
  const wait = Math.max(planned, age * minShare);
  return Math.max(1, Math.min(most, Math.round(wait * (1 - jitter * fraction))));
}
