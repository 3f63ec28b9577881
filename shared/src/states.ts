/** States of a generation. */
export const statuses = ['queued', 'processing', 'completed', 'failed'] as const;
/** A state of a generation. */
export type Status = (typeof statuses)[number];

/** True for states that never change. */
export function isFinal(status: Status): boolean {
  return status === 'completed' || status === 'failed';
}
