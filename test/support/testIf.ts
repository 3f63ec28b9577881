import { describe, test } from '@jest/globals';

/** Adds the reason to the name of a skipped test: the last lines of a run list these names (`jest/skipList.ts`). */
const named = (name: string, reason: string) => `${name}: skipped, ${reason}`;

/** A test that runs only under a condition. `reason` completes "skipped, …". */
export function testIf(isRun: boolean, reason: string) {
  return (name: string, run: () => Promise<void>, timeoutMs?: number): void => {
    if (isRun) test(name, run, timeoutMs);
    else test.skip(named(name, reason), run, timeoutMs);
  };
}

/** A block of tests that run only under a condition. `reason` completes "skipped, …". */
export function describeIf(isRun: boolean, reason: string) {
  return (name: string, define: () => void): void => {
    if (isRun) describe(name, define);
    else describe.skip(named(name, reason), define);
  };
}
