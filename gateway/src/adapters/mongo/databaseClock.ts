import type { mongo } from 'mongoose';
import type { Clock, Log } from '../../application/ports/system.ts';
import { judgeClocks, voteOf, type ClockVote, type WrongClock } from '../../domain/clockWitness.ts';
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

/** A clock that follows the database's as long as that is trusted, and the end of its sampling. */
export interface DatabaseClock extends Clock {
  /** The server's own time, also while it is in doubt: that of `$$NOW`. */
  serverNow: () => number;
  /** What this process tells the others about the server's time. */
  vote(): ClockVote;
  /** Takes the votes of the other live processes. */
  hear(others: readonly ClockVote[]): void;
  stop(): void;
}

/** The part of a deviation that is beyond its error, with its sign, in ms. */
const certainMs = (deviationMs: number, errorMs: number) =>
  Math.sign(deviationMs) * Math.max(0, Math.abs(deviationMs) - errorMs);

/**
 * Database time without a round trip: the server's clock is sampled every few seconds and carried on by
 * the monotonic counter. While the server is in doubt (`judgeClocks`), the last trusted sample is carried on instead.
 */
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

  /** The best sample of the server, and the one that `now` goes by. */
  let server = await sample();
  let trusted = server;
  let others: readonly ClockVote[] = [];
  let own: ClockVote = 'agrees';
  let disagreesSince: number | null = null;
  let wrong: WrongClock = null;

  const apartFrom = (time: ClockSample) => {
    const counter = performance.now();
    return certainMs(Date.now() - (counter + time.offsetMs), errorAt(time, counter));
  };

  function judge(): void {
    const counter = performance.now();
    const movedMs = server.offsetMs - trusted.offsetMs;
    const steppedMs = certainMs(movedMs, errorAt(server, counter) + errorAt(trusted, counter));
    const apartMs = apartFrom(server);
    own = voteOf({ steppedMs, apartMs });
    disagreesSince = own === 'disagrees' ? (disagreesSince ?? counter) : null;
    const verdict = judgeClocks(own, others, counter - (disagreesSince ?? counter));
    if (verdict === 'database' && wrong !== 'database') {
      log.error(
        { alert: 'database_clock_wrong', apartMs: -Math.round(apartMs) },
        "the database's clock is wrong: nothing that writes times is accepted until it is right",
      );
    }
    if (verdict !== 'database' && wrong === 'database') {
      log.warn({ apartMs: -Math.round(apartMs) }, "the database's time is trusted again");
    }
    if (verdict === 'machine' && own === 'disagrees') {
      log.error(
        { alert: 'machine_clock_wrong', apartMs: Math.round(apartMs) },
        "this machine's clock is wrong or has stood still: the others agree with the database",
      );
    }
    wrong = verdict;
    if (wrong !== 'database') trusted = server;
  }

  const follow = async () => {
    server = chooseSample(server, await sample());
    judge();
  };
  for (let count = 0; count < 2; count += 1) await follow();
  // Without an answer for a moment, the counter carries on.
  const stop = repeatEvery(sampleEveryMs, follow, () => undefined);

  const timeOf = (sample: ClockSample) => Math.round(performance.now() + sample.offsetMs);
  return {
    now: () => timeOf(trusted),
    serverNow: () => timeOf(server),
    // A slow answer says little about the time: only the part beyond its error is skew.
    skewMs: () => apartFrom(trusted),
    wrongClock: () => wrong,
    vote: () => own,
    hear(votes) {
      others = votes;
      judge();
    },
    stop,
  };
}
