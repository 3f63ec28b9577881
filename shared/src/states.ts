/** States of a generation. */
export const statuses = ['queued', 'processing', 'completed', 'failed'] as const;
/** A state of a generation. */
export type Status = (typeof statuses)[number];

/** Legal transitions; no others occur, and final states have none (invariant I5). */
export const moves = {
  queued: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
} as const satisfies Record<Status, readonly Status[]>;

/** True for final states. */
export function isFinal(status: Status): boolean {
  return moves[status].length === 0;
}

/** True for a legal transition. */
export function canMove(from: Status, to: Status): boolean {
  const targets: readonly Status[] = moves[from];
  return targets.includes(to);
}
