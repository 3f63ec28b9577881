import { createHash } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';

/** The recurring jobs of one name: their number (distinguished by `data.shard`) and their interval in ms. */
export interface RecurringJob {
  name: string;
  shards: number;
  everyMs: number;
}

/** A job time further in the future than this comes from a wrong clock, in ms. */
const slackMs = 5_000;

/**
 * Keeps the recurring jobs in order, even if Agenda's collection was emptied, duplicated, or written to by a process
 * with a wrong clock: they do all repairs, including that of lost jobs. The id of each is derived from its name and
 * shard, so it exists once. Agenda's own `every` would unlock a running job and enable jobs that support has disabled.
 * @param allNames The names of all jobs, including those of generations.
 * @returns A function that creates missing jobs and repairs the others; `nowMs` is database time.
 */
export function createRecurringJobs(
  jobs: mongo.Collection,
  expected: readonly RecurringJob[],
  allNames: readonly string[],
): (nowMs: number) => Promise<void> {
  const names = expected.map(({ name }) => name);
  const documents = expected.flatMap(({ name, shards, everyMs }) =>
    Array.from({ length: shards }, (_, shard) => ({
      _id: idOf(name, shard),
      name,
      shard,
      everyMs,
    })),
  );

  /** Whether exactly the expected jobs exist. */
  async function isRight(nowMs: number): Promise<boolean> {
    const ahead = new Date(nowMs + slackMs);
    const storedJobs = await jobs
      .find({
        $or: [{ name: { $in: names } }, { name: { $in: [...allNames] }, lockedAt: { $gt: ahead } }],
      })
      .toArray();
    const byId = new Map(storedJobs.map((job) => [String(job._id), job]));
    return (
      storedJobs.length === documents.length &&
      documents.every(({ _id, everyMs }) => {
        const { repeatInterval, nextRunAt, lockedAt }: mongo.Document = byId.get(String(_id)) ?? {};
        return (
          repeatInterval === everyMs &&
          nextRunAt instanceof Date &&
          nextRunAt.getTime() <= nowMs + everyMs + slackMs &&
          !(lockedAt instanceof Date && lockedAt > ahead)
        );
      })
    );
  }

  return async (nowMs) => {
    if (await isRight(nowMs)) return;
    const now = new Date(nowMs);
    const make = documents.map(({ _id, name, shard, everyMs }) => ({
      updateOne: {
        filter: { _id },
        update: {
          $setOnInsert: { name, type: 'normal', priority: 0, data: { shard }, nextRunAt: now },
          $set: { repeatInterval: everyMs },
        },
        upsert: true,
      },
    }));
    const bringBack = documents.map(({ _id, everyMs }) => ({
      updateOne: {
        filter: {
          _id,
          $or: [{ nextRunAt: { $gt: new Date(nowMs + everyMs + slackMs) } }, { nextRunAt: null }],
        },
        update: { $set: { nextRunAt: now } },
      },
    }));
    const lockedAhead = {
      name: { $in: [...allNames] },
      lockedAt: { $gt: new Date(nowMs + slackMs) },
    };
    const doubled = { name: { $in: names }, _id: { $nin: documents.map(({ _id }) => _id) } };
    await jobs
      .bulkWrite(
        [
          ...make,
          ...bringBack,
          { updateMany: { filter: lockedAhead, update: { $set: { lockedAt: null } } } },
          { deleteMany: { filter: doubled } },
        ],
        { ordered: false },
      )
      .catch((error: unknown) => {
        // Another process created the same job at the same time.
        if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== 11000) {
          throw error;
        }
      });
  };
}

function idOf(name: string, shard: number): mongoose.mongo.ObjectId {
  const digest = createHash('sha256').update(`${name} ${shard}`).digest();
  return new mongoose.mongo.ObjectId(digest.subarray(0, 12));
}
