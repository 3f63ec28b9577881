import { StaleWriteError } from '../../../application/ports/database.ts';
import type { GenerationStore } from '../../../application/ports/generations.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { accountOfScope } from '../../../domain/generations/idempotency.ts';
import type { Collections } from '../collections.ts';
import type { MergedReads } from '../mergedReads.ts';
import { cancelCodec } from '../models/generationParts.ts';
import { createGenerationQueries } from './generationQueries.ts';
import {
  formatHandle,
  generationMove,
  generationUpdate,
  leaseExpired,
  operationIdsOf,
  parseStoredGeneration,
  polledGenerationOf,
  pollFields,
} from './generationWrites.ts';
import { createHistoryQueries } from './historyQueries.ts';
import { createSharedLeases, reservation } from './sharedLeases.ts';
import { createSharedUpdates } from './sharedUpdates.ts';

/**
 * Generations in MongoDB.
 * @param newLeaseName Names a batch of leases, so that the winner can find its documents.
 * @param isRecovering Whether the database has only just become reachable again.
 */
export function createGenerationStore(
  collections: Collections,
  reads: MergedReads,
  clock: Clock,
  newLeaseName: () => string,
  isRecovering: () => boolean,
): GenerationStore {
  const { generations } = collections;
  const write = createSharedUpdates(collections);
  const acquire = createSharedLeases(collections, newLeaseName, isRecovering);
  return {
    ...createGenerationQueries(collections, clock),
    ...createHistoryQueries(collections),
    findView: reads.findView,
    findReplay: reads.findReplay,

    async find(generationId, accountId) {
      const ofAccount = accountId === undefined ? {} : { accountId };
      const document = await generations.findOne({ _id: generationId, ...ofAccount });
      return document && parseStoredGeneration(document);
    },

    async releaseReplay(scope) {
      // Frees only the old generation's scope: another request may have freed and reused it.
      const old = {
        accountId: accountOfScope(scope),
        'replay.scope': scope,
        'replay.keptUntil': { $lte: new Date(clock.now()) },
      };
      await generations.updateOne(old, { $set: { replay: null } });
    },

    acquireLease: ({ id, accountId, epoch }, leaseMs) => acquire({ id, accountId, epoch, leaseMs }),

    async reserveDue(limits, others, reservedMs) {
      const name = newLeaseName();
      const dueAt = { $lte: new Date(clock.now()) };
      const findDue = (providerSlot: string | { $nin: string[] }, limit: number) =>
        generations
          .find(
            { open: true, providerSlot, step: 'submitted', dueAt },
            {
              sort: { dueAt: 1 },
              limit,
              projection: pollFields,
            },
          )
          .toArray();
      // The provider may have left the routes.
      const elsewhere = { $nin: [...others.known] };
      const questions: [string | null, number][] = [...limits, [null, others.limit]];
      const dueOf = await Promise.all(
        questions
          .filter(([, limit]) => limit > 0)
          .map(async ([at, limit]) => [at, await findDue(at ?? elsewhere, limit)] as const),
      );
      const dueCounts = new Map(dueOf.map(([at, each]) => [at, each.length]));
      const dueIds = dueOf.flatMap(([, each]) => each);
      if (dueIds.length === 0) return { reserved: [], dueCounts };
      const these = {
        _id: { $in: dueIds.map(({ _id }) => _id) },
        accountId: { $in: [...new Set(dueIds.map(({ accountId }) => accountId))] },
      };
      const reservedUntil = clock.now() + reservedMs;
      // Still due: another process may have polled one and postponed it since it was found. Its epoch would then differ
      // from the one expected below.
      const result = await generations.updateMany(
        { ...these, open: true, step: 'submitted', dueAt, ...leaseExpired },
        [{ $set: reservation(reservedMs, name) }],
        { hint: '_id_' },
      );
      let mine = dueIds;
      if (result.modifiedCount !== dueIds.length) {
        const won = generations.find(
          { ...these, leasedBy: name },
          { hint: '_id_', projection: { _id: 1 } },
        );
        const wonIds = new Set((await won.toArray()).map(({ _id }) => _id));
        mine = dueIds.filter(({ _id }) => wonIds.has(_id));
      }
      // The update raised each epoch by one, so it need not be read back.
      const reserved = mine.map((document) => {
        const generation = polledGenerationOf(document);
        return { ...generation, dueAt: reservedUntil, epoch: generation.epoch + 1 };
      });
      return { reserved, dueCounts };
    },

    async renewLease({ id, accountId, epoch }, leaseMs, graceMs) {
      const until = { $add: ['$$NOW', leaseMs] };
      // By the trusted time, so that a step of the server's clock takes no work from a live process.
      const inTime = { deadlineAt: { $gt: new Date(clock.now() - graceMs) } };
      const result = await generations.updateOne(
        { _id: id, accountId, open: true, epoch, ...inTime },
        [{ $set: { leaseUntil: until, dueAt: until } }],
      );
      return result.matchedCount === 1;
    },

    async update(generation, change, mustBePastDeadline) {
      const isWritten = await write(generationUpdate({ generation, change, mustBePastDeadline }));
      if (!isWritten) throw new StaleWriteError(generation.id);
      const { step, dueAt, deadlineAt, leaseUntil } = { ...generation, ...change };
      return { step, dueAt, deadlineAt, leaseUntil };
    },

    async putOff(polled) {
      if (polled.length === 0) return;
      await generations.bulkWrite(
        polled.map(({ generation: { id, accountId, epoch }, dueAt }) => ({
          updateOne: {
            filter: { _id: id, accountId, open: true, epoch },
            update: { $set: { dueAt: new Date(dueAt), leaseUntil: new Date(0) } },
          },
        })),
        { ordered: false },
      );
    },

    async recordCancel({ id, accountId }, number, cancel) {
      const attempt = { _id: id, accountId, 'attempts.number': number };
      await generations.updateOne(attempt, {
        $set: { 'attempts.$.cancel': cancelCodec.toStored(cancel) },
      });
    },

    async recordLost({ id, accountId }, { number, operation, operationShown, lost }) {
      const operationIds = operationIdsOf([{ operation }]);
      await generations.updateOne(
        { _id: id, accountId, attempts: { $elemMatch: { number, handle: null } } },
        {
          $set: {
            'attempts.$.handle': formatHandle(operation),
            ...(operationShown !== undefined && { 'attempts.$.operationShown': operationShown }),
            ...(lost && { 'attempts.$.lost': lost }),
          },
          ...(operationIds.length > 0 && {
            $addToSet: { operationIds: { $each: operationIds } },
          }),
        },
      );
    },

    async move({ id, accountId }, from, change) {
      const { filter, update } = generationMove(accountId, { generationId: id, from, change });
      const moved = await generations.updateOne(filter, update);
      return moved.matchedCount === 1;
    },
  };
}
