import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { freePort } from '../../test/support/freePort.ts';
import { stopAll, thisTree, untilAnswers, withBenchWorld } from './benchWorld.ts';
import { writeBenchRoutes } from './benchRoutes.ts';
import { commandsBetween, readCounters } from './costs.ts';
import type * as Prepare from './prepare.ts';

/**
 * `npm run bench:rest -- [--seconds N] [--creates N] [--workers N] [--tree PATH]`: how many statements one api and its
 * workers execute while nobody asks for anything, and how soon after its create a video is ordered at its
 * provider and its end is seen. `--tree` measures the gateway of another working tree.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    creates: { type: 'string', default: '200' },
    workers: { type: 'string', default: '3' },
    tree: { type: 'string', default: thisTree },
  },
});
const { tree } = values;
const forMs = Number(values.seconds) * 1000;
const creates = Number(values.creates);
const { prepareAccounts } = (await import(join(tree, 'lab/bench/prepare.ts'))) as typeof Prepare;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function countAtRest(client: MongoClient, workers: number): Promise<void> {
  const before = await readCounters(client, process.pid);
  await pause(forMs);
  const rates = commandsBetween(before, await readCounters(client, process.pid))
    .map(([name, count]) => ({ name, perSecond: count / (forMs / 1000) }))
    .toSorted((a, b) => b.perSecond - a.perSecond);
  const sum = rates.reduce((all, { perSecond }) => all + perSecond, 0);
  const each = rates.map(({ name, perSecond }) => `${name} ${perSecond.toFixed(2)}`).join(', ');
  say(`| at rest, 1 api + ${workers} worker | ${sum.toFixed(1)} statements/s | ${each} |`);
}

/** A provider that says when it was asked, and ends a task after its second look. */
function startProvider() {
  const orderedAt = new Map<string, number>();
  let number = 0;
  const server = createServer((request, response) => {
    const at = performance.now();
    void (async () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.method !== 'POST') {
        response.end(JSON.stringify({ id: 'x', status: 'running' }));
        return;
      }
      const order = (await readJson(request)) as { content: { text: string }[] };
      orderedAt.set(order.content[0]?.text ?? '', at);
      response.end(JSON.stringify({ id: `cgt-${(number += 1)}` }));
    })();
  });
  return { server, orderedAt };
}

const quantile = (sorted: readonly number[], part: number) =>
  (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(0);

await withBenchWorld(async ({ uri, dataDir, startGateway }) => {
  const { server, orderedAt } = startProvider();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(await writeBenchRoutes(dataDir, host)),
    PORT: String(await freePort()),
  };
  const [account] = await prepareAccounts(env, 1);
  const origin = `http://127.0.0.1:${env.PORT}`;
  const api = startGateway({ ...env, ROLE: 'api' });
  await untilAnswers(origin, api);
  const children: ChildProcess[] = [api];
  const startWorker = async () =>
    children.push(startGateway({ ...env, ROLE: 'worker', PORT: String(await freePort()) }));
  const client = await new MongoClient(uri).connect();
  await startWorker();
  await pause(15_000);
  await countAtRest(client, 1);

  const waited: number[] = [];
  for (let number = 0; number < creates; number += 1) {
    await pause(200 + Math.random() * 300);
    const prompt = `number ${number}`;
    const begin = performance.now();
    const answer = await fetch(`${origin}/v1/videos`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account?.apiKey ?? ''}`,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'alpha-2.0-fast', mode: 'text-to-video', prompt }),
    });
    if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
    while (!orderedAt.has(prompt)) await pause(2);
    waited.push((orderedAt.get(prompt) ?? 0) - begin);
  }
  waited.sort((a, b) => a - b);
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(waited, part));
  say(`| create to order, ${creates} times | p50 ${p50} ms | p99 ${p99} ms, at most ${most} ms |`);
  // Generations in flight would be polled: that is not rest.
  await client.db().collection('generations').deleteMany({});
  await client.db().collection('agendaJobs').deleteMany({ name: 'generation.run' });
  for (let workers = 2; workers <= Number(values.workers); workers += 1) {
    await startWorker();
    await pause(15_000);
    await countAtRest(client, workers);
  }
  await client.close();
  await stopAll(children);
  server.close();
}, tree);
