import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { quantile, sum } from '@framegate/contract';
import { freePort } from '../../test/support/freePort.ts';
import { say, seconds, since } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { writeBenchRoutes } from './benchRoutes.ts';
import { stopAll, withBenchWorld } from './benchWorld.ts';
import { commandsBetween, type Counters, readCounters } from './costs.ts';
import { videoShot } from './load.ts';
import { countProblems, prepareAccounts } from './prepare.ts';
import type { TimedArkRequest } from './timedArk.ts';

/**
 * `npm run bench:in-flight -- 5000 [--media] [--over SECONDS]`: measures the cost of a start while so many
 * generations wait for one worker process, and, with all of them at the provider at once, the time from the provider's
 * end of one until a client can see it. The provider fails them all, so that taking files over is measured apart, with
 * `--media`. `--over` is the period over which they end, as a steady load of generations of this age would; 0 measures
 * starts only.
 */
const { values, words } = parseOptions({ media: false, over: 120 }, true);
const count = Number(words[0] ?? 5000);
const overMs = values.over * 1000;
const accountCount = 200;
const createsAtOnce = 16;

async function readResidentBytes({ pid }: ChildProcess): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1024;
}

/** Bytes of all current oplog entries; a bench keeps all of them. */
async function readOplogBytes(client: MongoClient): Promise<number> {
  const sizes = await client
    .db('local')
    .collection('oplog.rs')
    .aggregate<{ bytes: number }>([
      { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
    ])
    .toArray();
  return sizes[0]?.bytes ?? 0;
}

/** Prints the cost of each generation in between. */
function sayCosts(what: string, before: Counters, after: Counters, bytes: number): void {
  const commands = commandsBetween(before, after).toSorted(([, a], [, b]) => b - a);
  const statements = sum(commands.map(([, times]) => times)) / count;
  const listed = commands
    .filter(([, times]) => times / count >= 0.01)
    .map(([name, times]) => `${name} ${(times / count).toFixed(2)}`);
  const each = (ms: number) => (ms / count).toFixed(2);
  const [worker, mongod] = [after.serverMs - before.serverMs, after.mongodMs - before.mongodMs];
  say(
    `${what}: worker ${each(worker)} ms, mongod ${each(mongod)} ms, ${statements.toFixed(2)} statements ` +
      `(${listed.join(', ')}), ${Math.round(bytes / count)} bytes of oplog`,
  );
}

async function ask<T>(child: ChildProcess, request: TimedArkRequest): Promise<T> {
  const response = once(child, 'message') as Promise<[T]>;
  child.send(request);
  return (await response)[0];
}

await withBenchWorld(async ({ uri, dataDir, startScript, startGateway, startApi }) => {
  const ark = startScript('timedArk.ts', values.media ? 'media' : 'no media');
  const [host] = (await once(ark, 'message')) as [string];
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    ...(await writeBenchRoutes(dataDir, host)),
  };
  const accounts = await prepareAccounts(env, accountCount);
  const { origin, child: api } = await startApi(env);

  const client = await new MongoClient(uri).connect();
  const generations = client.db().collection<{ _id: string }>('generations');
  const seenAt = new Map<string, number>();
  const seen = generations.watch([
    { $match: { 'updateDescription.updatedFields.status': { $in: ['completed', 'failed'] } } },
  ]);
  seen.on('change', (change) => {
    if (change.operationType === 'update') seenAt.set(change.documentKey._id, Date.now());
  });

  const startedAt = performance.now();
  const ids = new Map<string, string>();
  let next = 0;
  async function createInTurn(): Promise<void> {
    while (next < count) {
      const prompt = `number ${(next += 1)}`;
      const create = videoShot(accounts[next % accounts.length]?.apiKey ?? '', prompt);
      const response = await fetch(origin + create.path, create);
      if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
      ids.set(prompt, ((await response.json()) as { id: string }).id);
    }
  }
  await Promise.all(Array.from({ length: createsAtOnce }, createInTurn));
  say(`${count} created after ${since(startedAt)}`);
  await stopAll([api]);

  const starting = performance.now();
  const bytesBefore = await readOplogBytes(client);
  const worker = startGateway({ ...env, ROLE: 'worker' });
  const pid = worker.pid ?? 0;
  while ((await ask<number>(ark, 'count')) === 0) await pause(20);
  const first = performance.now();
  const atFirst = await readCounters(client, pid);
  while ((await ask<number>(ark, 'count')) < count) await pause(100);
  const perSecond = count / ((performance.now() - first) / 1000);
  say(
    `all at the provider ${since(starting)} after the worker's start: ${perSecond.toFixed(0)} starts/s`,
  );
  await pause(1_000);
  const atProvider = await readCounters(client, pid);
  sayCosts('a start', atFirst, atProvider, (await readOplogBytes(client)) - bytesBefore);
  let maxBytes = await readResidentBytes(worker);
  say(`worker: ${Math.round(maxBytes / 1e6)} MB resident`);

  if (overMs === 0) {
    await seen.close();
    await client.close();
    return;
  }
  const ending = performance.now();
  await ask(ark, { overMs });
  while (seenAt.size < count) {
    await pause(1_000);
    maxBytes = Math.max(maxBytes, await readResidentBytes(worker));
  }
  say(`all ended ${since(ending)} after the first; the provider took ${overMs / 1000} s`);
  const ends = await ask<[string, number][]>(ark, 'ends');
  const lateMs = ends.map(
    ([prompt, endedAt]) => (seenAt.get(ids.get(prompt) ?? '') ?? Infinity) - endedAt,
  );
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => seconds(quantile(lateMs, part)));
  say(`seen after the provider's end: p50 ${p50}, p99 ${p99}, at most ${max}`);
  say(`worker: at most ${Math.round(maxBytes / 1e6)} MB resident`);
  const bytes = (await readOplogBytes(client)) - bytesBefore;
  sayCosts('start to end', atFirst, await readCounters(client, pid), bytes);
  await seen.close();
  await client.close();
  say(`ledger problems: ${await countProblems(env)}`);
});
