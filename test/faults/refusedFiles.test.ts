import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { InvalidOutputError } from '@framegate/media/errors';
import type { ProviderOutput } from '@framegate/provider-routes';
import { createWallStores } from '../../gateway/src/adapters/mongo/wall/wallStores.ts';
import { actor } from '../../gateway/src/adapters/system/actor.ts';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { tidyGenerations } from '../../gateway/src/application/generations/end/tidyGenerations.ts';
import { createPoller } from '../../gateway/src/application/generations/run/pollDue.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { deliverRefused } from '../../gateway/src/application/staff/deliverRefused.ts';
import { deleteGenerations } from '../../gateway/src/application/wall/deleteGenerations.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { createMemoryMedia } from '../support/memoryMedia.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  accountOf,
  jobOf,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const id = 'gen_01k00000000000000000000000';
const accountId = 'acct_01k00000000000000000000000';
const day = 24 * 3600_000;
const media = createMemoryMedia();
const { files } = media;
const keysOf = (count: number) => [0, 1, 2].slice(0, count).map((n) => `arrived/${id}/1_${n}.raw`);
const bytes = (text: string): ProviderOutput => ({
  isOnlyCopy: true,
  read: async () => Buffer.from(text),
});
let outputs: ProviderOutput[];
let worker: WorkProcess;
let other: WorkProcess;

/** Refuses a file whose text is `bad`. */
const storeOutput: AppCore['storeOutput'] = async (_key, output, _wanted, signal) => {
  const data = await output.read(signal);
  const parts: Uint8Array[] = [];
  for await (const part of data instanceof Uint8Array ? [data] : data) parts.push(part);
  if (Buffer.concat(parts).toString() === 'bad') {
    throw new InvalidOutputError('not a picture', { bytes: 3, sha256: 'bad' });
  }
  return { mediaType: 'image/png', bytes: 1, sha256: 'x', measures: { width: 8, height: 6 } };
};
const routes = routesOf({
  image: [routeTo('images', { submit: async () => ({ kind: 'completed', outputs }) })],
  video: [routeTo('videos', { poll: async () => ({ kind: 'completed', outputs }) })],
});
const opened = useWorkProcesses(2, {
  routes,
  media: media.store,
  storeOutput,
  refusedKeptMs: day,
  timings: { ...defaultTimings, provenAfterMs: 0 },
  promptsKeptMs: 30 * day,
});
beforeAll(() => {
  [worker, other] = opened() as [WorkProcess, WorkProcess];
});
beforeEach(async () => {
  files.clear();
  media.isAway = false;
  outputs = ['left', 'bad', 'right'].map(bytes);
  await worker.mongo.database.accounts.insert(accountOf(accountId, worker.mongo.clock.now(), 1));
});

const find = async () => (await worker.mongo.database.generations.find(id)) as Generation;
const never = new AbortController().signal;
const startImages = () => {
  const parameters = { n: 3, output_format: 'png' } as never;
  const more = { model: 'image', type: 'image', step: 'ready', parameters } as const;
  return store(worker.mongo, [workGeneration(id, accountId, worker.mongo.clock.now(), more)]);
};
const run = (deps: AppCore) => runGeneration(deps, jobOf(id, accountId), never);
const startVideo = () => {
  const nowMs = worker.mongo.clock.now();
  const more = { step: 'submitted', status: 'processing', startedAt: nowMs, dueAt: nowMs } as const;
  const attempts = [acceptedBy('videos', nowMs)];
  return store(worker.mongo, [
    workGeneration(id, accountId, nowMs, { model: 'video', attempts, ...more }),
  ]);
};
const poll = async () => {
  await worker.mongo.collections.generations.updateOne(
    { _id: id },
    { $set: { dueAt: new Date(0), leaseUntil: new Date(0) } },
  );
  const poller = createPoller(worker.deps, never);
  await poller.pollDue(never);
  await poller.drain();
};
const tidy = (laterMs: number) => {
  const clock = { ...worker.deps.clock, now: () => worker.mongo.clock.now() + laterMs };
  return tidyGenerations({ ...worker.deps, clock }, never);
};

