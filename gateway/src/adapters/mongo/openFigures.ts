import type { Clock } from '../../application/ports/system.ts';
import type { OpenFigure, OpenFigures, FindOpenFigures } from '../../application/ports/database.ts';
import type { Collections } from './collections.ts';

/** Jobs counted at most: beyond it the exact number says no more. */
const maxDue = 10_000;
/** Unknown outcomes counted at most, likewise. */
const maxUnresolved = 1_000;
/** How long a query may take on the server, in ms. */
const maxTimeMS = 5_000;
/** Bounds of the age groups of unfinished generations, in ms; the last group is older. */
const youngerThanMs = [60_000, 600_000, 3_600_000];

/** Unfinished generations that are alike, as the database has counted them. */
interface OpenGroup {
  _id: Pick<OpenFigure, 'step' | 'status' | 'model'> & {
    place: string | null;
    age: 0 | 1 | 2 | 3;
  };
  count: number;
  oldestAt: Date;
  oldestId: string;
}

/** Reads what is unfinished: generations are grouped by the database from the keys of an index alone. */
export function createFindOpenFigures(
  { generations, jobs }: Pick<Collections, 'generations' | 'jobs'>,
  clock: Pick<Clock, 'now'>,
): FindOpenFigures {
  return async () => {
    const now = clock.now();
    const [open, queue, unresolved] = await Promise.all([
      findOpen(now),
      findQueue(now),
      generations.countDocuments(
        { 'attempts.outcome': 'unknown', 'resolution.resolvedAt': null },
        { hint: 'unresolved', limit: maxUnresolved, maxTimeMS },
      ),
    ]);
    return { readAt: now, ...open, ...queue, unresolved };
  };

  async function findOpen(now: number): Promise<Pick<OpenFigures, 'open' | 'withProviders'>> {
    const branches = youngerThanMs.map((ms, index) => ({
      case: { $gt: ['$createdAt', new Date(now - ms)] },
      then: index,
    }));
    const age = { $switch: { branches, default: branches.length } };
    const found = await generations
      .aggregate<OpenGroup>(
        [
          { $match: { open: true } },
          {
            $group: {
              _id: { place: '$place', step: '$step', status: '$status', model: '$model', age },
              count: { $sum: 1 },
              oldestAt: { $min: '$createdAt' },
              // An id begins with the time of its creation.
              oldestId: { $min: '$_id' },
            },
          },
        ],
        { hint: 'unfinished', maxTimeMS },
      )
      .toArray();
    const figures = new Map<string, OpenFigure>();
    const withProviders = new Map<string, number>();
    for (const { _id, count, oldestAt, oldestId } of found) {
      const { step, status, model, place, age: ageIndex } = _id;
      // One that is called to a place is not with its provider yet.
      if (place !== null && (step === 'submitting' || step === 'submitted')) {
        withProviders.set(place, (withProviders.get(place) ?? 0) + count);
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
    return { open: [...figures.values()], withProviders };
  }

  async function findQueue(now: number): Promise<Pick<OpenFigures, 'jobsDue' | 'jobLagMs'>> {
    const due = {
      name: 'generation.run',
      nextRunAt: { $lte: new Date(now) },
      lockedAt: null,
    };
    const [first, jobsDue] = await Promise.all([
      jobs
        .find(due, { sort: { nextRunAt: 1 }, limit: 1, projection: { nextRunAt: 1 }, maxTimeMS })
        .toArray(),
      jobs.countDocuments(due, { limit: maxDue, maxTimeMS }),
    ]);
    const oldest: unknown = first[0]?.['nextRunAt'];
    return { jobsDue, jobLagMs: oldest instanceof Date ? Math.max(0, now - oldest.getTime()) : 0 };
  }
}
