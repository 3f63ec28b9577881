import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { holdsCommits, killInsideTransaction } from '../../test/faults/killInsideTransaction.ts';
import { startFakeImages } from '../../test/support/fakeImages.ts';
import { freePort } from '../../test/support/freePort.ts';
import { formatCounts, head, row, say, seconds } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { type BenchWorld, type StartedServer, stopAll, withBenchWorld } from './benchWorld.ts';
import { readCounters } from './costs.ts';
import {
  createShot,
  load,
  type LoadRequest,
  type LoadResult,
  runPaced,
  type Spread,
  videoShot,
} from './load.ts';
import { type BenchAccount, countProblems, prepareAccounts } from './prepare.ts';

/**
 * `npm run bench:processes -- [--seconds N] [--parts creates,killed,results]`: effects of several
 * processes on one database on each other, as Markdown tables.
 */
const { values } = parseOptions({ seconds: 8, parts: 'creates,killed,results' });
const parts = values.parts.split(',');
const forMs = values.seconds * 1000;
const processCounts = [1, 2, 4];
const spreads: readonly Spread[] = ['by connection', 'by key'];

const ms = (value: number) => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
const sayResult = (what: string, { perSecond, p50, p99, statuses }: LoadResult) =>
  say(row([what, perSecond.toFixed(0), ms(p50), ms(p99), formatCounts(statuses)]));

const loads = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');

/** Creates in turn for each of the accounts. */
function inTurn(accounts: readonly BenchAccount[]): () => LoadRequest {
  let turn = 0;
  return () => videoShot(accounts[(turn += 1) % accounts.length]?.apiKey ?? '');
}

/** Settings of the processes of one part, which has a database of its own. */
const envOf = ({ uri, dataDir }: BenchWorld, part: string): Record<string, string> => ({
  MONGODB_URI: uri.replace('/bench?', `/bench_${part}?`),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
});

/** Figures of one account or many, with several processes; costs are for one create request. */
async function measureCreatesOverProcesses(world: BenchWorld, accountCount: number): Promise<void> {
  const client = await new MongoClient(world.uri).connect();
  for (const count of processCounts) {
    const env = envOf(world, `creates_${accountCount}_${count}`);
    const accounts = await prepareAccounts(env, accountCount);
    const apis: StartedServer[] = [];
    for (let number = 0; number < count; number += 1) apis.push(await world.startApi(env));
    const children = apis.map(({ child }) => child);
    const pids = children.map(({ pid }) => pid ?? 0);
    const origins = apis.map(({ origin }) => origin);
    const options = { origins, connections: 32, next: inTurn(accounts) };
    await load({ ...options, forMs: 4_000 });
    for (const spread of count === 1 ? (['by key'] as const) : spreads) {
      const before = await readCounters(client, ...pids);
      const { perSecond, p99, statuses } = await load({ ...options, spread, forMs });
      const after = await readCounters(client, ...pids);
      const created = statuses['202'] ?? 0;
      const each = (name: 'serverMs' | 'mongodMs' | 'committed' | 'aborted') =>
        ((after[name] - before[name]) / created).toFixed(2);
      const costs = [each('serverMs'), each('mongodMs'), each('committed'), each('aborted')];
      const what = [String(accountCount), String(count), count === 1 ? '' : spread];
      say(row([...what, ...costs, perSecond.toFixed(0), ms(p99), formatCounts(statuses)]));
    }
    await stopAll(children);
    await expectClean(env);
  }
  await client.close();
}

const lockedCount = 2;
const freeCount = 40;

