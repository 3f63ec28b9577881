import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { createModelProvider } from '../properties/modelProvider.ts';
import { type ModelWorld, openModelWorld } from '../properties/modelWorld.ts';
import { video } from '../support/bodies.ts';
import { takeTestDatabase } from '../support/database.ts';
import { plain } from '../support/plainCollection.ts';

const database = takeTestDatabase();
let world: ModelWorld;
let id: string;
beforeAll(async () => {
  world = await openModelWorld(database.uri);
});
afterAll(async () => {
  await world.mongo.close();
  await database.drop();
});
beforeEach(async () => {
  await world.empty();
  const process = world.startProcess(createModelProvider());
  const caller = await world.addAccount();
  await world.grant(caller.accountId, 'purchased', 100, Infinity);
  const body = await process.create(caller, 'a', video());
  id = (JSON.parse(body) as { id: string }).id;
});

const accepted = (number: number) => ({ number, outcome: 'accepted' });
const damages: [string, Record<string, unknown>, string[]][] = [
  [
    'ended while it is queued',
    { step: 'ended' },
    ['I5 is queued and at step ended', 'I5 is at step ended, and workers still look for it'],
  ],
  [
    'has an end already',
    { endedAt: new Date(Date.now() + minuteMs) },
    ['I5 is queued and has an end'],
  ],
  [
    'was started before it was there',
    { startedAt: new Date(0) },
    ['I5 was started before it was created'],
  ],
  [
    'was given away twice',
    { attempts: [accepted(1), accepted(2)] },
    ['I6 was submitted again before an earlier attempt had ended'],
  ],
  [
    'has lost an attempt',
    { attempts: [accepted(2)] },
    ['I6 has attempts that are not numbered one after the other'],
  ],
  [
    'waits and is counted as running',
    { step: 'waiting' },
    ['I4 counts 0 waiting generations, there are 1'],
  ],
];

test.each(damages)('a generation that %s is found, with a remedy', async (_, fields, found) => {
  const clean = await verifyLedger(world);
  expect(clean.problems).toEqual([]);
  await plain(world.mongo.collections.generations).updateOne({ _id: id }, { $set: fields });
  const { problems } = await verifyLedger(world);
  expect(problems.map(({ invariant, problem }) => `${invariant} ${problem}`)).toEqual(found);
  for (const { remedy } of problems) expect(remedy).toMatch(/^(The ledger|Ask|Look up|Run|Set) /);
});
