import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../../../integrations/typescript/src/platform.ts';

/** Speed-up of a test's clock: hints are meant for providers, which take minutes. */
const pace = 200;

/** A platform with a clock that a test can read. */
export interface HurriedPlatform extends Pick<Platform, 'now' | 'sleep' | 'random'> {
  /** Requested waits, in ms. */
  waits: number[];
}

/**
 * A clock that advances with each wait, which really takes a fraction of its time, and no randomness: a client's
 * actions do not depend on the machine. It counts the waits of one call at a time.
 */
export function hurriedPlatform(): HurriedPlatform {
  let nowMs = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    random: () => 0,
    async sleep(ms, signal) {
      waits.push(ms);
      await pause(ms / pace, undefined, signal && { signal }).catch(() => undefined);
      nowMs += ms;
    },
  };
}
