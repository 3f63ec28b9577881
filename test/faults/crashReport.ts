/** Outcome of the orders of one kind. */
export interface KindReport {
  asked: number;
  completed: number;
  failed: number;
}

/** Result of a run of crashes. */
export interface CrashReport {
  seed: number;
  rounds: number;
  /** Kills by where they hit; several processes at one step in one round are one. */
  kills: Record<string, number>;
  /** Processes that were killed. */
  killed: number;
  generations: number;
  kinds: Record<string, KindReport>;
  /** Actions of staff while their process was killed, by action, and how often they had no answer at first. */
  staff: Record<string, { rounds: number; unanswered: number }>;
  /** Requests that clients had to send for them. */
  requests: number;
  completed: number;
  failed: number;
  /** Where the time went, in seconds. */
  seconds: { starting: number; rounds: number; endings: number };
  /** Broken promises, in words. */
  wrong: string[];
}

/** A report of nothing yet. */
export function emptyReport(seed: number): CrashReport {
  return {
    seed,
    rounds: 0,
    kills: {},
    killed: 0,
    generations: 0,
    kinds: {},
    staff: {},
    requests: 0,
    completed: 0,
    failed: 0,
    wrong: [],
    seconds: { starting: 0, rounds: 0, endings: 0 },
  };
}

/** Runs `work` and adds its seconds, in tenths, to a part of the report. */
export async function timed<T>(
  { seconds }: CrashReport,
  part: keyof CrashReport['seconds'],
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    seconds[part] = Math.round((seconds[part] + (performance.now() - began) / 1000) * 10) / 10;
  }
}
