import type { mongo } from 'mongoose';
import type { Log } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import type { Clock } from '../../application/ports/system.ts';
import {
  type ClockVote,
  judgeClocks,
  voteOf,
  type WrongClock,
} from '../../domain/time/clockWitness.ts';

const sampleEveryMs = 5_000;
/** Maximum drift of the monotonic counter from the server's clock, in ms per ms. */
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

/** The possible error of a sample at a later moment of the monotonic counter. */
export const errorAt = ({ errorMs, takenAt }: ClockSample, nowMs: number): number =>
  errorMs + (nowMs - takenAt) * drift;

/**
 * Chooses between the current sample and a new one. A less accurate one is refused, however many follow, unless it
 * proves that the server's clock was set or that another server answers.
 */
export function chooseSample(current: ClockSample, next: ClockSample): ClockSample {
  const heldErrorMs = errorAt(current, next.takenAt);
  const isDisproved = Math.abs(next.offsetMs - current.offsetMs) > heldErrorMs + next.errorMs;
  return next.errorMs <= heldErrorMs || isDisproved ? next : current;
}

/** The signed part of a deviation that exceeds its error, in ms. */
const certainMs = (deviationMs: number, errorMs: number) =>
  Math.sign(deviationMs) * Math.max(0, Math.abs(deviationMs) - errorMs);

/** The time of the database as one process sees it. */
export interface WitnessedTime extends Clock {
  /** The server's own time (`$$NOW`), even while it is doubtful. */
  serverNow(): number;
  /** The sample that this process shares with the others. */
  vote(): ClockVote;
  /** Takes the votes of the other live processes. */
  judgeVotes(others: readonly ClockVote[]): void;
  /** Takes a sample of the server's clock. */
  take(sample: ClockSample): void;
}

/**
 * Database time: samples of the server's clock, extrapolated by the monotonic counter. While the server is in doubt
 * (`judgeClocks`), the last trusted sample is extrapolated instead.
 * @param first The first sample, which is trusted.
 * @param machine.counter The monotonic counter, in ms.
 * @param machine.wall The wall clock, in ms since the epoch.
 */
export function createWitnessedTime(
  first: ClockSample,
  machine: { counter: () => number; wall: () => number },
  log: Pick<Log, 'error' | 'warn'>,
): WitnessedTime {
  const { counter, wall } = machine;
  /** The server's best sample, and the sample used by `now`. */
  let server = first;
  let trusted = first;
  let others: readonly ClockVote[] = [];
  let own: ClockVote = 'agrees';
  let disagreesSince: number | null = null;
  let wrong: WrongClock = null;
  /** The clock that the log last called wrong. */
  let reported: WrongClock = null;

  const timeOf = (sample: ClockSample) => Math.round(counter() + sample.offsetMs);
  const apartFrom = (sample: ClockSample) =>
    certainMs(wall() - (counter() + sample.offsetMs), errorAt(sample, counter()));

  /** Logs changes only: the metrics show the state. */
  function tell(whose: WrongClock): void {
    if (whose === reported) return;
    const apartMs = Math.round(apartFrom(server));
    if (reported === 'database') {
      log.warn({ apartMs: -apartMs }, "database's time is trusted again");
    } else if (whose === null) {
      log.warn({ apartMs }, "this machine's clock is right again");
    }
    if (whose === 'database') {
      log.error(
        { alert: 'database_clock_wrong', apartMs: -apartMs },
        "database's clock is wrong: rejecting everything that records times until it is corrected",
      );
    }
    if (whose === 'machine') {
      log.error(
        { alert: 'machine_clock_wrong', apartMs },
        "this machine's clock is wrong: database time no longer follows it, and this process runs no jobs",
      );
    }
    reported = whose;
  }

  function judge(): void {
    const nowMs = counter();
    const movedMs = server.offsetMs - trusted.offsetMs;
    const steppedMs = certainMs(movedMs, errorAt(server, nowMs) + errorAt(trusted, nowMs));
    own = voteOf({ steppedMs, apartMs: apartFrom(server) });
    disagreesSince = own === 'disagrees' ? (disagreesSince ?? nowMs) : null;
    wrong = judgeClocks(own, others, nowMs - (disagreesSince ?? nowMs));
    tell(wrong);
    if (wrong !== 'database') trusted = server;
  }

  return {
    now: () => timeOf(trusted),
    serverNow: () => timeOf(server),
    // A slow response is inaccurate: only the part beyond its error is skew.
    skewMs: () => apartFrom(trusted),
    wrongClock: () => wrong,
    vote: () => own,
    judgeVotes(votes) {
      others = votes;
      judge();
    },
    take(sample) {
      server = chooseSample(server, sample);
      judge();
    },
  };
}

/** A clock that follows the database's while that is trusted, with a stop for its sampling. */
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
  // Without a response, the old sample remains.
  const stop = repeatEvery(sampleEveryMs, follow, () => undefined);
  return { ...time, stop };
}
