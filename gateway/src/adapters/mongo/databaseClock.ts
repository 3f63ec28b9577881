import type { mongo } from 'mongoose';
import type { Clock } from '../../application/ports/system.ts';
import { repeatEvery } from '../../application/ports/concurrency.ts';

const sampleEveryMs = 5_000;

/** A clock that follows the database's, and the end of its sampling. */
export interface DatabaseClock extends Clock {
  stop(): void;
}

/**
 * Database time without a round trip: the server's clock is sampled every few seconds and carried on by
 * the monotonic counter. A sample is accurate to half its round trip; a slow one is ignored.
 */
export async function createDatabaseClock(db: mongo.Db): Promise<DatabaseClock> {
  /** Database time minus the monotonic counter, in ms. */
  let offset = 0;
  let roundTripMs = Infinity;

  async function sample(): Promise<void> {
    const before = performance.now();
    const { localTime } = (await db.admin().command({ hello: 1 })) as { localTime: Date };
    const after = performance.now();
    const took = after - before;
    // Accepts a less accurate sample when the last one is old, so that drift cannot build up.
    if (took <= roundTripMs * 2 + 1) {
      offset = localTime.getTime() - (before + after) / 2;
      roundTripMs = took;
    } else {
      roundTripMs *= 2;
    }
  }

  for (let count = 0; count < 3; count += 1) await sample();
  // Without an answer for a moment, the counter carries on.
  const stop = repeatEvery(sampleEveryMs, sample, () => undefined);

  const now = () => Math.round(performance.now() + offset);
  return {
    now,
    skewMs: () => Date.now() - now(),
    stop,
  };
}
