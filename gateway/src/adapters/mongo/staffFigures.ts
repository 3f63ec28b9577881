import type {
  EndedFigure,
  Figures,
  OpenFigure,
  ReadFigures,
} from '../../application/staff/ports.ts';
import type { Clock } from '../../application/ports/clock.ts';
import type { Collections } from './collections.ts';
import { asUnavailable } from './errors.ts';

/** Jobs counted at most: beyond it the exact number says no more. */
const dueAtMost = 10_000;
/** Unknown outcomes counted at most, likewise. */
const unresolvedAtMost = 1_000;
/** Ends looked at for success rates and durations. */
const endedAtMost = 3_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Figures of the whole gateway, from indexes of what is unfinished, newly ended, failed or due: their
 * cost grows with those, not with what is stored. Ask no oftener than every few seconds.
 */
export function createReadFigures(
  { generations, jobs }: Collections,
  clock: Pick<Clock, 'now'>,
): ReadFigures {
  return async () => {
    const now = clock.now();
    try {
      const [open, queue, ended, minutes, refundsToday, unresolved] = await Promise.all([
        readOpen(now),
        readQueue(now),
        readEnded(now),
        readMinutes(now),
        readRefunds(now),
        generations.countDocuments(
          { 'attempts.outcome': 'unknown', 'resolution.resolvedAt': null },
          { hint: 'unresolved', limit: unresolvedAtMost },
        ),
      ]);
      const { groups, withProviders } = open;
      return {
        readAt: now,
        open: groups,
        ...queue,
        ended,
        minutes,
        refundsToday,
        unresolved,
        withProviders,
      };
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  async function readOpen(
    now: number,
  ): Promise<{ groups: OpenFigure[]; withProviders: Map<string, number> }> {
    const younger = (ms: number) => ({ $gt: ['$createdAt', new Date(now - ms)] });
    const sumIf = (condition: unknown) => ({ $sum: { $cond: [condition, 1, 0] } });
    const found = await generations
      .aggregate<{
        _id: {
          step: OpenFigure['step'];
          status: OpenFigure['status'];
          model: string;
          provider?: string;
        };
        count: number;
        oldest: { at: Date; id: string };
        minute: number;
        ten: number;
        hour: number;
      }>(
        [
          {
            $match: {
              open: true,
              step: { $in: ['waiting', 'ready', 'parked', 'submitting', 'submitted'] },
            },
          },
          {
            $group: {
              _id: {
                step: '$step',
                status: '$status',
                model: '$model',
                provider: { $last: '$attempts.provider' },
              },
              count: { $sum: 1 },
              oldest: { $min: { at: '$createdAt', id: '$_id' } },
              minute: sumIf(younger(minuteMs)),
              ten: sumIf(younger(10 * minuteMs)),
              hour: sumIf(younger(hourMs)),
            },
          },
        ],
        { hint: 'due' },
      )
      .toArray();
    const groups = new Map<string, OpenFigure>();
    const withProviders = new Map<string, number>();
    for (const { _id, count, oldest, minute, ten, hour } of found) {
      const { step, status, model, provider } = _id;
      if (provider !== undefined && (step === 'submitting' || step === 'submitted')) {
        withProviders.set(provider, (withProviders.get(provider) ?? 0) + count);
      }
      const key = `${step} ${status} ${model}`;
      const known = groups.get(key);
      const ages: OpenFigure['ages'] = [minute, ten - minute, hour - ten, count - hour];
      const isOlder = !known || oldest.at.getTime() < known.oldestAt;
      groups.set(key, {
        ...{ step, status, model, count: count + (known?.count ?? 0) },
        oldestAt: isOlder ? oldest.at.getTime() : known.oldestAt,
        oldestId: isOlder ? oldest.id : known.oldestId,
        ages: known ? (ages.map((n, i) => n + (known.ages[i] ?? 0)) as OpenFigure['ages']) : ages,
      });
    }
    return { groups: [...groups.values()], withProviders };
  }

  async function readQueue(now: number): Promise<Pick<Figures, 'jobsDue' | 'jobLagMs'>> {
    const due = {
      name: 'generation.run',
      nextRunAt: { $lte: new Date(now) },
      lockedAt: null,
    };
    const [first, jobsDue] = await Promise.all([
      jobs.find(due, { sort: { nextRunAt: 1 }, limit: 1, projection: { nextRunAt: 1 } }).toArray(),
      jobs.countDocuments(due, { limit: dueAtMost }),
    ]);
    const oldest: unknown = first[0]?.['nextRunAt'];
    return { jobsDue, jobLagMs: oldest instanceof Date ? Math.max(0, now - oldest.getTime()) : 0 };
  }

  async function readEnded(now: number): Promise<EndedFigure[]> {
    const found = await generations
      .find(
        { endedAt: { $gte: new Date(now - dayMs) } },
        {
          hint: 'endedAt',
          sort: { endedAt: -1 },
          limit: endedAtMost,
          projection: {
            ...{ model: 1, status: 1, createdAt: 1, endedAt: 1, 'failure.code': 1 },
            ...{ 'attempts.provider': 1, 'attempts.model': 1 },
          },
        },
      )
      .toArray();
    return found.map((document) => {
      const { model, status, createdAt, endedAt, failure, attempts } = document as unknown as {
        model: string;
        status: EndedFigure['status'];
        createdAt: Date;
        endedAt: Date;
        failure?: { code?: string } | null;
        attempts: { provider: string; model: string }[];
      };
      const last = attempts.at(-1);
      return {
        ...{ model, status, code: failure?.code ?? null, provider: last?.provider ?? null },
        route: last ? `${last.provider} ${last.model}` : null,
        seconds: (endedAt.getTime() - createdAt.getTime()) / 1000,
      };
    });
  }

  async function readMinutes(now: number): Promise<Figures['minutes']> {
    const since = Math.floor(now / minuteMs) * minuteMs - hourMs + minuteMs;
    const age = { $subtract: ['$endedAt', new Date(since)] };
    const found = await generations
      .aggregate<{ _id: { minute: number; status: string }; count: number }>(
        [
          { $match: { endedAt: { $gte: new Date(since) } } },
          {
            $group: {
              _id: { minute: { $floor: { $divide: [age, minuteMs] } }, status: '$status' },
              count: { $sum: 1 },
            },
          },
        ],
        { hint: 'endedAt' },
      )
      .toArray();
    const minutes = Array.from({ length: 60 }, () => ({ completed: 0, failed: 0 }));
    for (const { _id, count } of found) {
      const minute = minutes[_id.minute];
      if (minute && _id.status === 'completed') minute.completed += count;
      if (minute && _id.status === 'failed') minute.failed += count;
    }
    return minutes;
  }

  async function readRefunds(now: number): Promise<Figures['refundsToday']> {
    const midnight = new Date(Math.floor(now / dayMs) * dayMs);
    const [found] = await generations
      .aggregate<{ count: number; credits: number }>(
        [
          { $match: { status: 'failed', endedAt: { $gte: midnight } } },
          { $group: { _id: null, count: { $sum: 1 }, credits: { $sum: '$costCredits' } } },
        ],
        { hint: 'refunded' },
      )
      .toArray();
    return { count: found?.count ?? 0, credits: found?.credits ?? 0 };
  }
}
