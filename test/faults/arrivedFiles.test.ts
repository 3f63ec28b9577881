import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { InvalidOutputError } from '@framegate/media/errors';
import { recordErasure } from '../../gateway/src/adapters/mongo/accounts/erasureStore.ts';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { eraseGenerations } from '../../gateway/src/application/generations/end/eraseGenerations.ts';
import { tidyGenerations } from '../../gateway/src/application/generations/end/tidyGenerations.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { takeDown } from '../../gateway/src/application/staff/generationActions.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { mediaPurposes } from '../../gateway/src/domain/generations/mediaUrl.ts';
import { createMemoryMedia } from '../support/memoryMedia.ts';
import { until } from '../support/until.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  accountOf,
  jobOf,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const id = 'gen_1';
const keys = [`arrived/${id}/1_0.raw`, `arrived/${id}/1_1.raw`];
const day = 24 * 3600_000;
const media = createMemoryMedia();
const { files } = media;
/** The bytes of each cleaned file, as text. */
let cleaned: string[];
let submits: number;
let storeOutput: AppCore['storeOutput'];
let stop: AbortController;
let worker: WorkProcess;
let other: WorkProcess;

const outputs = ['left', 'right'].map((content) => ({
  isOnlyCopy: true as const,
  read: async () => Buffer.from(content),
}));
const routes = routesOf({
  image: [
    routeTo('images', {
      submit: async () => {
        submits += 1;
        return { kind: 'completed', outputs };
      },
    }),
  ],
});

