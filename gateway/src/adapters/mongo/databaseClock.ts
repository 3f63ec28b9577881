import type { mongo } from 'mongoose';
import type { Log } from '../../application/ports/system.ts';
import { repeatEvery } from '@framegate/limits';
import { createWitnessedTime, type ClockSample, type WitnessedTime } from './witnessedTime.ts';

const sampleEveryMs = 5_000;

/** A clock that follows the database's as long as that is trusted, and the end of its sampling. */
export interface DatabaseClock extends Omit<WitnessedTime, 'take'> {
  stop(): void;
}

/** Database time without a round trip: the server's clock is sampled every few seconds. */
export async function createDatabaseClock(
  db: mongo.Db,
  log: Pick<Log, 'error' | 'warn'>,
): Promise<DatabaseClock> {
  async function sample(): Promise<ClockSample> {
    const before = performance.now();
    const { localTime } = (await db.admin().command({ hello: 1 })) as { localTime: Date };
    const takenAt = performance.now();
    const offsetMs = localTime.getTime() - (before + takenAt) / 2;
    return { offsetMs, errorMs: (takenAt - before) / 2, takenAt };
  }
  const machine = { counter: () => performance.now(), wall: () => Date.now() };
  const time = createWitnessedTime(await sample(), machine, log);
  const follow = async () => time.take(await sample());
  for (let count = 0; count < 2; count += 1) await follow();
  // Without an answer for a moment, the counter carries on.
  const stop = repeatEvery(sampleEveryMs, follow, () => undefined);
  return { ...time, stop };
}
