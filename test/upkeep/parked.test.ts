import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createGenerationQueries } from '../../gateway/src/adapters/mongo/generations/generationQueries.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  const account = await gateway.addAccount();
  const { json } = await account.post('/v1/videos', video());
  const { collections, clock } = gateway;
  const found = await collections.generations.findOne({ _id: String(json['id']) });
  const nowMs = clock.now();
  const parked = Array.from({ length: 500 }, (_, index) => ({
    ...found,
    _id: `gen ${index}`,
    replay: null,
    step: 'parked',
    waits: true,
    providerSlot: null,
    leaseUntil: new Date(0),
    // Some have the same deadline.
    dueAt: new Date(nowMs + Math.floor(index / 5) * 1_000),
    // Two in ten were last decided long ago.
    waitsFor: { providers: ['a', 'b'], at: new Date(index % 10 < 2 ? nowMs - 90_000 : nowMs) },
  }));
  await plain(collections.generations).insertMany(parked);
});
afterAll(() => gateway.stop());

test('parked generations are polled page by page, and the outdated ones among them are found', async () => {
  const { collections, clock, db } = gateway;
  const queries = createGenerationQueries(collections, clock);
  const found: string[] = [];
  const read = await profile(db, ['generations'], async () => {
    for (let pages = 0; pages < 6; pages += 1) {
      const page = await queries.findParkedCheckedBefore(clock.now() - minuteMs, 100);
      found.push(...page.map(({ id }) => id));
    }
  });
  expect(new Set(found).size).toBe(100);
  // The first page follows the last one.
  expect(found.length).toBeGreaterThanOrEqual(100);
  expect(found.filter((id) => !['0', '1'].includes(id.at(-1) ?? ''))).toEqual([]);
  expect(read.filter(({ documents, keys }) => Math.max(documents, keys) > 110)).toEqual([]);
  const again = await queries.findParkedCheckedBefore(clock.now() - minuteMs, 100);
  expect(again.length).toBeGreaterThan(0);
});

test('the next parked generation of a provider is read by one key', async () => {
  const { collections, clock, db } = gateway;
  const queries = createGenerationQueries(collections, clock);
  const read = await profile(db, ['generations'], async () => {
    expect(await queries.findNextParked('b', '')).toMatchObject({ id: 'gen 0' });
    expect(await queries.findNextParked('none', '')).toBeNull();
  });
  expect(read.filter(({ documents, keys }) => documents > 1 || keys > 1)).toEqual([]);
});
