import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createGenerationStore } from '../../gateway/src/adapters/mongo/generations/generationStore.ts';
import { createMergedReads } from '../../gateway/src/adapters/mongo/mergedReads.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/* Two lanes find the same due generations at one moment: each is polled by one of them. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(() => gateway.stop());

const [limits, others, reservedMs] = [
  new Map([['ark', 10]]),
  { known: ['ark'], limit: 10 },
  30_000,
];

test('a generation polled and postponed by another lane is not taken again', async () => {
  const { database, clock, collections } = gateway;
  const account = await gateway.addAccount();
  const { json } = await account.post('/v1/videos', video());
  const id = String(json['id']);
  const due = {
    step: 'submitted',
    providerSlot: 'ark',
    dueAt: new Date(0),
    leaseUntil: new Date(0),
  } as const;
  await collections.generations.updateOne({ _id: id }, { $set: due });

  const putOffUntil = clock.now() + minuteMs;
  const betweenFindAndUpdate = async () => {
    const { reserved } = await database.generations.reserveDue(limits, others, reservedMs);
    const [polled] = reserved;
    if (!polled) throw new Error('the other task found nothing');
    await database.generations.putOff([{ generation: polled, dueAt: putOffUntil }]);
  };
  const generations = new Proxy(collections.generations, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'updateMany') return value.bind(target) as unknown;
      return async (...args: unknown[]) => {
        await betweenFindAndUpdate();
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  const ours = { ...collections, generations };
  const task = createGenerationStore(ours, createMergedReads(ours), clock, randomUUID, () => false);

  const { reserved, dueCounts } = await task.reserveDue(limits, others, reservedMs);
  expect(reserved).toEqual([]);
  // The result existed: the task asks again.
  expect(dueCounts.get('ark')).toBe(1);
  const after = await collections.generations.findOne({ _id: id });
  expect(after).toMatchObject({ dueAt: new Date(putOffUntil), leaseUntil: new Date(0) });
});
