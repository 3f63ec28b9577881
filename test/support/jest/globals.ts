import { ModernFakeTimers } from '@jest/fake-timers';
import type * as jestGlobals from '@jest/globals';

type Jest = (typeof jestGlobals)['jest'];
type Globals = Omit<typeof jestGlobals, 'jest'> & { jest: Jest };

/** Globals of jest-light-runner under the names that tests import. */
const globals = globalThis as unknown as Globals;
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } = globals;

const config = { fakeTimers: { enableGlobally: false } };
const timers = new ModernFakeTimers({
  config,
  global: globalThis,
} as unknown as ConstructorParameters<typeof ModernFakeTimers>[0]);

/** Mocks by jest-mock, and fake timers with the options and methods that the runner's own lack. */
export const jest = {
  fn: globals.jest.fn,
  spyOn: globals.jest.spyOn,
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  advanceTimersToNextTimerAsync: () => timers.advanceTimersToNextTimerAsync(),
  getTimerCount: () => timers.getTimerCount(),
} as Pick<Jest, 'fn' | 'spyOn'> & Record<string, (...given: never[]) => unknown>;
