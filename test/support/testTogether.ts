import { test } from '@jest/globals';

/**
 * Tests that mostly wait: all of them start with the first, and each reports its own outcome.
 * @param timeoutMs How long each may take after those before it have ended; by default its suite's limit.
 */
export function testTogether(
  tests: Readonly<Record<string, () => unknown>>,
  timeoutMs?: number,
): void {
  let outcomes: Promise<PromiseSettledResult<unknown>>[] | null = null;
  const begin = () =>
    Object.values(tests).map(async (run) => {
      const [outcome] = await Promise.allSettled([run()]);
      return outcome;
    });
  for (const [index, name] of Object.keys(tests).entries()) {
    const told = async () => {
      outcomes ??= begin();
      const outcome = await outcomes[index];
      if (outcome?.status === 'rejected') throw outcome.reason;
    };
    test(name, told, timeoutMs);
  }
}
