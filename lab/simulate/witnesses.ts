import type { Log } from '@framegate/contract';
import {
  createWitnessedTime,
  type WitnessedTime,
} from '../../gateway/src/adapters/mongo/databaseClock.ts';
import type { Clock } from '../../gateway/src/application/ports/system.ts';
import type { VirtualTime } from './virtualTime.ts';

/** How often a process samples the database's clock, in ms. */
const sampleEveryMs = 5_000;

interface Witness {
  time: WitnessedTime;
  readAt: number;
  isDead: () => boolean;
}

/** The clocks of the live processes, which hear each other's votes. */
export interface Witnesses {
  /** The time as seen by a new process. */
  join: (isDead: () => boolean, log: Log) => Clock;
}

/**
 * The product's witnesses of time, asked only when something depends on it: in every process, a sample that no one
 * needs is taken not when it is due but at the next read of the time.
 */
export function createWitnesses(time: VirtualTime): Witnesses {
  let witnesses: Witness[] = [];
  const sample = () => {
    const takenAt = time.now();
    return { offsetMs: time.databaseNow() - takenAt, errorMs: 0, takenAt };
  };

  function read(): void {
    const due = time.now() - sampleEveryMs;
    if (!witnesses.some(({ readAt }) => readAt <= due)) return;
    witnesses = witnesses.filter(({ isDead }) => !isDead());
    for (const each of witnesses) {
      if (each.readAt > due) continue;
      each.readAt = time.now();
      each.time.take(sample());
    }
    for (const each of witnesses) {
      const others = witnesses.filter((other) => other !== each);
      each.time.judgeVotes(others.map((other) => other.time.vote()));
    }
  }

  return {
    join(isDead, log) {
      const machine = { counter: () => time.now(), wall: () => time.wallNow() };
      const witnessed = createWitnessedTime(sample(), machine, log);
      witnesses.push({ time: witnessed, readAt: time.now(), isDead });
      const afterRead =
        <T>(ask: () => T) =>
        () => {
          read();
          return ask();
        };
      return {
        now: afterRead(() => witnessed.now()),
        skewMs: afterRead(() => witnessed.skewMs()),
        wrongClock: afterRead(() => witnessed.wrongClock()),
      };
    },
  };
}
