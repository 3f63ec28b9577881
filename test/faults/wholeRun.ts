/** Variable with which `npm run faults` requests every case. */
export const wholeRunVariable = 'FAULTS';

/** Whether to run every case, as `npm run faults -- --cases` does. */
export const isWholeRun = (): boolean => process.env[wholeRunVariable] === 'all';

/** Every case in the full run, otherwise the first `count`. */
export function pickFor<T>(cases: readonly T[], count: number): readonly T[] {
  return isWholeRun() ? cases : cases.slice(0, count);
}
