import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { quantile, sum } from '@framegate/contract';
import { freePort } from '../../test/support/freePort.ts';
import { head, row, say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { writeBenchRoutes } from './benchRoutes.ts';
import { stopAll, withBenchWorld } from './benchWorld.ts';
import { commandsBetween, readCounters } from './costs.ts';
import { videoShot } from './load.ts';
import { prepareAccounts } from './prepare.ts';

/**
 * `npm run bench:rest -- [--seconds N] [--creates N] [--workers N]`: how many statements one api and its
 * workers execute while no one asks for anything, and how soon after its create a video is ordered at its provider.
 */
const { values } = parseOptions({ seconds: 60, creates: 200, workers: 3 });
const { creates } = values;
const forMs = values.seconds * 1000;

async function countAtRest(client: MongoClient, workers: number): Promise<void> {
  const before = await readCounters(client, process.pid);
  await pause(forMs);
  const rates = commandsBetween(before, await readCounters(client, process.pid))
    .map(([name, count]) => ({ name, perSecond: count / (forMs / 1000) }))
    .toSorted((a, b) => b.perSecond - a.perSecond);
  const total = sum(rates.map(({ perSecond }) => perSecond));
  const each = rates.map(({ name, perSecond }) => `${name} ${perSecond.toFixed(2)}`).join(', ');
  say(row([`at rest, 1 api + ${workers} worker`, `${total.toFixed(1)} statements/s`, each]));
}

/** A provider that records the time of each order, and ends none. */
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

await withBenchWorld(async ({ uri, dataDir, startGateway, startApi }) => {
  const { server, orderedAt } = startProvider();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(await writeBenchRoutes(dataDir, host)),
  };
  const [account] = await prepareAccounts(env, 1);
  const { origin, child: api } = await startApi(env);
  const children: ChildProcess[] = [api];
  const startWorker = async () =>
    children.push(startGateway({ ...env, ROLE: 'worker', PORT: String(await freePort()) }));
  const client = await new MongoClient(uri).connect();
  say(head(['what', 'figure', 'details']));
  await startWorker();
  await pause(15_000);
  await countAtRest(client, 1);

  const waited: number[] = [];
  for (let number = 0; number < creates; number += 1) {
    await pause(200 + Math.random() * 300);
    const prompt = `number ${number}`;
    const startedAt = performance.now();
    const create = videoShot(account?.apiKey ?? '', prompt);
    const response = await fetch(origin + create.path, create);
    if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
    while (!orderedAt.has(prompt)) await pause(2);
    waited.push((orderedAt.get(prompt) ?? 0) - startedAt);
  }
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => quantile(waited, part).toFixed(0));
  const what = `create to order, ${creates} times`;
  say(row([what, `p50 ${p50} ms`, `p99 ${p99} ms, at most ${max} ms`]));
  // Generations in flight would be polled, so the gateway would not be idle.
  await client.db().collection('generations').deleteMany({});
  await client.db().collection('agendaJobs').deleteMany({ name: 'generation.run' });
  for (let workers = 2; workers <= values.workers; workers += 1) {
    await startWorker();
    await pause(15_000);
    await countAtRest(client, workers);
  }
  await client.close();
  await stopAll(children);
  server.close();
});
