import type { AuditLog, ProposalStore, StaffWrites } from '../../../application/ports/staff.ts';
import type { Refusal } from '../../../domain/refusal.ts';
import type { AuditEntry } from '../../../domain/staff/auditEntry.ts';
import type { Collections, Models } from '../collections.ts';
import { asDuplicate } from '../errors.ts';
import { auditDocument, staffAuditCodec, staffProposalCodec } from '../models/staff.ts';
import { afterNowExpression, createRecords } from '../records.ts';

/** Maximum entries per lookup by requests, and per read of an export. */
const maxByRequest = 500;
const exportPage = 200;

const withoutTerms = { without: { terms: 0 } } as const;

/**
 * The audit log in MongoDB. An entry's search terms are in its `terms`, under one index.
 * @param wordsOf Puts a refusal into words for staff.
 */
export function createAuditLog(
  { staffAudit }: Pick<Models, 'staffAudit'>,
  wordsOf: (refusal: Refusal) => string,
): AuditLog {
  const { list } = createRecords(staffAudit, staffAuditCodec);
  return {
    async begin(entry) {
      try {
        await staffAudit.insertOne(auditDocument(entry));
      } catch (error) {
        throw asDuplicate(error);
      }
    },
    async finish(entryId, outcome, result, createdIds = []) {
      const begunFilter = { _id: entryId, outcome: 'begun' } as const;
      const words = typeof result === 'string' ? result : wordsOf(result);
      const $addToSet = { targets: { $each: [...createdIds] }, terms: { $each: [...createdIds] } };
      await staffAudit.updateOne(begunFilter, { $set: { outcome, result: words }, $addToSet });
    },
    async findByRequests(requestIds) {
      if (requestIds.length === 0) return new Map();
      const filter = { terms: { $in: [...requestIds] } };
      const entries = await list(filter, {
        sort: { _id: 1 },
        limit: maxByRequest,
        ...withoutTerms,
      });
      return new Map(entries.map((entry) => [entry.requestId, entryOf(entry)]));
    },
    async *listSince(sinceMs) {
      let after = '';
      for (;;) {
        const page = await list(
          { _id: { $gt: after }, at: { $gte: new Date(sinceMs) } },
          { sort: { _id: 1 }, limit: exportPage, ...withoutTerms },
        );
        yield* page.map(entryOf);
        after = page.at(-1)?.id ?? after;
        if (page.length < exportPage) return;
      }
    },
    async search(term, before, limit) {
      const entries = await list(
        {
          ...(term !== null && { terms: term }),
          ...(before !== null && { _id: { $lt: before } }),
        },
        { sort: { _id: -1 }, limit, ...withoutTerms },
      );
      return entries.map(entryOf);
    },
  };
}

const entryOf = (
  stored: Omit<AuditEntry, 'formId'> & { formId?: string | undefined },
): AuditEntry => ({ ...stored, formId: stored.formId ?? null });

/** Staff's proposals in MongoDB; a TTL index removes ended ones. */
export function createProposalStore({
  staffProposals,
}: Pick<Models, 'staffProposals'>): ProposalStore {
  const { insert, remove, findOne, list } = createRecords(staffProposals, staffProposalCodec);
  const openFilter = { $expr: afterNowExpression('expiresAt') };
  return {
    insert,
    remove,
    find: (proposalId) => findOne({ _id: proposalId, ...openFilter }),
    list: (limit) => list(openFilter, { sort: { _id: 1 }, limit }),
  };
}

/** The update that takes outputs down; matches nothing if none are left. */
export function takeDownUpdate(generationId: string, nowMs: number, what: string) {
  const now = new Date(nowMs);
  return {
    filter: {
      _id: generationId,
      status: 'completed',
      'outputs.0': { $exists: true },
      outputsRemovedAt: null,
    },
    update: {
      $set: { outputsRemovedAt: now, outputsRemoveAt: now, tidyAt: now },
      $push: line(nowMs, what),
    },
  } as const;
}

const line = (atMs: number, what: string) => ({ timeline: { at: new Date(atMs), what } });

/** Staff's notes about generations, which never change a status, step, lease or credits. */
export function createStaffWrites({ generations }: Pick<Collections, 'generations'>): StaffWrites {
  return {
    async resolve(generationId, resolution, what) {
      const result = await generations.updateOne(
        { _id: generationId, open: false, resolution: null },
        {
          $set: { resolution: { ...resolution, resolvedAt: new Date(resolution.resolvedAt) } },
          $push: line(resolution.resolvedAt, what),
        },
      );
      return result.modifiedCount === 1;
    },
    async markTakenDown(generationId, nowMs, what) {
      const { filter, update } = takeDownUpdate(generationId, nowMs, what);
      const result = await generations.updateOne(filter, update);
      return result.modifiedCount === 1;
    },
    async record(generationId, nowMs, what) {
      await generations.updateOne({ _id: generationId }, { $push: line(nowMs, what) });
    },
  };
}