async function measureKilledInTransaction(world: BenchWorld): Promise<void> {
  const env = envOf(world, 'killed');
  const accounts = await prepareAccounts(env, lockedCount + freeCount);
  const victim = await world.startApi({ ...env, ...holdsCommits });
  const other = await world.startApi(env);
  const options = { origin: other.origin, next: inTurn(accounts.slice(lockedCount)) };
  const steady = { ...options, perSecond: 60 };
  await runPaced({ ...steady, forMs: 3_000 });
  sayResult('60 creates/s on 40 accounts, before', await runPaced({ ...steady, forMs }));
  await killInsideTransaction({
    uri: env['MONGODB_URI'] ?? '',
    victim: { origin: victim.origin, pid: victim.child.pid ?? 0 },
    accounts: accounts.slice(0, lockedCount),
  });
  // Customers of the locked accounts continue, with one create a second.
  const locked = {
    ...options,
    next: inTurn(accounts.slice(0, lockedCount)),
    perSecond: lockedCount,
  };
  const [after, ofLocked] = await Promise.all([
    runPaced({ ...steady, forMs: 20_000 }),
    runPaced({ ...locked, forMs: 20_000 }),
  ]);
  sayResult(
    `the same, a process killed inside a transaction on ${lockedCount} other accounts`,
    after,
  );
  sayResult(`creates on the ${lockedCount} locked accounts meanwhile`, ofLocked);
  await stopAll([other.child]);
}

const resultCount = 300;

async function measureFinishedResults(world: BenchWorld, each: number): Promise<void> {
  const images = await startFakeImages();
  const provider = {
    kind: 'ai-sdk',
    package: '@ai-sdk/openai',
    factory: 'createOpenAI',
    apiKeyEnv: 'IMAGES_API_KEY',
    allowPrivateNetwork: true,
    maxConcurrent: 1_000,
    rewriteOrigins: { 'https://api.openai.com': images.origin },
  };
  const models = { 'image-a-2': [{ provider: 'images', model: 'gpt-image-1' }] };
  const routesFile = join(world.dataDir, 'routes.json');
  await writeFile(routesFile, JSON.stringify({ providers: { images: provider }, models }));
  const env: Record<string, string> = {
    ...envOf(world, `results_${each}`),
    ROUTES_FILE: routesFile,
    IMAGES_API_KEY: 'bench',
  };
  const [account] = await prepareAccounts(env, 1);
  const children: ChildProcess[] = [];
  const origins: string[] = [];
  for (let number = 0; number < each; number += 1) {
    const api = await world.startApi(env);
    origins.push(api.origin);
    const port = String(await freePort());
    children.push(api.child, world.startGateway({ ...env, PORT: port, ROLE: 'worker' }));
  }
  const body = { model: 'image-a-2', prompt: 'A boat [takes 300 ms]' };
  const creates: Record<string, number> = {};
  const startedAt = performance.now();
  let next = 0;
  const createInTurn = async () => {
    while (next < resultCount) {
      const origin = origins[(next += 1) % origins.length] ?? '';
      const shot = createShot(account?.apiKey ?? '', '/v1/images', body);
      const { status } = await fetch(origin + shot.path, shot);
      creates[status] = (creates[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, createInTurn));
  const client = await new MongoClient(env['MONGODB_URI'] ?? '').connect();
  const generations = client.db().collection('generations');
  while ((await generations.countDocuments({ open: true })) > 0) await pause(500);
  const completed = await generations.countDocuments({ status: 'completed' });
  await client.close();
  const took = seconds(performance.now() - startedAt, 0);
  const paid = images.accepted('');
  const summary = `creates ${formatCounts(creates)}; all ended after ${took}`;
  const what = `results lost of those paid for, ${each} api + ${each} worker`;
  say(row([what, '', '', '', `${paid - completed} of ${paid} (${summary})`]));
  await stopAll(children);
  await images.close();
  await expectClean(env);
}

async function expectClean(env: Record<string, string>): Promise<void> {
  const problems = await countProblems(env);
  if (problems > 0) throw new Error(`${problems} ledger problems: fast and wrong does not count`);
}

await withBenchWorld(async (world) => {
  say(`load average at the start: ${loads()}\n`);
  if (parts.includes('creates')) {
    const costs = ['api ms', 'mongod ms', 'commits', 'aborts'];
    say(head(['accounts', 'api', 'spread', ...costs, 'req/s', 'p99', 'responses']));
    for (const count of [1, 8, 100]) await measureCreatesOverProcesses(world, count);
    say('');
  }
  say(head(['what', 'req/s', 'p50', 'p99', 'responses']));
  if (parts.includes('killed')) await measureKilledInTransaction(world);
  if (parts.includes('results')) {
    for (const each of [1, 2]) await measureFinishedResults(world, each);
  }
  say(`\nload average at the end: ${loads()}`);
});
