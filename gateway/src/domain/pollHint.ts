/** What a model has taken lately, in seconds from creation to completion. */
export interface UsualDuration {
  /** One in ten is done by then. */
  early: number;
  /** Half are done by then. */
  median: number;
  /** Nine in ten are done by then. */
  late: number;
}

const bounds = { video: { first: 60 }, image: { first: 15 } } as const;

/**
 * How long a client should wait before it polls (again), in whole seconds (design section 4): the
 * first hint aims at the early end of the usual duration, later ones are short near the expected end
 * and grow past it.
 * @param ageSeconds Age of the generation; 0 for the first hint.
 * @param fraction 0 to 1: which part of the up to 20 % jitter is added.
 */
export function pollHintSeconds(
  type: 'video' | 'image',
  usual: UsualDuration,
  ageSeconds: number,
  fraction: number,
): number {
  const within = (wait: number, most: number) =>
    Math.max(1, Math.min(most, Math.round(wait * (1 + 0.2 * fraction))));
  if (ageSeconds === 0) return within(usual.early, bounds[type].first);
  // Four polls cover the usual spread; past it, waits grow with the age.
  const pace =
    ageSeconds <= usual.late
      ? Math.max((usual.late - usual.early) / 4, ageSeconds * 0.06)
      : ageSeconds / 6;
  // A short way to the early end is not worth a poll of its own.
  const ahead = Math.max(0, usual.early - ageSeconds);
  return within(ahead > pace ? ahead : ahead + pace, 30);
}

/** The usual duration to assume before a model has been seen at work. */
export function usualFromTypical(typicalSeconds: number): UsualDuration {
  return { early: typicalSeconds * 0.8, median: typicalSeconds, late: typicalSeconds * 1.4 };
}
