import type { mongo } from 'mongoose';
import type { UnitOfWork } from '../../application/ports/database.ts';
import { StaleWrite } from '../../application/ports/storeErrors.ts';
import { accountUpdate } from './accountStore.ts';
import type { Collections } from './collections.ts';
import { toDocument } from './documents.ts';
import { generationDocument, generationUpdate } from './generationWrites.ts';
import { jobDocument } from './jobStore.ts';

const unitsAtMost = 32;
const transactionsAtMost = 2;

interface Pending {
  unit: UnitOfWork;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Commits units of work, each wholly or not at all. Units that come while two transactions are under
 * way share the next one: a create costs a part of five statements instead of five of its own. When a
 * shared transaction fails, each of its units is tried alone, so that nobody fails by another's fault.
 * @param transact Runs statements in one majority transaction.
 */
export function createGroupCommit(
  collections: Collections,
  transact: (work: (session: mongo.ClientSession) => Promise<void>) => Promise<void>,
): (unit: UnitOfWork) => Promise<void> {
  let waiting: Pending[] = [];
  let underWay = 0;
  const write = (units: readonly UnitOfWork[]) =>
    transact((session) => writeUnits(collections, session, units));

  async function commitNext(): Promise<void> {
    const batch = takeBatch();
    if (batch.length === 0) return;
    underWay += 1;
    try {
      await write(batch.map(({ unit }) => unit));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      await (batch.length === 1 ? batch[0]?.reject(error) : commitAlone(batch));
    } finally {
      underWay -= 1;
      if (waiting.length > 0) void commitNext();
    }
  }

  async function commitAlone(batch: readonly Pending[]): Promise<void> {
    await Promise.all(
      batch.map(({ unit, resolve, reject }) => write([unit]).then(resolve, reject)),
    );
  }

  /** The next units, at most one of each account: the second would meet the first one's version. */
  function takeBatch(): Pending[] {
    const accounts = new Set<string>();
    const batch: Pending[] = [];
    const rest: Pending[] = [];
    for (const pending of waiting) {
      const { id } = pending.unit.account.before;
      const fits = batch.length < unitsAtMost && !accounts.has(id);
      (fits ? batch : rest).push(pending);
      accounts.add(id);
    }
    waiting = rest;
    return batch;
  }

  return (unit) =>
    new Promise((resolve, reject) => {
      waiting.push({ unit, resolve, reject });
      if (underWay < transactionsAtMost) void commitNext();
    });
}

/** The generation comes first: a taken idempotency scope ends the transaction before anything else. */
async function writeUnits(
  { generations, accounts, ledger, jobs, realPersonAudit }: Collections,
  session: mongo.ClientSession,
  units: readonly UnitOfWork[],
): Promise<void> {
  const inserted = units.flatMap(({ insert }) => (insert ? [generationDocument(insert)] : []));
  if (inserted.length > 0) await generations.insertMany(inserted, { session });

  const audits = units.flatMap(({ audit }) => (audit ? [toDocument(audit)] : []));
  if (audits.length > 0) await realPersonAudit.insertMany(audits, { session });

  const ended = units.flatMap(({ end }) => (end ? [generationUpdate(end)] : []));
  if (ended.length > 0) {
    const { matchedCount } = await generations.bulkWrite(
      ended.map((updateOne) => ({ updateOne })),
      { session },
    );
    if (matchedCount < ended.length) {
      throw new StaleWrite('generation', units[0]?.end?.generation.id ?? '');
    }
  }

  const { matchedCount } = await accounts.bulkWrite(
    units.map(({ account }) => ({ updateOne: accountUpdate(account) })),
    { session },
  );
  if (matchedCount < units.length)
    throw new StaleWrite('account', units[0]?.account.before.id ?? '');

  const entries = units.flatMap(({ entry }) => (entry ? [toDocument(entry)] : []));
  if (entries.length > 0) await ledger.insertMany(entries, { session });

  const added = units.flatMap(({ job }) => (job ? [jobDocument(job.generationId, job.runAt)] : []));
  if (added.length > 0) await jobs.insertMany(added, { session });
}
