/** The name of a generation's one job. */
export const generationRunJob = 'generation.run';

/** A job's data about its generation. */
export interface GenerationJob {
  generationId: string;
  accountId: string;
}

/** Generations' jobs: one Agenda job per unfinished generation, which only starts its work. */
export interface JobStore {
  /**
   * Schedules the job for now, repeats it if it is running, and restores it if it is lost. A due job keeps its place in
   * the queue.
   */
  wake(job: GenerationJob): Promise<void>;
  /**
   * Repeats a job that was woken during its run. Agenda loads a job's data when it locks the job, and the end of the
   * run overwrites the time set by a wake-up during it; `wokenAt` survives that.
   * @param seen The data at the start of the run.
   */
  renewWakeUp(seen: GenerationJob & { wokenAt?: Date }): Promise<void>;
  /**
   * Schedules later jobs for now, except jobs that are due, running, lost, or in back-off after failed runs.
   * @returns The number of woken jobs.
   */
  wakeSleeping(generationIds: readonly string[]): Promise<number>;
  /** Finds which of these generations have no job. */
  findMissing(generationIds: readonly string[]): Promise<string[]>;
  /** Creates jobs; existing ones stay unchanged. */
  insertMissing(lost: readonly (GenerationJob & { runAt: number })[]): Promise<void>;
  remove(generationId: string): Promise<void>;
}

/** The next run of a generation's job. */
export interface NextRun {
  /** Time in ms since the epoch, database time; null if the generation has ended. */
  at: number | null;
  /** True if nothing was done because another process holds the generation. */
  isTaken: boolean;
}
