import { execFile, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { freePort } from '../support/freePort.ts';
import { untilAnswers, withBenchWorld } from './benchWorld.ts';
import { writeBenchRoutes } from './benchRoutes.ts';
import { countProblems, prepareAccounts } from './prepare.ts';
import type { TimedArkOrder } from './timedArk.ts';

/**
 * `npm run bench:in-flight -- 5000`: so many generations at the provider at once and one worker
 * process. How long after the provider's end of one can a client see it? The
 * provider fails them all, so that taking files over is measured apart: with `media` behind the number.
 */
const count = Number(process.argv[2] ?? 5_000);
const media = process.argv[3] ?? 'no media';
/** The period over which they end, as a steady load of generations of this age would. */
const overMs = 120_000;
const accountCount = 200;
const createsAtOnce = 16;
const say = (text: string) => process.stdout.write(`${text}\n`);
const since = (begin: number) => `${((performance.now() - begin) / 1000).toFixed(1)} s`;

async function residentBytes({ pid }: ChildProcess): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1024;
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
  const worker = startGateway({ ...env, ROLE: 'worker' });
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
  while ((await ask<number>(ark, 'count')) < count) await pause(500);
  say(`all at the provider after ${since(begin)}`);
  let most = await residentBytes(worker);
  say(`worker: ${Math.round(most / 1e6)} MB resident`);

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
  await seen.close();
  await client.close();
  say(`ledger problems: ${await countProblems(env)}`);
});
