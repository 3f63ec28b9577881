/**
 * Compares the database's time with the clocks of one machine: the monotonic one shows whether that time has stepped,
 * the wall clock which side stepped. `abstains` is a machine of which only the wall clock is wrong.
 */
export const clockVotes = ['agrees', 'disagrees', 'abstains'] as const;
/** One machine's vote about the database's clock. */
export type ClockVote = (typeof clockVotes)[number];

/** The side whose clock this process takes to be wrong; null for neither. */
export type WrongClock = 'database' | 'machine' | null;

/** A movement of database time against a monotonic counter that no drift or correction explains, in ms. */
export const stepMs = 1_000;
/** How far a wall clock may be from database time, in ms. */
export const maxSkewMs = 2_000;
/** Time for the other processes to sample and report, in ms: two samples and two heartbeats. */
export const settledAfterMs = 14_000;

/**
 * The vote of one process. A step that its wall clock confirms was a correction, or the whole machine was set.
 * @param readings.steppedMs How far database time has certainly moved against the counter since it was trusted, in ms.
 * @param readings.apartMs How far the wall clock is certainly from the database time of now, in ms.
 */
export function voteOf({ steppedMs, apartMs }: { steppedMs: number; apartMs: number }): ClockVote {
  if (Math.abs(steppedMs) > stepMs) return Math.abs(apartMs) > stepMs ? 'disagrees' : 'agrees';
  return Math.abs(apartMs) > maxSkewMs ? 'abstains' : 'agrees';
}

/**
 * Judges by the votes of the live processes: the database is wrong if more of those that have an opinion disagree with
 * it than agree. A process that disagrees alone doubts the database until the others have had time to notice a step.
 * @param disagreesForMs How long this process has disagreed, in ms; 0 if it does not.
 */
export function judgeClocks(
  own: ClockVote,
  others: readonly ClockVote[],
  disagreesForMs: number,
): WrongClock {
  const votes = [own, ...others];
  const count = (vote: ClockVote) => votes.filter((each) => each === vote).length;
  if (count('disagrees') > count('agrees')) return 'database';
  if (own === 'agrees') return null;
  return own === 'disagrees' && disagreesForMs < settledAfterMs ? 'database' : 'machine';
}

/**
 * Whether a process may take work: never while the time is in doubt, nor while its own wall clock, which schedules its
 * jobs, is off.
 * @param skewMs How far its wall clock is certainly from the trusted time, in ms.
 */
export const mayWorkBy = (wrong: WrongClock, skewMs: number): boolean =>
  wrong !== 'database' && Math.abs(skewMs) <= maxSkewMs;
