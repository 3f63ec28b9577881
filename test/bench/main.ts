import { randomUUID } from 'node:crypto';
import { freePort } from '../support/freePort.ts';
import { untilAnswers, withBenchWorld } from './benchWorld.ts';
import { load, type LoadResult, type Shot } from './load.ts';
import { countProblems, prepareAccounts, type BenchAccount } from './prepare.ts';

/**
 * `npm run bench`: the gateway against a bare server on the same mongod, three alternating rounds,
 * one process each. Ratios count; absolute numbers are this machine's.
 */
const rounds = 3;
const forMs = Number(process.argv[2] ?? 5) * 1000;
const body = JSON.stringify({
  model: 'alpha-2.0-fast',
  mode: 'text-to-video',
  prompt: 'A paper boat sails across a sea of ink at sunrise',
});

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

await withBenchWorld(async ({ uri, dataDir, startScript, startGateway }) => {
  const [gatewayPort, barePort] = [await freePort(), await freePort()];
  const env = {
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    ROLE: 'api',
    PORT: String(gatewayPort),
    LOG_LEVEL: 'info',
  };
  const accounts = await prepareAccounts(env, 200);
  const gateway = startGateway(env);
  const bare = startScript('bareServer.ts', uri, String(barePort));
  const gatewayOrigin = `http://127.0.0.1:${gatewayPort}`;
  const bareOrigin = `http://127.0.0.1:${barePort}`;
  await Promise.all([untilAnswers(gatewayOrigin, gateway), untilAnswers(bareOrigin, bare)]);

  let turn = 0;
  const nextAccount = (): BenchAccount => {
    turn += 1;
    const account = accounts[turn % accounts.length];
    if (!account) throw new Error('no accounts');
    return account;
  };
  const create = ({ apiKey }: BenchAccount): Shot => ({
    method: 'POST',
    path: '/v1/videos',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body,
  });
  const bareCreate = ({ accountId }: BenchAccount): Shot => ({
    method: 'POST',
    path: `/items/${accountId}`,
    headers: {},
  });

  const made: { id: string; apiKey: string }[] = [];
  const bareIds: string[] = [];
  for (const account of accounts) {
    const shot = create(account);
    const answer = await fetch(gatewayOrigin + shot.path, shot);
    made.push({ id: ((await answer.json()) as { id: string }).id, apiKey: account.apiKey });
    const other = await fetch(bareOrigin + bareCreate(account).path, { method: 'POST' });
    bareIds.push(((await other.json()) as { _id: string })._id);
  }

  const read = (): Shot => {
    const { id, apiKey } = made[(turn += 1) % made.length] ?? { id: '', apiKey: '' };
    return {
      method: 'GET',
      path: `/v1/generations/${id}`,
      headers: { authorization: `Bearer ${apiKey}` },
    };
  };
  const bareRead = (): Shot => ({
    method: 'GET',
    path: `/items/${bareIds[(turn += 1) % bareIds.length] ?? ''}`,
    headers: {},
  });
  const one = accounts[0];
  if (!one) throw new Error('no accounts');
  const rows = [
    { name: 'GET /generations/{id}, 32 connections', connections: 32, ours: read, bare: bareRead },
    {
      name: 'POST /videos, 200 accounts, 32 connections',
      connections: 32,
      ours: () => create(nextAccount()),
      bare: () => bareCreate(nextAccount()),
    },
    {
      name: 'POST /videos, 1 account, 10 connections',
      connections: 10,
      ours: () => create(one),
      bare: () => bareCreate(one),
    },
  ];
  for (const row of rows) {
    const ours: LoadResult[] = [];
    const bareResults: LoadResult[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const options = { connections: row.connections, forMs };
      bareResults.push(await load({ ...options, origins: [bareOrigin], next: row.bare }));
      ours.push(await load({ ...options, origins: [gatewayOrigin], next: row.ours }));
    }
    const line = (label: string, results: LoadResult[]) => {
      const statuses = JSON.stringify(results.map((result) => result.statuses));
      const [rate, p50, p99] = [
        median(results.map(({ perSecond }) => perSecond)),
        median(results.map((result) => result.p50)),
        median(results.map((result) => result.p99)),
      ];
      const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
      process.stdout.write(`  ${label.padEnd(8)} ${rate.toFixed(0)}/s, ${times}  ${statuses}\n`);
      return { rate, p99 };
    };
    process.stdout.write(`${row.name}\n`);
    const theirs = line('bare', bareResults);
    const mine = line('gateway', ours);
    const rate = (mine.rate / theirs.rate).toFixed(2);
    const p99 = (mine.p99 / theirs.p99).toFixed(2);
    process.stdout.write(`  ratio    rate ${rate}, p99 ${p99}\n`);
  }
  process.stdout.write(`ledger problems after the bench: ${await countProblems(env)}\n`);
});
