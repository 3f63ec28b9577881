/** The states of a generation in the words of the site. */
export const statusLabels = {
  queued: 'Waiting',
  processing: 'In progress',
  completed: 'Finished',
  failed: 'Failed',
} as const;

/** The class of a state's badge. */
export function tagClass(status: keyof typeof statusLabels): string {
  if (status === 'completed') return 'badge success';
  return status === 'failed' ? 'badge danger' : 'badge progress';
}
