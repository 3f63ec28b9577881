/** One Agenda job for each unfinished generation; it only starts work on the generation. */
export interface JobStore {
  /**
   * Has the job run now, and once more when it is running already; makes it where it is lost. A job
   * that is due keeps its place in the queue.
   */
  wake(generationId: string): Promise<void>;
  /**
   * Has those jobs run now that would run later. Jobs that are due, that run, that are lost, or whose
   * last runs failed (they wait out their back-off) are left alone.
   * @returns how many were woken.
   */
  wakeSleeping(generationIds: readonly string[]): Promise<number>;
  /** Those of the generations that have no job. */
  findMissing(generationIds: readonly string[]): Promise<string[]>;
  /** Makes jobs; one that exists by now stays as it is. */
  insertMissing(lost: readonly { generationId: string; runAt: number }[]): Promise<void>;
  remove(generationId: string): Promise<void>;
}

/** When a generation's job is to run next. */
export interface NextRun {
  /** In ms since the epoch, database time; null: never, the generation has ended. */
  at: number | null;
  /** Nothing was done: another process holds the generation. */
  held: boolean;
}
