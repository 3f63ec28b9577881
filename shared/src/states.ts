/** The states of a generation. */
export const statuses = ['queued', 'processing', 'completed', 'failed'] as const;
export type Status = (typeof statuses)[number];

/** Legal moves: everything that is not listed never happens; final states have none (invariant I5). */
export const moves = {
  queued: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
} as const satisfies Record<Status, readonly Status[]>;

/** Whether a generation in this state has ended for good. */
export function isFinal(status: Status): boolean {
  return moves[status].length === 0;
}

/** Whether a generation may go from one state to the other. */
export function canMove(from: Status, to: Status): boolean {
  const targets: readonly Status[] = moves[from];
  return targets.includes(to);
}
