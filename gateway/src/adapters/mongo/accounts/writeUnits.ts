import { StaleWriteError } from '../../../application/ports/database.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { lookupChange } from '../../../domain/accounts/accountLookups.ts';
import { type Collections, VersionConflictError, whetherCommitted } from '../collections.ts';
import {
  generationDocument,
  generationMove,
  generationUpdate,
} from '../generations/generationWrites.ts';
import { jobDocument } from '../jobs/jobStore.ts';
import { accountCodec, type StoredAccount } from '../models/accounts.ts';
import { ledgerCodec } from '../models/ledger.ts';
import { mailCodec } from '../models/mails.ts';
import { realPersonAuditCodec } from '../models/realPersonAudit.ts';
import type { Filter, Update } from '../models/statements.ts';
import { insertEvents, insertRecords } from '../staff/operatorStores.ts';
import type { InTransaction } from '../transactions.ts';
import { writeLookups } from './accountLookups.ts';
import { nextExpiryDate } from './accountStore.ts';
import type { AccountUnit } from './accountUnit.ts';
import { endAccess } from './externalAccess.ts';
import { appendToLog } from './teamLogStore.ts';

/**
 * Writes units of different accounts in one transaction. Accounts come first: if another process is changing one, the
 * transaction fails before it has done other work.
 * @throws VersionConflictError if an account's version has changed since it was read; StaleWriteError of a generation;
 * the driver's error for a taken unique value.
 */
export async function writeUnits(
  collections: Collections,
  units: readonly AccountUnit[],
  options: InTransaction,
): Promise<void> {
  const { generations, accounts, ledger, jobs, realPersonAudit } = collections;
  // An end already written by another process would make counts negative. The generation's guard must report that
  // before the database refuses the account.
  const isSuspect = units.some(({ after }) => takesBelowZero(after));
  if (isSuspect) await updateGenerations(generations, units, options);

  const { matchedCount } = await accounts.bulkWrite(
    units.map((unit) => ({ updateOne: accountUpdate(unit) })),
    options,
  );
  if (matchedCount < units.length) throw new VersionConflictError('an account has changed');

  const lookups = units.flatMap(({ before, after }) => {
    const change = lookupChange(before, after);
    return change ? [{ accountId: before.id, ...change }] : [];
  });
  if (lookups.length > 0) await writeLookups(collections, lookups, options);

  const inserted = units.flatMap(({ inserts }) => inserts.map(generationDocument));
  if (inserted.length > 0) await generations.insertMany(inserted, options);

  const audits = units.flatMap((unit) => unit.audits.map(realPersonAuditCodec.toStored));
  if (audits.length > 0) await realPersonAudit.insertMany(audits, options);

  if (!isSuspect) await updateGenerations(generations, units, options);

  const entries = units.flatMap((unit) => unit.entries.map(ledgerCodec.toStored));
  if (entries.length > 0) await ledger.insertMany(entries, options);

  const references = entries.flatMap(({ accountId, reference }) =>
    reference === undefined ? [] : [{ _id: reference, accountId }],
  );
  if (references.length > 0) await collections.references.insertMany(references, options);

  const newJobs = units.flatMap((unit) =>
    unit.jobs.map(({ generationId, runAt }) =>
      jobDocument({ generationId, accountId: unit.before.id }, runAt),
    ),
  );
  if (newJobs.length > 0) await jobs.insertMany(newJobs, options);

  await endAccess(collections, units, options);

  const logEntries = units.flatMap(({ before, log }) =>
    log.map((entry) => ({ ...entry, accountId: before.id })),
  );
  await appendToLog(collections, logEntries, options);

  const mails = units.flatMap((unit) => unit.mails.map(mailCodec.toStored));
  if (mails.length > 0) await collections.mails.insertMany(mails, options);

  const events = units.flatMap((unit) => unit.events);
  await insertEvents(collections, events, options);

  const records = units.flatMap((unit) => unit.records);
  await insertRecords(collections, records, options);
}

const takesBelowZero = ({ running, waiting, inFlightCredits }: Account) =>
  running < 0 || waiting < 0 || inFlightCredits < 0;

/** Writes ends and moves of generations. @throws StaleWriteError */
async function updateGenerations(
  generations: Collections['generations'],
  units: readonly AccountUnit[],
  options: InTransaction,
): Promise<void> {
  const updates = units.flatMap(({ before, ends, moves }) => [
    ...ends.map(generationUpdate),
    ...moves.map((move) => generationMove(before.id, move)),
  ]);
  if (updates.length === 0) return;
  const { matchedCount } = await generations.bulkWrite(
    updates.map((updateOne) => ({ updateOne })),
    options,
  );
  if (matchedCount < updates.length) throw new StaleWriteError(namesOf(units));
}

const namesOf = (units: readonly AccountUnit[]) =>
  units
    .flatMap(({ ends, moves }) => [
      ...ends.map(({ generation }) => generation.id),
      ...moves.map(({ generationId }) => generationId),
    ])
    .join(', ');

/** The guarded update of an account; matches nothing if the version has changed since it was read. */
function accountUpdate({ before, after, spendsBefore }: AccountUnit): {
  filter: Filter<StoredAccount>;
  update: Update<StoredAccount>;
} {
  const isSpendable =
    spendsBefore === Infinity ? {} : { $expr: { $lt: ['$$NOW', new Date(spendsBefore)] } };
  const changes = Object.entries(after).filter(
    ([name, value]) => before[name as keyof Account] !== value,
  );
  return {
    filter: { _id: before.id, version: before.version, ...isSpendable },
    update: {
      $set: {
        ...accountCodec.toFields(Object.fromEntries(changes)),
        ...(after.lots !== before.lots && { nextExpiryAt: nextExpiryDate(after) }),
        version: before.version + 1,
      },
    },
  };
}

/**
 * Whether a unit with an unknown commit result is written, judged by documents that only this unit can have written:
 * its ledger entry, an operator's entry in the audit log, or the end of its generation. False for a unit without any
 * of these, which may be repeated.
 */
export async function isWritten(
  { ledger, generations, staffAudit }: Collections,
  { entries: [entry], ends: [end], records: [record] }: AccountUnit,
): Promise<boolean> {
  if (entry) {
    const { id, accountId, requestId } = entry;
    return (await ledger.findOne({ _id: id, accountId, requestId }, whetherCommitted)) !== null;
  }
  if (record) {
    return (await staffAudit.findOne({ _id: record.audit.id }, whetherCommitted)) !== null;
  }
  if (!end) return false;
  const { id, accountId, epoch } = end.generation;
  const ended = { _id: id, accountId, epoch, step: 'ended' } as const;
  return (await generations.findOne(ended, whetherCommitted)) !== null;
}
