import { randomUUID } from 'node:crypto';
import { dayMs, hourMs, isJsonObject, minuteMs } from '@framegate/contract';
import type { ErasureLease, ErasureStore } from '../../../application/ports/erasure.ts';
import type { Clock } from '../../../application/ports/system.ts';
import type { ErasedPerson, ErasedTraces } from '../../../domain/accounts/erasure.ts';
import { quotesOfPrompt } from '../../../domain/generations/quotesOfPrompt.ts';
import { backoffMs, jitter } from '../../../domain/time/backoff.ts';
import type { Collections } from '../collections.ts';
import { parseStoredGeneration } from '../generations/generationWrites.ts';
import { erasureCodec } from '../models/erasures.ts';
import type { InTransaction, RunTransaction } from '../transactions.ts';
import { eraseTraces } from './eraseTraces.ts';

/** How long a lease holds, in ms: longer than a round of upkeep including its overtime. */
const leaseMs = minuteMs;
/** Pauses after passes with failures. */
const pace = { firstMs: 20_000, maxMs: 6 * hourMs };

/** How long to search for an erased person, in ms: 30 days, in which a backup or a late write may restore data. */
const soughtMs = 30 * dayMs;

/** Erasures by account id. `dueAt` is when one may be leased: the end of a lease or of a pause, null when done. */
export function createErasureStore(
  collections: Collections,
  clock: Pick<Clock, 'now'>,
  runTransaction: RunTransaction,
): ErasureStore {
  const { erasures, generations } = collections;
  return {
    async find(accountId) {
      const document = await erasures.findOne({ _id: accountId });
      return document && erasureCodec.fromStored(document);
    },

    async acquireLease(accountId) {
      const nowMs = clock.now();
      const document = await erasures.findOneAndUpdate(
        {
          ...(accountId !== undefined && { _id: accountId }),
          // The partial index starts at the epoch.
          dueAt: { $gt: new Date(0), $lte: new Date(nowMs) },
        },
        { $set: { lease: randomUUID(), dueAt: new Date(nowMs + leaseMs) } },
        { sort: { dueAt: 1 }, returnDocument: 'after' },
      );
      return document && (erasureCodec.fromStored(document) as ErasureLease);
    },

    eraseTraces: async ({ id, person }) =>
      person === null ? [] : eraseTraces(collections, id, person),

    async recordTraces({ id, lease }, traces) {
      const fields = { areTracesGone: true, lease: null, dueAt: new Date(clock.now()) };
      await erasures.updateOne(
        { _id: id, lease },
        { $set: fields, $push: { traces: { $each: [...traces] } } },
      );
    },

    async loadPage({ id, after }, limit) {
      const documents = await generations
        .find(
          { accountId: id, _id: { $gt: after }, open: false },
          // The history's index, read backwards: each page starts where the last one ended.
          { sort: { accountId: -1, _id: 1 }, hint: 'history', limit, projection: { responses: 0 } },
        )
        .toArray();
      return {
        generations: documents.flatMap((document) =>
          document.erased === true ? [] : [parseStoredGeneration(document)],
        ),
        lastId: documents.at(-1)?._id ?? null,
      };
    },

    async record({ id, lease, after: before }, { erased, failed, after }) {
      const now = new Date(clock.now());
      await runTransaction(async (options) => {
        const result = await erasures.updateOne(
          { _id: id, lease },
          [
            {
              $set: {
                after,
                dueAt: now,
                lease: null,
                count: { $add: ['$count', erased.length] },
                failed: { $add: ['$failed', failed] },
                ...(failed > 0 && { retryAfter: { $ifNull: ['$retryAfter', before] } }),
              },
            },
          ],
          options,
        );
        // After a lost lease, another process restarts this page.
        if (result.matchedCount === 0 || erased.length === 0) return;
        await generations.updateMany(
          { _id: { $in: [...erased] }, open: false },
          withoutPerson(now),
          options,
        );
      });
    },

    async endPass({ id, lease, failed, attempts, retryAfter }) {
      const nowMs = clock.now();
      const pauseMs = jitter(backoffMs(pace, attempts + 1), Math.random());
      const end = {
        doneAt: new Date(nowMs),
        dueAt: null,
        soughtUntil: new Date(nowMs + soughtMs),
      };
      const next = {
        after: retryAfter ?? '',
        failed: 0,
        retryAfter: null,
        attempts: attempts + 1,
        dueAt: new Date(nowMs + pauseMs),
      };
      const $set = { ...(failed === 0 ? end : next), lease: null };
      await erasures.updateOne({ _id: id, lease }, { $set });
    },
  };
}

