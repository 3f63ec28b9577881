import { randomBytes } from 'node:crypto';
import type { TeamLogStore } from '../../../application/ports/teamLog.ts';
import { formatId } from '../../../domain/ids.ts';
import type { TeamLogEntry } from '../../../domain/teams/teamLog.ts';
import type { Collections, Models } from '../collections.ts';
import { teamLogCodec, teamLogDocument } from '../models/teamLog.ts';
import { createRecords } from '../records.ts';
import type { InTransaction } from '../transactions.ts';

/** Appends entries to accounts' logs, in the transactions of the acts. */
export async function appendToLog(
  { teamLog }: Pick<Collections, 'teamLog'>,
  entries: readonly (TeamLogEntry & { accountId: string })[],
  options: InTransaction,
): Promise<void> {
  if (entries.length === 0) return;
  const documents = entries.map((entry) =>
    teamLogDocument({ ...entry, id: formatId('log', entry.at, randomBytes(10)) }),
  );
  await teamLog.insertMany(documents, options);
}

/** Accounts' logs in MongoDB; a TTL index removes old entries. */
export function createTeamLogStore({ teamLog }: Pick<Models, 'teamLog'>): TeamLogStore {
  const { list } = createRecords(teamLog, teamLogCodec);
  return {
    listNewest: (accountId, before, limit) =>
      list(
        { accountId, ...(before !== null && { _id: { $lt: before } }) },
        { sort: { _id: -1 }, hint: 'account', limit, without: { goneAt: 0, people: 0 } },
      ),
  };
}

/**
 * Removes an erased account's log, and the person from other accounts' logs, whose entries stay.
 * @returns The number of changed entries.
 */
export async function erasePersonInLogs(
  { teamLog }: Pick<Collections, 'teamLog'>,
  { accountId, email }: { accountId: string; email: string },
): Promise<number> {
  const { deletedCount } = await teamLog.deleteMany({ accountId });
  const without = (field: 'by' | 'about', erased: object, absent: null | '$$REMOVE') => ({
    $cond: [
      { $or: [{ $eq: [`$${field}.id`, accountId] }, { $eq: [`$${field}.email`, email] }] },
      erased,
      { $ifNull: [`$${field}`, absent] },
    ],
  });
  const { modifiedCount } = await teamLog.updateMany({ people: { $in: [accountId, email] } }, [
    {
      $set: {
        by: without('by', { id: '', email: '' }, null),
        about: without('about', { id: null, email: '' }, '$$REMOVE'),
        people: { $setDifference: ['$people', [accountId, email]] },
      },
    },
  ]);
  return deletedCount + modifiedCount;
}
