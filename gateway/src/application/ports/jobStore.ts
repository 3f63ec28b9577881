/** One Agenda job for each unfinished generation; it only wakes somebody up. */
export interface JobStore {
  /** Makes the generation's job. */
  insert(generationId: string, runAt: number): Promise<void>;
  /** Has the generation looked at now; makes its job where it is lost. */
  wake(generationId: string): Promise<void>;
  remove(generationId: string): Promise<void>;
}
