import mongoose, { type mongo } from 'mongoose';
import { minuteMs, sum } from '@framegate/contract';
import {
  type JobCounts,
  type JobDocument,
  type JobQueries,
  type JobState,
  jobStates,
} from '../../../application/ports/staff.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { isUpkeepJob } from '../../../application/ports/upkeep.ts';
import type { Collections } from '../collections.ts';
import { jobIdOf } from './jobStore.ts';

/** Ages of counts in ms: beyond the first they are refreshed, beyond the second no longer returned. */
const countsCachedMs = 5_000;
const maxCountsAgeMs = minuteMs;
const maxPage = 200;
/** Maximum jobs to page through; others are found by search. */
const maxDepth = 10_000;

/** Agenda's states as it computes them itself (agenda/dist/types/JobQuery.js), as an expression. */
function stateExpression(now: Date) {
  const failed = {
    $and: [
      { $gt: ['$failedAt', null] },
      {
        $or: [
          { $lte: [{ $ifNull: ['$lastFinishedAt', null] }, null] },
          { $gte: ['$failedAt', '$lastFinishedAt'] },
        ],
      },
    ],
  };
  return {
    $switch: {
      branches: [
        { case: { $gt: ['$lockedAt', null] }, then: 'running' },
        { case: failed, then: 'failed' },
        { case: { $gt: ['$repeatInterval', null] }, then: 'repeating' },
        { case: { $gt: ['$nextRunAt', now] }, then: 'scheduled' },
        { case: { $gt: ['$nextRunAt', null] }, then: 'queued' },
      ],
      default: 'completed',
    },
  };
}

/** Fields of every job in a state, so that an index narrows the jobs before the expression decides. */
function stateBounds(state: JobState, now: Date): mongo.Filter<mongo.Document> {
  if (state === 'running') return { lockedAt: { $type: 'date' } };
  if (state === 'scheduled') return { nextRunAt: { $gt: now } };
  if (state === 'queued') return { nextRunAt: { $lte: now } };
  if (state === 'failed') return { failedAt: { $type: 'date' } };
  return {};
}

/** Agenda's jobs, paged in the database by the index of name and time. */
export function createJobQueries(
  { jobs }: Pick<Collections, 'jobs'>,
  clock: Pick<Clock, 'now'>,
): JobQueries {
  let cached: { at: number; counts: JobCounts[] } | null = null;
  let counting: Promise<JobCounts[]> | null = null;

  async function count(now: Date): Promise<JobCounts[]> {
    const rows = await jobs
      .aggregate<{ _id: { name: string; state: JobState }; count: number; paused: number }>([
        {
          $group: {
            _id: { name: '$name', state: stateExpression(now) },
            count: { $sum: 1 },
            paused: { $sum: { $cond: [{ $eq: ['$disabled', true] }, 1, 0] } },
          },
        },
      ])
      .toArray();
    const byName = new Map<string, JobCounts>();
    for (const { _id, count: number, paused } of rows) {
      const line = byName.get(_id.name) ?? emptyCounts(_id.name);
      line[_id.state] += number;
      line.total += number;
      line.paused += paused;
      byName.set(_id.name, line);
    }
    return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  function recount(): Promise<JobCounts[]> {
    counting ??= count(new Date(clock.now()))
      .then((counts) => {
        cached = { at: clock.now(), counts };
        return counts;
      })
      .finally(() => (counting = null));
    return counting;
  }

  /** Returns old counts while new ones are computed: only the first caller waits. */
  async function countByKind(): Promise<JobCounts[]> {
    const ageMs = cached === null ? Infinity : clock.now() - cached.at;
    if (cached === null || ageMs > maxCountsAgeMs) return recount();
    // The next caller gets the error.
    if (ageMs > countsCachedMs) recount().catch(() => undefined);
    return cached.counts;
  }

  async function findByIds(ids: mongoose.mongo.ObjectId[]): ReturnType<JobQueries['listPage']> {
    const now = new Date(clock.now());
    const rows = await jobs
      .aggregate([{ $match: { _id: { $in: ids } } }, { $set: { state: stateExpression(now) } }])
      .toArray();
    return { jobs: rows.map(present), total: rows.length };
  }

  return {
    countByKind,
    async listPage({ name, isOfUpkeep, state, search = '', skip, limit }) {
      const generationId = /\bgen_[0-9a-hjkmnp-tv-z]{26}\b/i.exec(search)?.[0].toLowerCase();
      if (generationId !== undefined) return findByIds([jobIdOf(generationId)]);
      if (/^[0-9a-f]{24}$/i.test(search.trim())) {
        return findByIds([mongoose.mongo.ObjectId.createFromHexString(search.trim())]);
      }
      const lines = (await countByKind()).filter(
        (line) =>
          (name === undefined || line.name === name) &&
          (isOfUpkeep === undefined || isUpkeepJob(line.name) === isOfUpkeep) &&
          line.name.toLowerCase().includes(search.trim().toLowerCase()) &&
          (state === undefined || line[state] > 0),
      );
      const total = sum(lines.map((line) => line[state ?? 'total']));
      const from = Math.min(Math.max(0, skip), maxDepth);
      const length = Math.min(Math.max(1, limit), maxPage);
      const now = new Date(clock.now());
      // The index begins with the name: each name's page in order, then the combined page.
      const pages = await Promise.all(
        lines.map((line) =>
          jobs
            .aggregate([
              { $match: { name: line.name, ...(state && stateBounds(state, now)) } },
              { $sort: { nextRunAt: -1 } },
              ...(state ? [{ $match: { $expr: { $eq: [stateExpression(now), state] } } }] : []),
              { $limit: from + length },
              { $set: { state: stateExpression(now) } },
            ])
            .toArray(),
        ),
      );
      const time = (job: mongo.Document) =>
        job['nextRunAt'] instanceof Date ? job['nextRunAt'].getTime() : -Infinity;
      const sorted = pages.flat().toSorted((a, b) => time(b) - time(a));
      return { jobs: sorted.slice(from, from + length).map(present), total };
    },
  };
}

function emptyCounts(name: string): JobCounts {
  const zeros = Object.fromEntries(jobStates.map((state) => [state, 0]));
  return { name, total: 0, paused: 0, ...(zeros as Record<JobState, number>) };
}

function present(job: mongo.Document): JobDocument {
  return { ...job, _id: String(job['_id']) } as JobDocument;
}
