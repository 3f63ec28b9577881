import { inspect } from 'node:util';
import { afterAll, expect } from '@jest/globals';
import type { Circus } from '@jest/types';
import { addEventHandler, getState } from 'jest-circus';
import { timeoutOf } from '../../suites.ts';

/**
 * jest-light-runner calls tests and hooks without a time limit, and dies of uncaught errors. Here each test and hook
 * gets the time limit that it requests or that of its suite, and an uncaught error fails the current or next test or
 * hook. A test or hook cannot be stopped at its limit: the file's later tests would run alongside it, on resources that
 * it holds or has broken, so they fail at once, and only the cleanup hooks still run.
 */
const { setTimeout, clearTimeout } = globalThis;
// Otherwise a worker would outlive its Jest.
process.on('disconnect', () => process.exit());
let failRunning: ((error: unknown) => void) | null = null;
const uncaught: unknown[] = [];
let file: string | undefined;
/** The file's first test or hook that exceeded its limit. */
let overdue: string | null = null;

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    if (failRunning) {
      failRunning(error);
    } else {
      process.stderr.write(`outside of a test: ${inspect(error)}\n`);
      uncaught.push(error);
    }
  });
}

addEventHandler((event: Circus.Event) => {
  if (event.name !== 'add_test' && event.name !== 'add_hook') return;
  const { currentDescribeBlock: block } = getState();
  const added = event.name === 'add_test' ? block.children.at(-1) : block.hooks.at(-1);
  if (!added || added.type === 'describeBlock') return;
  const { fn } = added;
  const what = event.name === 'add_test' ? event.testName : event.hookType;
  // A callback would also fill a value missing in a row of `each`.
  if (fn.length > 0) throw new Error(`${what}: a test takes no callback, and no more than its row`);
  const { testPath } = expect.getState();
  const timeoutMs = added.timeout ?? timeoutOf(testPath ?? '');
  const cleansUp = event.name === 'add_hook' && event.hookType.startsWith('after');
  added.fn = async () => {
    if (overdue !== null && !cleansUp) {
      throw new Error(`not run, because it may still run: ${overdue}`);
    }
    await runLimited(fn as () => unknown, what, timeoutMs);
  };
  if (event.name === 'add_hook' || file === testPath) return;
  file = testPath;
  overdue = null;
  // Remains of the last test.
  afterAll(() => new Promise((resolve) => setTimeout(resolve, 0)));
});

async function runLimited(run: () => unknown, what: string, timeoutMs: number): Promise<void> {
  const over = Promise.withResolvers<never>();
  const tooLong = new Error(`${what}: took more than ${timeoutMs} ms`);
  const timer = setTimeout(() => {
    overdue ??= what;
    over.reject(tooLong);
  }, timeoutMs);
  failRunning = over.reject;
  try {
    const [before] = uncaught.splice(0);
    if (before !== undefined) throw showable(before);
    await Promise.race([run(), over.promise]);
  } catch (error) {
    throw showable(error);
  } finally {
    clearTimeout(timer);
    failRunning = null;
  }
}

/** Adds an error's causes to its stack, because the runner shows nothing else. */
function showable(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`thrown: ${inspect(error)}`);
  const { cause, stack } = error;
  const causes = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const all = cause === undefined ? causes : [cause, ...causes];
  error.stack = [stack, ...all.map((each) => `[cause]: ${inspect(each)}`)].join('\n');
  return error;
}
