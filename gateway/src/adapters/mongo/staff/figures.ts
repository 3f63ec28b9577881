import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import {
  type EndedFigure,
  type EndFigures,
  type FindEndFigures,
  type FindOpenFigures,
  type OpenFigure,
  type OpenFigures,
  writtenWithinMs,
} from '../../../application/ports/figures.ts';
import { generationRunJob } from '../../../application/ports/jobs.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { startOfDayMs } from '../../../domain/time/utcDay.ts';
import { type Collections, shortReadMs } from '../collections.ts';

/** Maximum number of counted jobs: a larger number says nothing more. */
const maxDue = 10_000;
/** Maximum number of counted unknown outcomes. */
const maxUnresolved = 1_000;
/** Bounds of the age groups of unfinished generations, in ms; the last group is older. */
const youngerThanMs = [minuteMs, 10 * minuteMs, hourMs];

/** A group of similar unfinished generations, counted by the database. */
interface OpenGroup {
  _id: Pick<OpenFigure, 'step' | 'status' | 'model'> & {
    providerSlot: string | null;
    age: 0 | 1 | 2 | 3;
  };
  count: number;
  oldestAt: Date;
  oldestId: string;
}

/** Reads the unfinished generations, grouped by the database from the keys of one index. */
export function createFindOpenFigures(
  { generations, jobs }: Pick<Collections, 'generations' | 'jobs'>,
  clock: Pick<Clock, 'now'>,
): FindOpenFigures {
  return async () => {
    const nowMs = clock.now();
    const [open, queue, unresolved] = await Promise.all([
      findOpen(nowMs),
      findQueue(nowMs),
      generations.countDocuments(
        { 'attempts.outcome': 'unknown', 'resolution.resolvedAt': null },
        { hint: 'unresolved', limit: maxUnresolved, maxTimeMS: shortReadMs },
      ),
    ]);
    return { readAt: nowMs, ...open, ...queue, unresolved };
  };

  async function findOpen(nowMs: number): Promise<Pick<OpenFigures, 'open' | 'withProviders'>> {
    const branches = youngerThanMs.map((ms, index) => ({
      case: { $gt: ['$createdAt', new Date(nowMs - ms)] },
      then: index,
    }));
    const age = { $switch: { branches, default: branches.length } };
    const rows = await generations
      .aggregate<OpenGroup>(
        [
          { $match: { open: true } },
          {
            $group: {
              _id: {
                providerSlot: '$providerSlot',
                step: '$step',
                status: '$status',
                model: '$model',
                age,
              },
              count: { $sum: 1 },
              oldestAt: { $min: '$createdAt' },
              // An id begins with the time of its creation.
              oldestId: { $min: '$_id' },
            },
          },
        ],
        { hint: 'unfinished', maxTimeMS: shortReadMs },
      )
      .toArray();
    const figures = new Map<string, OpenFigure>();
    const withProviders = new Map<string, number>();
    for (const { _id, count, oldestAt, oldestId } of rows) {
      const { step, status, model, providerSlot, age: ageIndex } = _id;
      // A generation that was given a slot has not reached its provider.
      if (providerSlot !== null && (step === 'submitting' || step === 'submitted')) {
        withProviders.set(providerSlot, (withProviders.get(providerSlot) ?? 0) + count);
      }
      const key = `${step} ${status} ${model}`;
      const figure = figures.get(key) ?? {
        step,
        status,
        model,
        count: 0,
        ages: [0, 0, 0, 0],
        oldestAt: oldestAt.getTime(),
        oldestId,
      };
      figure.count += count;
      figure.ages[ageIndex] += count;
      if (oldestAt.getTime() < figure.oldestAt) {
        Object.assign(figure, { oldestAt: oldestAt.getTime(), oldestId });
      }
      figures.set(key, figure);
    }
    const groups = [...figures.values()].toSorted((a, b) => a.oldestAt - b.oldestAt);
    return { open: groups, withProviders };
  }

  async function findQueue(nowMs: number): Promise<Pick<OpenFigures, 'jobsDue' | 'jobLagMs'>> {
    const dueFilter = {
      name: generationRunJob,
      nextRunAt: { $lte: new Date(nowMs) },
      lockedAt: null,
    };
    const [first, jobsDue] = await Promise.all([
      jobs
        .find(dueFilter, {
          sort: { nextRunAt: 1 },
          limit: 1,
          projection: { nextRunAt: 1 },
          maxTimeMS: shortReadMs,
        })
        .toArray(),
      jobs.countDocuments(dueFilter, { limit: maxDue, maxTimeMS: shortReadMs }),
    ]);
    const oldest: unknown = first[0]?.['nextRunAt'];
    return {
      jobsDue,
      jobLagMs: oldest instanceof Date ? Math.max(0, nowMs - oldest.getTime()) : 0,
    };
  }
}

