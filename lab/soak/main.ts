/**
 * `npm run lab:soak -- [--minutes 60] [--per-second 10] [--media]`: half of the load that two cores carry, on three
 * members of a replica set, with every fault of `faults.ts` in turn, and two followers of the ledger. Memory, open
 * files, event-loop delay and collections without a history of the processes that no fault kills must not rise: the
 * regression line through the samples decides (samples.ts). The first quarter of the time is warm-up. Exit status 1
 * when something rises, a follower's books differ from the ledger, or `ledger verify` finds something.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { minuteMs } from '@framegate/contract';
import { startReplicaSet } from '../../test/faults/startReplicaSet.ts';
import { freePort } from '../../test/support/freePort.ts';
import { runNode } from '../../test/support/runNode.ts';
import { writeBenchRoutes } from '../bench/benchRoutes.ts';
import { waitUntilItAnswers, withBenchWorld } from '../bench/benchWorld.ts';
import { type LoadRequest, runPaced, videoShot } from '../bench/load.ts';
import { countProblems, prepareAccounts } from '../bench/prepare.ts';
import { startProduct } from '../cluster/product.ts';
import { formatCounts, say, since, withSeconds } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { snapshotDisks } from './disk.ts';
import { faults, type Parts } from './faults.ts';
import { lines, type Sample, sampleDatabase, sampleFiles, sampleProcess } from './samples.ts';

const { values } = parseOptions({ minutes: 60, 'per-second': 10, media: false });
const forMs = values.minutes * minuteMs;
const perSecond = values['per-second'];
const sampleEveryMs = 5_000;
/** Reads for each create request. */
const readsEach = 4;
const accountCount = 50;
/** How long the database is away once, in ms: five minutes, or a tenth of a shorter run. */
const awayMs = Math.min(5 * minuteMs, forMs / 10);
const settledWithinMs = 5 * minuteMs;
const endedWithinMs = 10 * minuteMs;
const members = 3;

const wrong: string[] = [];
const note = withSeconds(say);
const folder = await mkdtemp(join(tmpdir(), 'framegate-soak-'));
const disks = await snapshotDisks(folder);
const replicas = await startReplicaSet(members, 'bench', { env: disks.env });
await withBenchWorld(async ({ uri, dataDir, startScript, startGateway }) => {
  const provider = startScript('timedArk.ts', values.media ? 'media' : 'no media', '5000');
  const [host] = (await once(provider, 'message')) as [string];
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...(await writeBenchRoutes(dataDir, host)),
  };
  const accounts = await prepareAccounts({ ...env, PORT: '1' }, accountCount);
  const command = await runNode(
    [
      ...['gateway/src/admin.ts', 'operator-key', 'create', '--name', 'product'],
      ...['--scope', 'credits:read', '--scope', 'credits:write'],
    ],
    env,
  );
  const { operator_key: operatorKey } = JSON.parse(command.stdout) as { operator_key: string };

  const operatorPorts: Partial<Record<'watched' | 'second', number>> = {};
  const start = async (role: 'api' | 'worker', which: 'watched' | 'second') => {
    const [port, metrics, operator] = [await freePort(), await freePort(), await freePort()];
    const child = startGateway({
      ...env,
      ROLE: role,
      METRICS_PORT: String(metrics),
      ...(role === 'api' && { PORT: String(port), OPERATOR_PORT: String(operator) }),
    });
    const origin = `http://127.0.0.1:${port}`;
    if (role === 'api') {
      await waitUntilItAnswers(origin, child);
      operatorPorts[which] = operator;
    }
    return { child, origin, metrics };
  };
  const api = await start('api', 'watched');
  const worker = await start('worker', 'watched');
  const second: Record<'api' | 'worker', ChildProcess> = {
    api: (await start('api', 'second')).child,
    worker: (await start('worker', 'second')).child,
  };
  const parts: Parts = {
    replicas,
    disks,
    provider,
    second,
    awayMs,
    start: async (role) => void (second[role] = (await start(role, 'second')).child),
  };
  const product = startProduct({
    origins: () => Object.values(operatorPorts).map((port) => `http://127.0.0.1:${port}`),
    operatorKey,
    accountId: accounts[0]?.accountId ?? '',
  });
  const client = await new MongoClient(uri).connect();

  const startedAt = performance.now();
  let sent = 0;
  const next = (): LoadRequest => {
    const { apiKey = '' } = accounts[(sent += 1) % accounts.length] ?? {};
    if (sent % (readsEach + 1) === 0) return videoShot(apiKey, `soak ${sent}`);
    const headers = { authorization: `Bearer ${apiKey}` };
    return { method: 'GET', path: '/v1/credits/balance', headers };
  };
  const load = runPaced({
    origin: api.origin,
    perSecond: perSecond * (readsEach + 1),
    forMs,
    next,
  });

  const play = async () => {
    const names = Object.keys(faults);
    const slotMs = (forMs * 0.9) / names.length;
    for (const [index, name] of names.entries()) {
      await pause(Math.max(0, startedAt + index * slotMs - performance.now()));
      const from = performance.now();
      const did = await faults[name]?.(parts).catch((error: unknown) => {
        wrong.push(`${name}: ${String(error)}`);
        return 'failed';
      });
      note(`${name}: ${did ?? ''}, took ${since(from)}`);
    }
  };
  const played = play();

  const samples: [ms: number, Sample][] = [];
  while (performance.now() - startedAt < forMs) {
    await pause(sampleEveryMs);
    const sample: Sample = new Map();
    // Without its database a process reports less; the other figures count.
    await Promise.allSettled([
      sampleProcess(sample, 'api', api.metrics),
      sampleProcess(sample, 'worker', worker.metrics),
      sampleDatabase(sample, client),
      sampleFiles(sample, dataDir),
    ]);
    samples.push([performance.now() - startedAt, sample]);
  }
  const { perSecond: answered, p50, p99, statuses } = await load;
  await played;
  say(
    `${perSecond} creates and ${perSecond * readsEach} reads a second for ${values.minutes} minutes: ${answered.toFixed(0)} responses a second, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${formatCounts(statuses)}\n`,
  );
  const generations = client.db().collection('generations');
  const ending = performance.now();
  while ((await generations.countDocuments({ open: true })) > 0) {
    if (performance.now() - ending > endedWithinMs) {
      wrong.push(`${await generations.countDocuments({ open: true })} generations do not end`);
      break;
    }
    await pause(500);
  }
  const { table, unchanged, rising } = lines(samples.filter(([at]) => at > forMs / 4));
  say(table);
  say(`\nUnchanged: ${unchanged.join(', ')}`);
  for (const name of rising) wrong.push(`${name} rises`);
  const ledger = client.db().collection('ledger') as never;
  wrong.push(...(await product.settle({ ledger }, settledWithinMs)));
  await product.stop();
  await client.close();
  const problems = await countProblems({ ...env, PORT: '1' });
  if (problems > 0) wrong.push(`ledger verify finds ${problems} problems`);
  say(`${product.payments()} payments in the books of two followers; ledger problems: ${problems}`);
}, replicas);
await rm(folder, { recursive: true, force: true });
for (const problem of wrong) say(`WRONG: ${problem}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
