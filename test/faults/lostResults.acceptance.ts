import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { InvalidOutputError } from '@framegate/media/errors';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { createPoller } from '../../gateway/src/application/generations/run/pollDue.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { until } from '../support/until.ts';
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

const id = 'gen_1';
const stored = { mediaType: 'video/mp4', bytes: 1, sha256: 'x', measures: {} };
const outputs = [{ isOnlyCopy: true as const, read: async () => new Uint8Array() }];
/** An image provider, which answers with the result, and a video provider that has finished. */
const routes = routesOf({
  image: [routeTo('images', { submit: async () => ({ kind: 'completed', outputs }) })],
  video: [routeTo('videos', { poll: async () => ({ kind: 'completed', outputs }) })],
});
const timings = { ...defaultTimings, leaseMs: 3_000, deadlineGraceMs: 1_500 };
let storeOutput: AppCore['storeOutput'];
let runningDeadlineMs = 3600_000;
let stop: AbortController;
let worker: WorkProcess;
let other: WorkProcess;

const opened = useWorkProcesses(2, {
  routes,
  timings,
  runningDeadlineMs: () => runningDeadlineMs,
  storeOutput: (...args) => storeOutput(...args),
});
beforeAll(() => {
  [worker, other] = opened() as [WorkProcess, WorkProcess];
});
beforeEach(async () => {
  runningDeadlineMs = 3600_000;
  stop = new AbortController();
  await worker.mongo.database.accounts.insert(accountOf('acct_1', worker.mongo.clock.now(), 1));
});

const find = async () => (await worker.mongo.database.generations.find(id)) as Generation;
const startImage = () => {
  const nowMs = worker.mongo.clock.now();
  return store(worker.mongo, [
    workGeneration(id, 'acct_1', nowMs, { model: 'image', step: 'ready' }),
  ]);
};
/** A video with its deadline in 300 ms, finished at its provider. */
const startVideo = () => {
  const nowMs = worker.mongo.clock.now();
  return store(worker.mongo, [
    workGeneration(id, 'acct_1', nowMs - minuteMs, {
      model: 'video',
      step: 'submitted',
      status: 'processing',
      startedAt: nowMs - minuteMs,
      dueAt: nowMs,
      deadlineAt: nowMs + 300,
      attempts: [acceptedBy('videos', nowMs)],
    }),
  ]);
};
const poll = async (deps = worker.deps) => {
  const poller = createPoller(deps, stop.signal);
  await poller.pollDue(stop.signal);
  await poller.drain();
};
const alerts = () =>
  worker.heard.lines.filter(({ level, fields }) => level === 'error' && 'alert' in fields);
/** A store that neither answers nor fails, until its caller gives up. */
const silent: AppCore['storeOutput'] = (_key, _output, _wanted, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
const failing = (times: number): AppCore['storeOutput'] => {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw new Error('the bucket is away');
    return stored;
  };
};