describe('a set of pictures of which one cannot be read', () => {
  test('is kept as it arrived, each file with its own figures, until its retention ends', async () => {
    await startImages();
    await run(worker.deps);
    const [left, bad, right] = keysOf(3);
    expect(await find()).toMatchObject({
      status: 'failed',
      attempts: [
        {
          lost: { reason: 'invalid_output' },
          refused: {
            files: [
              { key: left, bytes: 4, head: Buffer.from('left').toString('hex'), width: 8 },
              { key: bad, problem: 'not a picture' },
              { key: right, width: 8, height: 6 },
            ],
          },
        },
      ],
    });
    expect(Object.fromEntries(files)).toEqual({
      [left ?? '']: 'left',
      [bad ?? '']: 'bad',
      [right ?? '']: 'right',
    });
    const alert = worker.heard.lines.find(({ fields }) => fields['alert'] === 'paid_result_lost');
    expect(alert?.fields).toMatchObject({
      keptUntil: expect.any(String),
      page: expect.any(String),
    });
    await tidy(day - minuteMs);
    expect([...files.keys()]).toEqual(keysOf(3));
    await tidy(day + minuteMs);
    expect([...files.keys()]).toEqual([]);
  });

  test('is delivered without that one', async () => {
    await startImages();
    await run(worker.deps);
    const order = { generationId: id, credits: 0, by: 'staff', requestId: 'req_1' };
    const delivery = await deliverRefused(worker.deps, order);
    await runGeneration(other.deps, jobOf(delivery, accountId), never);
    const made = await worker.mongo.database.generations.find(delivery);
    expect(made).toMatchObject({ status: 'completed', outputs: [{}, {}], costCredits: 0 });
    expect([...files.keys()]).toEqual(keysOf(3));
  });

  test('is kept once when its process dies between keeping and the end', async () => {
    await startImages();
    const dead = Promise.withResolvers<undefined>();
    const reachFaultPoint = (point: FaultPoint) => {
      if (point !== 'refuse.afterKept') return;
      dead.resolve(undefined);
      return new Promise<void>(() => undefined);
    };
    void run({ ...worker.deps, reachFaultPoint });
    await dead.promise;
    await worker.mongo.collections.generations.updateOne(
      { _id: id },
      { $set: { leaseUntil: new Date(0) } },
    );
    await run(other.deps);
    expect(await find()).toMatchObject({ status: 'failed', attempts: [{ refused: {} }] });
    expect([...files.keys()]).toEqual(keysOf(3));
  });

  test('is removed when its owner deletes the generation', async () => {
    await startImages();
    await run(worker.deps);
    const { wall } = createWallStores(worker.mongo);
    const account = await worker.mongo.database.accounts.find(accountId);
    if (!account) throw new Error('the account is gone');
    const shares = { remove: async () => undefined } as never;
    await deleteGenerations(
      { ...worker.deps, actor, wall, shares },
      { account, personId: accountId },
      [id],
    );
    expect([...files.keys()]).toEqual([]);
    const order = { generationId: id, credits: 0, by: 'staff', requestId: 'req_1' };
    await expect(deliverRefused(worker.deps, order)).rejects.toThrow('result_deleted');
  });
});

describe('a video that is refused', () => {
  test('is refunded without its file when its host does not serve it again', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads > 3) throw new Error('gone');
      return Buffer.from('bad');
    };
    outputs = [{ host: 'files.example', read }];
    await startVideo();
    // A single bad file proves nothing.
    for (let polls = 0; polls < 3; polls += 1) await poll();
    const end = await find();
    expect(end).toMatchObject({ status: 'failed', attempts: [{ lost: {} }] });
    expect(end.attempts[0]?.refused).toBeUndefined();
    expect(reads).toBe(6);
  });

  test('waits for the store before it ends, within its grace', async () => {
    outputs = [bytes('bad')];
    media.isAway = true;
    await startVideo();
    await poll();
    expect(await find()).toMatchObject({ step: 'submitted' });
    media.isAway = false;
    await poll();
    expect(await find()).toMatchObject({
      status: 'failed',
      attempts: [{ refused: { files: [{ key: keysOf(1)[0], problem: 'not a picture' }] } }],
    });
  });
});

test('pictures that cannot be cleaned in time are kept when they are given up', async () => {
  const starved: AppCore['storeOutput'] = async () => {
    throw new Error('no child');
  };
  await startImages();
  const late = { runningDeadlineMs: () => 0, timings: { ...defaultTimings, deadlineGraceMs: 0 } };
  await run({ ...worker.deps, ...late, storeOutput: starved });
  expect(await find()).toMatchObject({
    status: 'failed',
    attempts: [{ lost: { reason: 'not_stored' }, refused: { files: [{}, {}, {}] } }],
  });
  expect([...files.keys()]).toEqual(keysOf(3));
});

test('nothing is kept if the operator has turned that off', async () => {
  await startImages();
  await run({ ...worker.deps, refusedKeptMs: 0 });
  expect(await find()).toMatchObject({ status: 'failed', attempts: [{ lost: {} }] });
  expect([...files.keys()]).toEqual([]);
});
