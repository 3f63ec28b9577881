/** The owners of providers' tasks. A task belongs to the first generation that claims it. */
export interface TaskStore {
  /**
   * Claims a task for a generation, once a majority has it.
   * @param task Its identity (`taskKey`).
   * @returns The generation that it belongs to.
   */
  claim(task: string, generationId: string): Promise<string>;
}