/**
 * Records an erasure, due immediately, in the transaction of its account. A repeated one is due again and starts over
 * if it was finished; a leased one continues.
 */
export async function recordErasure(
  { erasures }: Pick<Collections, 'erasures'>,
  {
    accountId,
    person,
    traces,
  }: { accountId: string; person: ErasedPerson | null; traces: readonly ErasedTraces[] },
  options?: InTransaction,
): Promise<void> {
  // Slightly earlier, so that it is due by any process's clock.
  const dueFrom = { $subtract: ['$$NOW', 1_000] };
  const runningExpression = { $eq: [{ $type: '$doneAt' }, 'null'] };
  const keepField = (field: string, otherwise: unknown) => ({ $ifNull: [`$${field}`, otherwise] });
  const freeExpression = { $eq: [keepField('lease', null), null] };
  const unlessRunning = (field: string, value: unknown) => ({
    $cond: [runningExpression, `$${field}`, value],
  });
  await erasures.updateOne(
    { _id: accountId },
    [
      {
        $set: {
          after: unlessRunning('after', ''),
          failed: unlessRunning('failed', 0),
          retryAfter: unlessRunning('retryAfter', null),
          attempts: unlessRunning('attempts', 0),
          count: keepField('count', 0),
          traces: { $concatArrays: [keepField('traces', []), [...traces]] },
          ...(person
            ? { person, areTracesGone: false }
            : {
                person: keepField('person', null),
                areTracesGone: keepField('areTracesGone', true),
              }),
          startedAt: keepField('startedAt', '$$NOW'),
          dueAt: { $cond: [freeExpression, dueFrom, '$dueAt'] },
          lease: keepField('lease', null),
          doneAt: null,
          checkedAt: null,
          foundAt: keepField('foundAt', null),
          soughtUntil: keepField('soughtUntil', null),
        },
      },
    ],
    { ...options, upsert: true },
  );
}

/** The stages that remove personal data from ended generations. */
function withoutPerson(now: Date) {
  return [
    ...promptRemoved(now),
    {
      $set: {
        inputs: [],
        storedInputs: null,
        replay: null,
        madeBy: '$$REMOVE',
        erased: true,
        realPerson: {
          $cond: [
            objectExpression('$realPerson'),
            { $mergeObjects: ['$realPerson', { callerAddress: '' }] },
            null,
          ],
        },
      },
    },
  ];
}

const objectExpression = (field: string) => ({ $eq: [{ $type: field }, 'object'] });
const presentExpression = (field: string) => ({ $ne: [{ $type: field }, 'missing'] });

/** The stages that remove the prompt with everything that may quote it, and mark the outputs as deleted. */
export function promptRemoved(now: Date) {
  const filled = { $gt: [{ $size: { $ifNull: ['$outputs', []] } }, 0] };
  const { inputs, parameters, attempts, ...values } = quotesOfPrompt;
  return [
    {
      $set: {
        ...values,
        inputs: { $map: { input: '$inputs', in: clearFields('$$this', inputs[0]) } },
        parameters: clearFields('$parameters', parameters),
        attempts: { $map: { input: '$attempts', in: clearFields('$$this', attempts[0]) } },
        outputsRemovedAt: { $cond: [filled, { $ifNull: ['$outputsRemovedAt', now] }, null] },
      },
    },
  ];
}

/** The record with the values of the list for the fields that it has. */
function clearFields(record: string, list: object): object {
  const changes = (Object.entries(list) as [string, unknown][]).map(([name, value]) => {
    const part = `${record}.${name}`;
    if (!isJsonObject(value)) return { $cond: [presentExpression(part), { [name]: value }, {}] };
    return { $cond: [objectExpression(part), { [name]: clearFields(part, value) }, {}] };
  });
  return { $mergeObjects: [record, ...changes] };
}
