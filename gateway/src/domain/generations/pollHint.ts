import { type Lateness, maxLaterSeconds, minShare, planPolls, type PollPlan } from './pollPlan.ts';
import { distributionOf, isKnown, type UsualDuration } from './usualDurations.ts';

/** Longest first wait, in seconds. */
export const maxFirstSeconds = { video: 60, image: 15 } as const;

/** Targets for how late results may be seen, somewhat below the goal because the future differs from the past. */
const targetLateness = {
  known: { average: 0.055, max: 0.25 },
  unknown: { average: 0.105, max: 0.3 },
} satisfies Record<string, Lateness>;
/** Largest random share subtracted from a wait, so that clients do not poll in step. */
const maxJitterShare = 0.1;

/** The poll plan for a model's usual durations; it favours waiting people over saved polls, which are cheap. */
export function pollPlanOf(type: 'video' | 'image', usual: UsualDuration): PollPlan {
  return planPolls(
    distributionOf(usual),
    maxFirstSeconds[type],
    targetLateness[isKnown(usual) ? 'known' : 'unknown'],
  );
}

/** The age of a generation and its time at a provider, in seconds. */
export interface GenerationAge {
  /** Since creation. */
  ageSeconds: number;
  /** Since it reached a provider; 0 before. */
  runningSeconds: number;
}

/**
 * The wait before a client's next poll, in whole seconds from 1. Until the provider has the generation, each poll
 * restarts the plan; the longer the total wait, the less another second matters.
 * @param fraction Random, 0 to 1.
 */
export function pollHintSeconds(
  type: 'video' | 'image',
  plan: PollPlan,
  { ageSeconds: age, runningSeconds: running }: GenerationAge,
  fraction: number,
): number {
  const maxWait = age < 1 ? maxFirstSeconds[type] : maxLaterSeconds;
  const planned = plan[Math.floor(running)] ?? maxLaterSeconds;
  const wait = Math.max(planned, age * minShare);
  return Math.max(1, Math.min(maxWait, Math.round(wait * (1 - maxJitterShare * fraction))));
}
