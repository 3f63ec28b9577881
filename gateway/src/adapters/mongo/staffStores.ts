import type {
  AuditLog,
  ProposalStore,
  SecondFactorStore,
  StaffSession,
  StaffSessionStore,
  StaffWrites,
} from '../../application/staff/ports.ts';
import { fromDocument, toDocument, toFields, type Collections } from './collections.ts';
import { asDuplicate } from './errors.ts';
import { createUseStep } from './siteStores.ts';

/** The audit log in MongoDB. What an entry can be found by stands in its `terms`, under one index. */
export function createAuditLog({ staffAudit }: Pick<Collections, 'staffAudit'>): AuditLog {
  return {
    async begin(entry) {
      const { accountId, email, action, requestId, targets, formId, ...rest } = entry;
      try {
        await staffAudit.insertOne({
          ...toDocument({ ...rest, accountId, email, action, requestId, targets }),
          ...(formId !== null && { formId }),
          terms: [...new Set([accountId, email, action, requestId, ...targets])],
        });
      } catch (error) {
        throw asDuplicate(error);
      }
    },
    async finish(entryId, outcome, result) {
      const open = { _id: entryId, outcome: 'begun' };
      await staffAudit.updateOne(open, { $set: { outcome, result } });
    },
    async search(term, before, limit) {
      const found = staffAudit.find(
        {
          ...(term !== null && { terms: term }),
          ...(before !== null && { _id: { $lt: before } }),
        },
        { sort: { _id: -1 }, limit, projection: { terms: 0 } },
      );
      return (await found.toArray()).map((document) =>
        fromDocument({ ...document, formId: document['formId'] ?? null }),
      );
    },
  };
}

/** Second factors of staff in MongoDB, by account id. */
export function createSecondFactorStore({
  staffFactors,
}: Pick<Collections, 'staffFactors'>): SecondFactorStore {
  const isOpen = { $expr: { $gt: ['$linkUntil', '$$NOW'] } };
  return {
    async find(accountId) {
      const found = await staffFactors.findOne({ _id: accountId });
      return found && fromDocument(found);
    },
    async openLink(accountId, { linkHash, linkUntil, setsPassword }) {
      await staffFactors.updateOne(
        { _id: accountId },
        {
          $set: { linkHash, linkUntil: new Date(linkUntil), setsPassword },
          $setOnInsert: { secret: null, lastStep: 0 },
        },
        { upsert: true },
      );
    },
    async findByLink(linkHash) {
      const found = await staffFactors.findOne({ linkHash, ...isOpen });
      return found && fromDocument(found);
    },
    async enrol(linkHash, secret, lastStep) {
      const done = await staffFactors.updateOne(
        { linkHash, ...isOpen },
        { $set: { secret, lastStep, linkHash: null, setsPassword: false } },
      );
      return done.modifiedCount === 1;
    },
    useStep: createUseStep(staffFactors),
  };
}

/** Sessions of the console in MongoDB; a TTL index removes those that are over. */
export function createStaffSessionStore({
  staffSessions,
}: Pick<Collections, 'staffSessions'>): StaffSessionStore {
  return {
    async insert(session) {
      await staffSessions.insertOne(toDocument(session));
    },
    async visit(sessionId, idleMs, note) {
      const since = { $subtract: ['$$NOW', idleMs] };
      const live = {
        _id: sessionId,
        $expr: { $and: [{ $gt: ['$expiresAt', '$$NOW'] }, { $gt: ['$seenAt', since] }] },
      };
      const found = note
        ? await staffSessions.findOneAndUpdate(live, [{ $set: { seenAt: '$$NOW' } }])
        : await staffSessions.findOne(live);
      return found && fromDocument<StaffSession>(found);
    },
    async remove(sessionId) {
      await staffSessions.deleteOne({ _id: sessionId });
    },
    async removeAll(accountId) {
      await staffSessions.deleteMany({ accountId });
    },
  };
}

/** Proposals of staff in MongoDB; a TTL index removes those that are over. */
export function createProposalStore({
  staffProposals,
}: Pick<Collections, 'staffProposals'>): ProposalStore {
  const isOpen = { $expr: { $gt: ['$expiresAt', '$$NOW'] } };
  return {
    async insert(proposal) {
      await staffProposals.insertOne(toDocument(proposal));
    },
    async find(proposalId) {
      const found = await staffProposals.findOne({ _id: proposalId, ...isOpen });
      return found && fromDocument(found);
    },
    async remove(proposalId) {
      await staffProposals.deleteOne({ _id: proposalId });
    },
    async list(limit) {
      const found = staffProposals.find(isOpen, { sort: { _id: 1 }, limit });
      return (await found.toArray()).map((document) => fromDocument(document));
    },
  };
}

/** What staff write about generations: never their status, step, lease or credits. */
export function createStaffWrites(collections: Collections): StaffWrites {
  const { generations, sessions, confirmations, customerFactors, keyUses, formerKeys } =
    collections;
  const { mails, realPersonAudit } = collections;
  const line = (at: number, what: string) => ({ timeline: toFields({ at, what }) as never });
  return {
    async resolve(generationId, resolution, what) {
      const done = await generations.updateOne(
        { _id: generationId, open: false, resolution: null },
        {
          $set: { resolution: toFields(resolution) },
          $push: line(resolution.resolvedAt, what),
        },
      );
      return done.modifiedCount === 1;
    },
    async markTakenDown(generationId, nowMs, what) {
      const now = new Date(nowMs);
      const done = await generations.updateOne(
        {
          _id: generationId,
          status: 'completed',
          'outputs.0': { $exists: true },
          outputsDeletedAt: null,
        },
        {
          $set: { outputsDeletedAt: now, outputsDeleteAt: now, tidyAt: now },
          $push: line(nowMs, what),
        },
      );
      return done.modifiedCount === 1;
    },
    async note(generationId, nowMs, what) {
      await generations.updateOne({ _id: generationId }, { $push: line(nowMs, what) });
    },
    async eraseTraces(accountId, email, keyIds) {
      await sessions.deleteMany({ accountId });
      await confirmations.deleteMany({ $or: [{ accountId }, { email }] });
      await formerKeys.deleteMany({ accountId });
      await customerFactors.deleteOne({ _id: accountId });
      await mails.deleteMany({ to: email });
      await keyUses.deleteMany({ _id: { $in: [...keyIds] } });
      // Who vouched for a likeness stays on record for its time, but not from where.
      await realPersonAudit.updateMany({ accountId }, { $set: { callerAddress: '' } });
    },
  };
}
