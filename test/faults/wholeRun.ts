/** The variable by which `npm run faults` asks for every case. */
export const wholeRunVariable = 'FAULTS';

/** Whether every case is to be played, as `npm run faults -- --cases` does. */
export const isWholeRun = (): boolean => process.env[wholeRunVariable] === 'all';

/** Every case in the whole run, else the first `count` of them. */
export function pickFor<T>(cases: readonly T[], count: number): readonly T[] {
  return isWholeRun() ? cases : cases.slice(0, count);
}
