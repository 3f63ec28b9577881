/** The owners of providers' tasks. A task belongs to the first generation that it is assigned to. */
export interface TaskStore {
  /**
   * Assigns a task to a generation, once a majority has it.
   * @param task Its identity (`taskKey`).
   * @returns The generation that it belongs to.
   */
  assign(task: string, generationId: string): Promise<string>;
}
