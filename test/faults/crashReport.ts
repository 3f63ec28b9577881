/** Outcomes of the orders of one kind. */
export interface KindReport {
  asked: number;
  completed: number;
  failed: number;
}

/** Result of a run of crashes. */
export interface CrashReport {
  seed: number;
  rounds: number;
  /** Kills by step; several processes at one step in one round count once. */
  kills: Record<string, number>;
  /** Processes that were killed. */
  killed: number;
  generations: number;
  kinds: Record<string, KindReport>;
  /** Actions of staff while their process was killed, by action, and how many first got no response. */
  staff: Record<string, { rounds: number; unanswered: number }>;
  /** Requests that clients needed for them. */
  requests: number;
  completed: number;
  failed: number;
  /** Time spent, in seconds. */
  seconds: { starting: number; rounds: number; endings: number };
  /** Broken promises, as text. */
  wrong: string[];
}

/** An empty report. */
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
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    seconds[part] = Math.round((seconds[part] + (performance.now() - startedAt) / 1000) * 10) / 10;
  }
}