/** Ends counted for success rates and durations. */
const maxEnded = 3_000;

/** Ends of one minute, with their charged credits or, if failed, their refunded ones. */
interface MinuteSum {
  count: number;
  credits: number;
}

/** Reads the newest ends and the sums by minute from the keys of one index. */
export function createFindEndFigures(
  { generations }: Pick<Collections, 'generations'>,
  clock: Pick<Clock, 'now'>,
): FindEndFigures {
  const findCompleted = createMinuteSums({ generations }, 'completed');
  const findFailed = createMinuteSums({ generations }, 'failed');
  return async () => {
    const nowMs = clock.now();
    const midnight = startOfDayMs(nowMs);
    const firstMinute = Math.floor(nowMs / minuteMs) * minuteMs - hourMs + minuteMs;
    const [ended, completed, failed] = await Promise.all([
      findEnded(nowMs),
      findCompleted(firstMinute, nowMs),
      findFailed(Math.min(midnight, firstMinute), nowMs),
    ]);
    const minutes = Array.from({ length: hourMs / minuteMs }, (_, index) => {
      const countOf = (sums: typeof completed) =>
        sums.get(firstMinute + index * minuteMs)?.count ?? 0;
      return { completed: countOf(completed), failed: countOf(failed) };
    });
    return { ended, minutes, refundsToday: sumFrom(midnight, failed) };
  };

  async function findEnded(nowMs: number): Promise<EndedFigure[]> {
    const documents = await generations
      .find(
        { status: { $in: ['completed', 'failed'] }, endedAt: { $gte: new Date(nowMs - dayMs) } },
        {
          hint: 'ended',
          sort: { endedAt: -1 },
          limit: maxEnded,
          maxTimeMS: shortReadMs,
          projection: {
            model: 1,
            status: 1,
            createdAt: 1,
            endedAt: 1,
            'attempts.provider': 1,
            'attempts.model': 1,
          },
        },
      )
      .toArray();
    return documents.flatMap(({ model, status, createdAt, endedAt, attempts }) => {
      if ((status !== 'completed' && status !== 'failed') || endedAt === null) return [];
      const last = attempts.at(-1);
      const route = last ? `${last.provider} ${last.model}` : null;
      return [{ model, status, route, seconds: (endedAt.getTime() - createdAt.getTime()) / 1000 }];
    });
  }
}

function sumFrom(
  sinceMs: number,
  sums: ReadonlyMap<number, MinuteSum>,
): EndFigures['refundsToday'] {
  let [count, credits] = [0, 0];
  for (const [minute, sum] of sums) {
    if (minute < sinceMs) continue;
    count += sum.count;
    credits += sum.credits;
  }
  return { count, credits };
}

/** Sums of the ends' credits by status. */
const summed = { completed: '$costCredits', failed: '$refundedCredits' };

/**
 * Sums of the ends with one status, by the start of their minute. A past minute is read only once, so that the cost of
 * a reading depends on the ends of the last minutes, not of the day. It reads hour by hour, so that even a busy day
 * stays within the time limit.
 */
function createMinuteSums(
  { generations }: Pick<Collections, 'generations'>,
  status: EndedFigure['status'],
): (sinceMs: number, nowMs: number) => Promise<ReadonlyMap<number, MinuteSum>> {
  const sums = new Map<number, MinuteSum>();
  let readUntil = 0;
  return async (since, nowMs) => {
    for (const minute of sums.keys()) if (minute < since) sums.delete(minute);
    const over = Math.floor((nowMs - writtenWithinMs) / minuteMs) * minuteMs;
    for (let from = Math.max(since, readUntil); from <= nowMs; from += hourMs) {
      const to = from + hourMs;
      const cursor = generations.aggregate<MinuteSum & { _id: Date }>(
        [
          { $match: { status, endedAt: { $gte: new Date(from), $lt: new Date(to) } } },
          {
            $group: {
              _id: { $dateTrunc: { date: '$endedAt', unit: 'minute' } },
              count: { $sum: 1 },
              credits: { $sum: summed[status] },
            },
          },
        ],
        { hint: 'ended', maxTimeMS: shortReadMs },
      );
      for (const { _id, count, credits: sum } of await cursor.toArray()) {
        sums.set(_id.getTime(), { count, credits: sum });
      }
      readUntil = Math.max(readUntil, Math.min(to, over));
    }
    return sums;
  };
}
