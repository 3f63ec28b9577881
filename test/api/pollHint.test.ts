import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { catalogue, hourMs, minuteMs } from '@framegate/contract';
import { createDurationStats } from '../../gateway/src/application/generations/durationStats.ts';
import { pollHintFor } from '../../gateway/src/application/generations/presentGeneration.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { plain } from '../support/plainCollection.ts';

const [busy = '', rare = ''] = catalogue.filter(({ type }) => type === 'video').map(({ id }) => id);

let gateway: TestGateway;
let template: Record<string, unknown>;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  const account = await gateway.addAccount();
  const { json } = await account.post('/v1/videos', video());
  const { generations } = gateway.collections;
  template = { ...(await generations.findOne({ _id: String(json['id']) })), replay: null };
});

afterAll(() => gateway.stop());

beforeEach(async () => {
  await gateway.collections.generations.deleteMany({});
});

interface Ended {
  model: string;
  seconds: number;
  endedMsAgo: number;
  waitedMs?: number;
  size?: { resolution: string; duration_seconds: number } | undefined;
}

/** Stores `count` ended generations. */
async function store(count: number, ended: (index: number) => Ended): Promise<void> {
  const { clock, collections, random } = gateway;
  const nowMs = clock.now();
  const documents = Array.from({ length: count }, (_, index) => {
    const { model, seconds, endedMsAgo, waitedMs = 0, size } = ended(index);
    const endedAt = nowMs - endedMsAgo;
    const startedAt = endedAt - seconds * 1000;
    return {
      ...template,
      _id: random.newId('gen'),
      model,
      status: 'completed',
      step: 'ended',
      open: false,
      waits: false,
      ...(size && { parameters: { ...(template['parameters'] as object), ...size } }),
      createdAt: new Date(startedAt - waitedMs),
      startedAt: new Date(startedAt),
      endedAt: new Date(endedAt),
    };
  });
  await plain(collections.generations).insertMany(documents);
}

/** The knowledge of a process that starts now. */
async function statsNow() {
  const { log } = collectLog();
  const stats = createDurationStats({ ...gateway, log, models: () => catalogue });
  await stats.refresh();
  stats.stop();
  return stats;
}

test('a busy model does not hide the history of another', async () => {
  await store(1500, (index) => ({ model: busy, seconds: 31, endedMsAgo: index * 10 }));
  await store(10, (index) => ({ model: rare, seconds: 7, endedMsAgo: (60 + index) * minuteMs }));
  const stats = await statsNow();
  expect([stats.usual(busy).median, stats.usual(rare).median]).toEqual([31, 7]);
});

test('newer durations replace old ones, which stop counting after a day', async () => {
  await store(150, (index) => ({ model: busy, seconds: 90, endedMsAgo: (200 + index) * minuteMs }));
  await store(101, (index) => ({ model: busy, seconds: 30, endedMsAgo: index * minuteMs }));
  await store(10, () => ({ model: rare, seconds: 7, endedMsAgo: 25 * hourMs }));
  const stats = await statsNow();
  expect(stats.usual(busy).median).toBe(30);
  expect(stats.usual(rare).median).toBe(catalogue.find(({ id }) => id === rare)?.typicalSeconds);
});

test('short and long videos of a model have separate histories, and a rare size uses the history of the model', async () => {
  const sizes = [
    { resolution: '480p', duration_seconds: 4 },
    { resolution: '1080p', duration_seconds: 12 },
  ];
  await store(60, (index) => ({
    model: busy,
    seconds: index % 3 === 0 ? 20 : 180,
    endedMsAgo: index * minuteMs,
    size: sizes[index % 3 === 0 ? 0 : 1],
  }));
  const stats = await statsNow();
  const medianOf = (resolution: string, seconds: number) =>
    stats.usual(busy, { resolution, duration_seconds: seconds } as never).median;
  expect([medianOf('480p', 4), medianOf('1080p', 12), medianOf('720p', 9)]).toEqual([20, 180, 180]);
});

test('waiting in a queue does not affect the model, and the hint begins when the wait ends', async () => {
  await store(20, () => ({ model: busy, seconds: 20, endedMsAgo: 10, waitedMs: 3600_000 }));
  const durations = await statsNow();
  expect(durations.usual(busy).median).toBe(20);
  const { clock, database, collections } = gateway;
  const id = gateway.random.newId('gen');
  const nowMs = clock.now();
  await plain(collections.generations).insertOne({
    ...template,
    _id: id,
    model: busy,
    createdAt: new Date(nowMs - minuteMs),
    status: 'queued',
    step: 'waiting',
    startedAt: null,
    endedAt: null,
  });
  const random = { ...gateway.random, fraction: () => 0 };
  const hint = async () => {
    const view = await database.generations.findView(id);
    if (!view) throw new Error('the generation is gone');
    return pollHintFor({ clock: { ...clock, now: () => nowMs }, random, durations }, view);
  };
  const first = durations.usual(busy).plan()[0];
  expect(await hint()).toBe(first);
  const started = { status: 'processing', step: 'submitted', startedAt: new Date(nowMs - 20_000) };
  await plain(collections.generations).updateOne({ _id: id }, { $set: started });
  expect(await hint()).toBeLessThanOrEqual(5);
});
