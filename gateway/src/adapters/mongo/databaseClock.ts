import type { mongo } from 'mongoose';
import type { Clock } from '../../application/ports/system.ts';
import { repeatEvery } from '@framegate/limits';

const sampleEveryMs = 5_000;
/** How far the monotonic counter may drift from the server's clock, in ms for each ms. */
const drift = 1e-4;

/** A reading of the server's clock. */
export interface ClockSample {
  /** Database time minus the monotonic counter, in ms. */
  offsetMs: number;
  /** How far `offsetMs` may be from the truth: half the round trip. */
  errorMs: number;
  /** When it was taken, by the monotonic counter. */
  takenAt: number;
}

/** How far a sample may be from the truth at a later moment of the monotonic counter. */
export const errorAt = ({ errorMs, takenAt }: ClockSample, now: number): number =>
  errorMs + (now - takenAt) * drift;

/**
 * Chooses between the sample that the clock goes by and a new one: a less accurate one is refused, however many
 * there are, unless it proves that the server's clock was set or that another server answers.
 */
export function chooseSample(held: ClockSample, next: ClockSample): ClockSample {
  const heldErrorMs = errorAt(held, next.takenAt);
  const isDisproved = Math.abs(next.offsetMs - held.offsetMs) > heldErrorMs + next.errorMs;
  return next.errorMs <= heldErrorMs || isDisproved ? next : held;
}

/** A clock that follows the database's, and the end of its sampling. */
export interface DatabaseClock extends Clock {
  stop(): void;
}

/**
 * Database time without a round trip: the server's clock is sampled every few seconds and carried on by
 * the monotonic counter.
 */
export async function createDatabaseClock(db: mongo.Db): Promise<DatabaseClock> {
  async function sample(): Promise<ClockSample> {
    const before = performance.now();
    const { localTime } = (await db.admin().command({ hello: 1 })) as { localTime: Date };
    const takenAt = performance.now();
    const offsetMs = localTime.getTime() - (before + takenAt) / 2;
    return { offsetMs, errorMs: (takenAt - before) / 2, takenAt };
  }

  let held = await sample();
  const follow = async () => {
    held = chooseSample(held, await sample());
  };
  for (let count = 0; count < 2; count += 1) await follow();
  // Without an answer for a moment, the counter carries on.
  const stop = repeatEvery(sampleEveryMs, follow, () => undefined);

  const now = () => Math.round(performance.now() + held.offsetMs);
  return {
    now,
    skewMs() {
      const apartMs = Date.now() - now();
      // A slow answer says little about the time: only the part beyond its error is skew.
      const certainMs = Math.abs(apartMs) - errorAt(held, performance.now());
      return Math.sign(apartMs) * Math.max(0, certainMs);
    },
    stop,
  };
}