/** Cleans a file, and records its content. */
const clean: AppCore['storeOutput'] = async (_key, output, _wanted, signal) => {
  const data = await output.read(signal);
  cleaned.push(await text(Readable.from(data instanceof Uint8Array ? [data] : data)));
  return { mediaType: 'image/png', bytes: 1, sha256: 'x', measures: {} };
};
/** A machine that cleans nothing until its process must stop. */
const starved: AppCore['storeOutput'] = (_key, _output, _wanted, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const opened = useWorkProcesses(2, {
  routes,
  timings: { ...defaultTimings, leaseMs: 30_000 },
  media: media.store,
  storeOutput: (...args) => storeOutput(...args),
});
beforeAll(() => {
  [worker, other] = opened() as [WorkProcess, WorkProcess];
});
beforeEach(async () => {
  files.clear();
  cleaned = [];
  submits = 0;
  media.isAway = false;
  storeOutput = clean;
  stop = new AbortController();
  const nowMs = worker.mongo.clock.now();
  await worker.mongo.database.accounts.insert(accountOf('acct_1', nowMs, 1));
  const order = { model: 'image', type: 'image', step: 'ready' } as const;
  const parameters = { n: 2, output_format: 'png' } as never;
  await store(worker.mongo, [workGeneration(id, 'acct_1', nowMs, { ...order, parameters })]);
});

const find = async () => (await worker.mongo.database.generations.find(id)) as Generation;
const run = (more: Partial<AppCore> = {}) =>
  runGeneration({ ...worker.deps, ...more }, jobOf(id), stop.signal);
const runOther = () => runGeneration(other.deps, jobOf(id), new AbortController().signal);
const expire = () =>
  worker.mongo.collections.generations.updateOne(
    { _id: id },
    { $set: { leaseUntil: new Date(0) } },
  );

/** Runs it in a process that dies at a step: the process falls silent, and its lease expires. */
async function dieAt(point: FaultPoint): Promise<void> {
  const dead = Promise.withResolvers<undefined>();
  const reachFaultPoint = (reached: FaultPoint) => {
    if (reached !== point) return;
    dead.resolve(undefined);
    return new Promise<void>(() => undefined);
  };
  void run({ reachFaultPoint });
  await dead.promise;
  await expire();
}

describe('images that have arrived', () => {
  test('are kept unchanged, with their attempt, before they are cleaned', async () => {
    storeOutput = async (...args) => {
      expect([...files]).toEqual([
        [keys[0], 'left'],
        [keys[1], 'right'],
      ]);
      const attempts = [{ outcome: 'completed', arrived: { keys } }];
      expect(await find()).toMatchObject({ status: 'processing', step: 'submitted', attempts });
      return clean(...args);
    };
    await run();
    expect(await find()).toMatchObject({ status: 'completed' });
    expect(cleaned).toEqual(['left', 'right']);
  });

  test.each(['arrive.afterStored', 'arrive.afterNoted', 'complete.afterStored'] as const)(
    'are delivered by another process when theirs dies at %s',
    async (point) => {
      await dieAt(point);
      cleaned = [];
      await runOther();
      expect(await find()).toMatchObject({ status: 'completed', outputs: [{}, {}] });
      expect([cleaned, submits]).toEqual([['left', 'right'], 1]);
    },
  );

  test('are refunded when their process dies before all of them are kept', async () => {
    await dieAt('arrive.afterStored');
    files.delete(keys[1] ?? '');
    await runOther();
    expect(await find()).toMatchObject({ status: 'failed', attempts: [{ outcome: 'unknown' }] });
    expect([...files]).toEqual([]);
  });

  test('are refunded at once when a restored database names files that are gone', async () => {
    await dieAt('arrive.afterNoted');
    files.clear();
    await runOther();
    const failed = { status: 'failed', failure: { code: 'internal_error' } };
    expect(await find()).toMatchObject({
      ...failed,
      attempts: [{ lost: { reason: 'file_missing' } }],
    });
    expect(other.heard.lost).toHaveLength(1);
  });

  test('are left to another process when their own must stop', async () => {
    storeOutput = starved;
    const running = run();
    await until(async () => (await find()).step === 'submitted');
    stop.abort(new Error('the process is stopping'));
    await running;
    const { leaseUntil, dueAt } = await find();
    expect([leaseUntil, dueAt <= worker.mongo.clock.now()]).toEqual([0, true]);
    expect(worker.heard.lost).toEqual([]);
    storeOutput = clean;
    await runOther();
    expect(await find()).toMatchObject({ status: 'completed' });
    expect(submits).toBe(1);
  });

  test('are kept in the last moments of a process whose store was unavailable before', async () => {
    media.isAway = true;
    storeOutput = starved;
    const running = run();
    await until(() =>
      worker.heard.lines.some(({ message }) => /^failed to (keep|store)/.test(message)),
    );
    media.isAway = false;
    stop.abort(new Error('the process is stopping'));
    await running;
    expect(await find()).toMatchObject({ step: 'submitted', attempts: [{ arrived: { keys } }] });
    expect(worker.heard.lost).toEqual([]);
  });

  test('are delivered from memory while the store takes none of them', async () => {
    media.isAway = true;
    await run();
    expect(await find()).toMatchObject({ status: 'completed' });
    expect(cleaned).toEqual(['left', 'right']);
  });

  test('are retried until the deadline while the store does not answer', async () => {
    await dieAt('arrive.afterStored');
    media.isAway = true;
    await expect(runOther()).rejects.toThrow('the bucket is away');
    expect(await find()).toMatchObject({ step: 'submitting' });
    media.isAway = false;
    await expire();
    await runOther();
    expect(await find()).toMatchObject({ status: 'completed' });
  });

  test('are not reported as lost when another process has taken them', async () => {
    const taken: Promise<unknown>[] = [];
    storeOutput = async (...args) => {
      storeOutput = clean;
      await expire();
      taken.push(runOther());
      await Promise.all(taken);
      return clean(...args);
    };
    await run();
    expect(await find()).toMatchObject({ status: 'completed' });
    expect([worker.heard.lost, other.heard.lost]).toEqual([[], []]);
  });
});

describe('the arrived files are removed', () => {
  const expectNothingLeft = async () => {
    expect([...files.keys()]).toEqual([]);
    expect((await find()).attempts.filter(({ arrived }) => arrived)).toEqual([]);
  };

  test('when they are delivered', async () => {
    await run();
    await expectNothingLeft();
  });

  test('when they are not as ordered', async () => {
    storeOutput = async () => {
      throw new InvalidOutputError('a picture of 1 pixel');
    };
    await run();
    expect(await find()).toMatchObject({ status: 'failed' });
    await expectNothingLeft();
  });

  test('by upkeep, erasure and takedown, where the end could not', async () => {
    const removals: Record<string, () => Promise<unknown>> = {
      upkeep: () => {
        const later = {
          ...worker.deps.clock,
          now: () => worker.mongo.clock.now() + day + minuteMs,
        };
        return tidyGenerations({ ...worker.deps, clock: later }, stop.signal);
      },
      erasing: async () => {
        const noted = { accountId: 'acct_1', person: null, traces: [] };
        await recordErasure(worker.mongo.collections, noted);
        await eraseGenerations(worker.deps, stop.signal, 'acct_1');
      },
      'taking down': () =>
        takeDown({ ...worker.deps, staffWrites: { markTakenDown: async () => true } }, id, 'staff'),
    };
    await run({
      media: { ...media.store, delete: async () => Promise.reject(new Error('away')) },
    });
    for (const [name, remove] of Object.entries(removals)) {
      for (const key of keys) files.set(key, name);
      await remove();
      expect([name, ...files.keys()]).toEqual([name]);
    }
  });
});

test('the arrived files have no address', () => {
  expect(mediaPurposes.filter((purpose) => keys.some((key) => key.startsWith(purpose)))).toEqual(
    [],
  );
});
