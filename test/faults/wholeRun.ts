/** The variable by which `npm run faults` asks for every case. */
export const wholeRunVariable = 'FAULTS';

/** Every case in `npm run faults`; the first `count` of them in `npm test`, which has five minutes. */
export function pickFor<T>(cases: readonly T[], count: number): readonly T[] {
  return process.env[wholeRunVariable] === 'all' ? cases : cases.slice(0, count);
}
