import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';

const real = {
  wallMs: Date.now.bind(Date),
  sinceStartMs: performance.now.bind(performance),
  pause: timers.setTimeout,
};

/**
 * Moves this process's clocks ahead; pauses of a step move them on instead of waiting.
 * @param aheadMs Ms by which the process lives in the future.
 * @returns Puts everything back.
 */
export function hurry(aheadMs: number): () => void {
  let ahead = aheadMs;
  Date.now = () => real.wallMs() + ahead;
  performance.now = () => real.sinceStartMs() + ahead;
  setPause((ms: number) => {
    ahead += ms;
    return Promise.resolve();
  });
  return () => {
    Date.now = real.wallMs;
    performance.now = real.sinceStartMs;
    setPause(real.pause);
  };
}

function setPause(pause: (ms: number) => Promise<unknown>): void {
  Object.assign(timers, { setTimeout: pause });
  syncBuiltinESMExports();
}