describe('a result that exists in memory alone', () => {
  test('is delivered when the store fails for longer than a few attempts', async () => {
    storeOutput = failing(5);
    await startImage();
    await runGeneration(worker.deps, jobOf(id), stop.signal);
    expect(await find()).toMatchObject({ status: 'completed' });
    expect(worker.heard.lost).toEqual([]);
  });

  test('is given up at the end of the grace after its deadline, refunded and reported', async () => {
    runningDeadlineMs = 500;
    storeOutput = failing(Infinity);
    await startImage();
    await runGeneration(worker.deps, jobOf(id), stop.signal);
    const lost = { reason: 'not_stored', note: 'the bucket is away' };
    expect(await find()).toMatchObject({
      status: 'failed',
      failure: { code: 'internal_error' },
      attempts: [{ outcome: 'completed', lost }],
    });
    expect(alerts()).toMatchObject([
      {
        fields: {
          alert: 'paid_result_lost',
          generationId: id,
          provider: 'images',
          attempt: 1,
          reason: 'not_stored',
        },
      },
    ]);
    expect(worker.heard.lost).toEqual([{ provider: 'images', reason: 'not_stored' }]);
  });

  test('is also given up then if the store never responds', async () => {
    runningDeadlineMs = 500;
    storeOutput = silent;
    await startImage();
    await runGeneration(worker.deps, jobOf(id), stop.signal);
    expect(await find()).toMatchObject({ status: 'failed', attempts: [{ lost: {} }] });
    expect(worker.heard.lost).toEqual([{ provider: 'images', reason: 'not_stored' }]);
  });

  test('is reported when its process must stop', async () => {
    let attempts = 0;
    storeOutput = async () => {
      attempts += 1;
      throw new Error('the bucket is away');
    };
    await startImage();
    const run = runGeneration(worker.deps, jobOf(id), stop.signal);
    await until(() => attempts > 1);
    stop.abort(new Error('the process is stopping'));
    await run;
    expect(await find()).toMatchObject({
      status: 'failed',
      step: 'ended',
      attempts: [{ outcome: 'completed', lost: { reason: 'process_stopped' } }],
    });
    expect(worker.heard.lost).toEqual([{ provider: 'images', reason: 'process_stopped' }]);
  });

  test('is reported when another process has already ended the generation', async () => {
    storeOutput = async () => {
      // As after a stall: the lease has expired, and another process takes over.
      const { generations } = worker.mongo.collections;
      await generations.updateOne({ _id: id }, { $set: { leaseUntil: new Date(0) } });
      await runGeneration(other.deps, jobOf(id), stop.signal);
      return stored;
    };
    await startImage();
    await runGeneration(worker.deps, jobOf(id), stop.signal);
    expect(await find()).toMatchObject({ status: 'failed', attempts: [{ outcome: 'unknown' }] });
    expect(worker.heard.lost).toEqual([{ provider: 'images', reason: 'lease_lost' }]);
    expect(alerts().map(({ fields }) => fields['reason'])).toEqual(['lease_lost']);
    expect(worker.heard.lines).toContainEqual(
      expect.objectContaining({
        message: 'lease was lost: another process has taken over or ended the generation',
      }),
    );
  });

  test('that differs from the order is reported', async () => {
    storeOutput = async () => {
      throw new InvalidOutputError('a picture of 1 pixel');
    };
    await startImage();
    await runGeneration(worker.deps, jobOf(id), stop.signal);
    expect(await find()).toMatchObject({
      status: 'failed',
      failure: { code: 'generation_failed' },
      attempts: [{ lost: { reason: 'invalid_output', note: 'a picture of 1 pixel' } }],
    });
    expect(worker.heard.lost).toEqual([{ provider: 'images', reason: 'invalid_output' }]);
  });
});

describe('a video that was finished just before its deadline', () => {
  test('is delivered when its files can be fetched within the grace', async () => {
    let attempts = 0;
    storeOutput = async () => {
      attempts += 1;
      const isEarly = worker.mongo.clock.now() < (await find()).deadlineAt;
      if (attempts === 1 || isEarly) throw new Error('not yet');
      return stored;
    };
    const deps = { ...worker.deps, timings: { ...timings, deadlineGraceMs: minuteMs } };
    await startVideo();
    await until(async () => {
      await poll(deps);
      return (await find()).step === 'ended';
    });
    expect(attempts).toBeGreaterThan(1);
    expect(await find()).toMatchObject({ status: 'completed' });
  });

  test('ends, refunded and reported, when its store stays silent', async () => {
    storeOutput = silent;
    await startVideo();
    await until(async () => {
      await poll();
      return (await find()).step === 'ended';
    });
    expect(await find()).toMatchObject({
      status: 'failed',
      failure: { code: 'generation_timeout' },
      attempts: [{ outcome: 'completed', lost: { reason: 'not_stored' } }],
    });
    expect(worker.heard.lost).toEqual([{ provider: 'videos', reason: 'not_stored' }]);
  });

  test('is ended by another process when its work hangs', async () => {
    const released = Promise.withResolvers<typeof stored>();
    let hangs = false;
    storeOutput = () => {
      hangs = true;
      return released.promise;
    };
    await startVideo();
    const hanging = createPoller(worker.deps, stop.signal);
    await hanging.pollDue(stop.signal);
    await until(() => hangs);
    storeOutput = failing(Infinity);
    await until(async () => {
      await runGeneration(other.deps, jobOf(id), stop.signal);
      return (await find()).step === 'ended';
    });
    expect(await find()).toMatchObject({ status: 'failed', epoch: 3 });
    released.resolve(stored);
    await hanging.drain();
    expect(await find()).toMatchObject({ status: 'failed', epoch: 3 });
  });
});
