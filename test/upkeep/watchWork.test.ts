import { afterAll, afterEach, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { createWorkStore } from '../../gateway/src/adapters/mongo/generations/workStore.ts';
import type { WorkWatch } from '../../gateway/src/application/ports/upkeep.ts';
import { watchWork } from '../../gateway/src/application/upkeep/watchWork.ts';
import { takeTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { jobOf } from '../support/workWorld.ts';
import { useTwoProcesses } from './twoProcesses.ts';
import { type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
afterAll(() => database.drop());
const processes = useTwoProcesses(database.uri);
const leaseMs = 1_500;
let watches: WorkWatch[] = [];

afterEach(async () => {
  await Promise.all(watches.map((watch) => watch.stop()));
  watches = [];
  await processes().first.mongo.collections.leases.deleteMany({});
});

/** A worker of this process: it polls all that is due, as long as it is well. */
function startWorker({ mongo, deps }: UpkeepProcess) {
  const { collections, clock, processId } = mongo;
  const state = { isWell: true, polls: 0, leaves: false, runs: 0, mails: 0 };
  const watch = watchWork(
    {
      work: createWorkStore(collections, clock, processId),
      log: deps.log,
      mayWork: () => state.isWell,
      lookEveryMs: 250,
      leaseMs,
    },
    {
      async runDue() {
        state.runs += 1;
      },
      async poll() {
        state.polls += 1;
        if (state.leaves) return;
        const later = { $set: { dueAt: new Date(clock.now() + dayMs) } };
        await collections.generations.updateMany({ dueAt: { $lte: new Date(clock.now()) } }, later);
      },
      async sendMails() {
        state.mails += 1;
        await collections.mails.deleteMany({});
      },
    },
  );
  watches.push(watch);
  return { state, leads: () => watch.leads(), stop: () => watch.stop() };
}

/** Makes a generation's poll due, and waits until it was polled. */
async function pollOne(worker: UpkeepProcess): Promise<void> {
  const { clock, collections } = worker.mongo;
  const submitted = { step: 'submitted', status: 'processing', dueAt: clock.now() } as const;
  const [id = ''] = await worker.addGenerations(1, 'acct_1', () => submitted);
  const isPolled = async () =>
    ((await collections.generations.findOne({ _id: id }))?.['dueAt'] as Date).getTime() >
    clock.now();
  await until(isPolled, 'it was polled');
}

test('one of two workers polls and sends emails; both run jobs', async () => {
  const { first, second } = processes();
  const one = startWorker(first);
  await until(one.leads, 'it leads');
  const other = startWorker(second);
  for (let count = 0; count < 5; count += 1) await pollOne(first);
  await first.mongo.collections.mails.insertOne({
    _id: 'mail_1',
    to: 'ada@people.example',
    subject: 'A letter',
    attempts: 0,
    createdAt: new Date(0),
    validUntil: new Date(0),
    goneAt: new Date(first.mongo.clock.now() + dayMs),
    nextAttemptAt: new Date(0),
  });
  await until(() => one.state.mails === 1, 'the mail is sent');
  await first.deps.database.jobs.wake(jobOf('gen_01kaaaaaaaaaaaaaaaaaaaaaaa'));
  await until(() => one.state.runs > 0 && other.state.runs > 0, 'both find the job');
  expect(one.state.polls).toBeGreaterThanOrEqual(5);
  expect([other.state.polls, other.state.mails, other.leads()]).toEqual([0, 0, false]);
});

test('the lease of a suspended worker goes to another, and is not taken back', async () => {
  const { first, second } = processes();
  const one = startWorker(first);
  await until(one.leads, 'it leads');
  const other = startWorker(second);
  one.state.isWell = false;
  const stoodAt = performance.now();
  await until(other.leads, 'the other leads');
  expect(performance.now() - stoodAt).toBeGreaterThan(leaseMs / 2);
  one.state.isWell = true;
  const before = one.state.polls;
  for (let count = 0; count < 3; count += 1) await pollOne(first);
  expect([one.state.polls - before, one.leads(), other.leads()]).toEqual([0, false, true]);
});

test('a stopping worker releases the lease', async () => {
  const { first, second } = processes();
  const one = startWorker(first);
  await until(one.leads, 'it leads');
  const other = startWorker(second);
  await one.stop();
  const lease = await first.mongo.collections.leases.findOne({});
  expect([lease?.['until'], one.leads()]).not.toEqual([null, true]);
  await until(other.leads, 'the other leads');
  await pollOne(first);
});

test('generations that the holder neglects are polled by the others', async () => {
  const { first, second } = processes();
  const full = startWorker(first);
  full.state.leaves = true;
  await until(full.leads, 'it leads');
  const other = startWorker(second);
  await pollOne(first);
  expect(other.state.polls).toBeGreaterThan(0);
  expect([full.leads(), other.leads()]).toEqual([true, false]);
});
