import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { freePort } from '../../test/support/freePort.ts';
import { head, listed, row, say } from '../figures.ts';
import { readOptions } from '../options.ts';
import { untilAnswers, withBenchWorld } from './benchWorld.ts';
import { writeBenchRoutes } from './benchRoutes.ts';
import { pace, videoShot, type Shot } from './load.ts';
import { countProblems, prepareAccounts } from './prepare.ts';

/**
 * `npm run soak -- [--minutes N] [--per-second N] [--media]`: one api and one worker under a steady load of creates
 * and reads, whose results take 5 s at their provider. Memory, open files, event-loop delay and collections without a
 * history must not rise: it prints each one's line through the samples. The first quarter of the time is warm-up.
 */
const { values } = readOptions({ minutes: 60, 'per-second': 20, media: false });
const forMs = values.minutes * 60_000;
const perSecond = values['per-second'];
const sampleEveryMs = 5_000;
/** Reads for each create. */
const readsEach = 4;
const accountCount = 50;
/** Collections that grow with what was made, for good or for a long time. */
const histories = new Set(['generations', 'ledger', 'keyUses', 'deliveries']);

/** Values of one moment, by name. */
type Sample = Map<string, number>;

const measured = {
  process_resident_memory_bytes: { name: 'memory, MB', unit: 1e6 },
  nodejs_heap_size_used_bytes: { name: 'heap used, MB', unit: 1e6 },
  process_open_fds: { name: 'open files', unit: 1 },
  nodejs_active_handles_total: { name: 'handles', unit: 1 },
  nodejs_eventloop_lag_p99_seconds: { name: 'event-loop delay p99, ms', unit: 1e-3 },
};

async function sampleProcess(sample: Sample, role: string, port: number): Promise<void> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  for (const [metric, { name, unit }] of Object.entries(measured)) {
    const value = new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1];
    if (value !== undefined) sample.set(`${role}: ${name}`, Number(value) / unit);
  }
}

async function sampleDatabase(sample: Sample, client: MongoClient): Promise<void> {
  for (const { name } of await client.db().listCollections({}, { nameOnly: true }).toArray()) {
    if (histories.has(name)) continue;
    sample.set(`documents: ${name}`, await client.db().collection(name).estimatedDocumentCount());
  }
}

async function sampleFiles(sample: Sample, dataDir: string): Promise<void> {
  const files = await readdir(dataDir, { recursive: true }).catch(() => []);
  const passing = files.filter((name) => !/(outputs|posters)/.test(name));
  sample.set('files in DATA_DIR that are no results', passing.length);
}

/** The straight line through the samples of a value, by least squares. @returns its mean, and its rise per hour. */
function lineThrough(points: readonly [ms: number, value: number][]) {
  const mean = (numbers: number[]) =>
    numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
  const [middle, level] = [mean(points.map(([at]) => at)), mean(points.map(([, each]) => each))];
  const over = mean(points.map(([at, each]) => (at - middle) * (each - level)));
  const spread = mean(points.map(([at]) => (at - middle) ** 2));
  return { level, perHour: spread === 0 ? 0 : (over / spread) * 3_600_000 };
}

await withBenchWorld(async ({ uri, dataDir, startScript, startGateway }) => {
  const ark = startScript('timedArk.ts', values.media ? 'media' : 'no media', '5000');
  const [host] = (await once(ark, 'message')) as [string];
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...(await writeBenchRoutes(dataDir, host)),
  };
  const accounts = await prepareAccounts({ ...env, PORT: '1' }, accountCount);
  const [port, ofApi, ofWorker] = [await freePort(), await freePort(), await freePort()];
  const api = startGateway({
    ...env,
    ROLE: 'api',
    PORT: String(port),
    METRICS_PORT: String(ofApi),
  });
  startGateway({ ...env, ROLE: 'worker', METRICS_PORT: String(ofWorker) });
  const origin = `http://127.0.0.1:${port}`;
  await untilAnswers(origin, api);
  const client = await new MongoClient(uri).connect();

  const begin = performance.now();
  let sent = 0;
  const next = (): Shot => {
    const { apiKey = '' } = accounts[(sent += 1) % accounts.length] ?? {};
    if (sent % (readsEach + 1) === 0) return videoShot(apiKey, `soak ${sent}`);
    const headers = { authorization: `Bearer ${apiKey}` };
    return { method: 'GET', path: '/v1/credits/balance', headers };
  };
  const load = pace({ origin, perSecond: perSecond * (readsEach + 1), forMs, next });
  const samples: [ms: number, Sample][] = [];
  while (performance.now() - begin < forMs) {
    await pause(sampleEveryMs);
    const sample: Sample = new Map();
    await sampleProcess(sample, 'api', ofApi);
    await sampleProcess(sample, 'worker', ofWorker);
    await sampleDatabase(sample, client);
    await sampleFiles(sample, dataDir);
    samples.push([performance.now() - begin, sample]);
  }
  const { perSecond: answered, p50, p99, statuses } = await load;
  say(
    `${perSecond} creates and ${perSecond * readsEach} reads a second for ${values.minutes} minutes: ${answered.toFixed(0)} answers a second, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${listed(statuses)}\n`,
  );
  const warm = samples.filter(([at]) => at > forMs / 4);
  const names = [...new Set(warm.flatMap(([, sample]) => [...sample.keys()]))];
  const unchanged: string[] = [];
  say(head(['value', 'mean', 'first', 'last', 'rise per hour']));
  for (const name of names) {
    const points = warm.flatMap(([at, sample]): [number, number][] => {
      const value = sample.get(name);
      return value === undefined ? [] : [[at, value]];
    });
    if (points.every(([, value]) => value === points[0]?.[1])) {
      unchanged.push(name);
      continue;
    }
    const { level, perHour } = lineThrough(points);
    const numbers = [level, points[0]?.[1] ?? 0, points.at(-1)?.[1] ?? 0, perHour];
    say(row([name, ...numbers.map((each) => each.toFixed(1))]));
  }
  say(`\nUnchanged: ${unchanged.join(', ')}`);
  const generations = client.db().collection('generations');
  while ((await generations.countDocuments({ open: true })) > 0) await pause(500);
  await client.close();
  say(`\nledger problems: ${await countProblems({ ...env, PORT: '1' })}`);
});
