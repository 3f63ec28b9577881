import { execFile, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { freePort } from '../../test/support/freePort.ts';
import { stopAll, thisTree, untilAnswers, withBenchWorld } from './benchWorld.ts';
import { writeBenchRoutes } from './benchRoutes.ts';
import { commandsBetween, readCounters, type Counters } from './costs.ts';
import type * as Prepare from './prepare.ts';
import type { TimedArkOrder } from './timedArk.ts';

/**
 * `npm run bench:in-flight -- 5000 [media] [--over SECONDS] [--tree PATH]`: so many generations wait when one worker
 * process begins: what does a start cost? With all of them at the provider at once: how long after the provider's
 * end of one can a client see it? The provider fails them all, so that taking files over is measured apart: with
 * `media` behind the number. `--over` is the period over which they end, as a steady load of generations of this age
 * would; 0 measures starts only. `--tree` measures the gateway of another working tree.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    over: { type: 'string', default: '120' },
    tree: { type: 'string', default: thisTree },
  },
});
const [number = '5000', media = 'no media'] = positionals;
const count = Number(number);
const overMs = Number(values.over) * 1000;
const { tree } = values;
const { countProblems, prepareAccounts } = (await import(
  join(tree, 'lab/bench/prepare.ts')
)) as typeof Prepare;
const accountCount = 200;
const createsAtOnce = 16;
const say = (text: string) => process.stdout.write(`${text}\n`);
const since = (begin: number) => `${((performance.now() - begin) / 1000).toFixed(1)} s`;

async function residentBytes({ pid }: ChildProcess): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1024;
}

/** Bytes of all oplog entries that are still there, which is all of them in a bench. */
async function oplogBytes(client: MongoClient): Promise<number> {
  const sizes = await client
    .db('local')
    .collection('oplog.rs')
    .aggregate<{ bytes: number }>([
      { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
    ])
    .toArray();
  return sizes[0]?.bytes ?? 0;
}

/** Prints what each of the generations cost in between. */
function sayCosts(what: string, before: Counters, after: Counters, bytes: number): void {
  const commands = commandsBetween(before, after).toSorted(([, a], [, b]) => b - a);
  const statements = commands.reduce((sum, [, times]) => sum + times, 0) / count;
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

async function ask<T>(child: ChildProcess, order: TimedArkOrder): Promise<T> {
  const answer = once(child, 'message') as Promise<[T]>;
  child.send(order);
  return (await answer)[0];
}

await withBenchWorld(async ({ uri, dataDir, startScript, startGateway }) => {
  const ark = startScript('timedArk.ts', media);
  const [host] = (await once(ark, 'message')) as [string];
  const port = await freePort();
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'info',
    ...(await writeBenchRoutes(dataDir, host)),
  };
  const accounts = await prepareAccounts(env, accountCount);
  const api = startGateway({ ...env, ROLE: 'api' });
  const origin = `http://127.0.0.1:${port}`;
  await untilAnswers(origin, api);

  const client = await new MongoClient(uri).connect();
  const generations = client.db().collection<{ _id: string }>('generations');
  const seenAt = new Map<string, number>();
  const seen = generations.watch([
    { $match: { 'updateDescription.updatedFields.status': { $in: ['completed', 'failed'] } } },
  ]);
  seen.on('change', (change) => {
    if (change.operationType === 'update') seenAt.set(change.documentKey._id, Date.now());
  });

  const begin = performance.now();
  const ids = new Map<string, string>();
  let next = 0;
  async function createInTurn(): Promise<void> {
    while (next < count) {
      const prompt = `number ${(next += 1)}`;
      const answer = await fetch(`${origin}/v1/videos`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${accounts[next % accounts.length]?.apiKey ?? ''}`,
          'idempotency-key': randomUUID(),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: 'alpha-2.0-fast', mode: 'text-to-video', prompt }),
      });
      if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
      ids.set(prompt, ((await answer.json()) as { id: string }).id);
    }
  }
  await Promise.all(Array.from({ length: createsAtOnce }, createInTurn));
  say(`${count} created after ${since(begin)}`);
  await stopAll([api]);

  const starting = performance.now();
  const bytesBefore = await oplogBytes(client);
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
  sayCosts('a start', atFirst, atProvider, (await oplogBytes(client)) - bytesBefore);
  let most = await residentBytes(worker);
  say(`worker: ${Math.round(most / 1e6)} MB resident`);

  if (overMs === 0) {
    await seen.close();
    await client.close();
    return;
  }
  const ending = performance.now();
  await ask(ark, { overMs });
  while (seenAt.size < count) {
    await pause(1_000);
    most = Math.max(most, await residentBytes(worker));
  }
  say(`all ended ${since(ending)} after the first; the provider took ${overMs / 1000} s`);
  const ends = await ask<[string, number][]>(ark, 'ends');
  const lateMs = ends
    .map(([prompt, endedAt]) => (seenAt.get(ids.get(prompt) ?? '') ?? Infinity) - endedAt)
    .toSorted((a, b) => a - b);
  const at = (part: number) => ((lateMs[Math.floor(part * (count - 1))] ?? 0) / 1000).toFixed(1);
  say(`seen after the provider's end: p50 ${at(0.5)} s, p99 ${at(0.99)} s, at most ${at(1)} s`);
  say(`worker: at most ${Math.round(most / 1e6)} MB resident`);
  const bytes = (await oplogBytes(client)) - bytesBefore;
  sayCosts('start to end', atFirst, await readCounters(client, pid), bytes);
  await seen.close();
  await client.close();
  say(`ledger problems: ${await countProblems(env)}`);
}, tree);
