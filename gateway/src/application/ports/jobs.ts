/** What a job knows of its generation: the release before leaves the account out. */
export interface GenerationJob {
  generationId: string;
  accountId?: string | undefined;
}

/** One Agenda job per unfinished generation, which only starts work on it. */
export interface JobStore {
  /**
   * Schedules the job for now, once more if it is running, and restores it if it is lost. A due job keeps its
   * place in the queue.
   */
  wake(generationId: string, accountId?: string): Promise<void>;
  /**
   * Has a job run once more that was woken during its run. Agenda loads the data of a job when it locks it, and
   * its end of the run overwrites the time that a wake-up has set meanwhile; `wokenAt` outlasts that.
   * @param seen The data that the run began with.
   */
  renewWakeUp(seen: GenerationJob & { wokenAt?: Date }): Promise<void>;
  /**
   * Schedules later jobs for now, except jobs that are due, running, lost, or in back-off after failed runs.
   * @returns The number of woken jobs.
   */
  wakeSleeping(generationIds: readonly string[]): Promise<number>;
  /** The generations among these without a job. */
  findMissing(generationIds: readonly string[]): Promise<string[]>;
  /** Creates jobs; existing ones stay unchanged. */
  insertMissing(lost: readonly (GenerationJob & { runAt: number })[]): Promise<void>;
  remove(generationId: string): Promise<void>;
}

/** The next run of a generation's job. */
export interface NextRun {
  /** In ms since the epoch, database time; null if the generation has ended. */
  at: number | null;
  /** True if nothing was done because another process holds the generation. */
  held: boolean;
}
