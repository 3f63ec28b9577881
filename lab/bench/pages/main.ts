import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { Pool } from 'undici';
import { minuteMs } from '@framegate/contract';
import { freePort } from '../../../test/support/freePort.ts';
import { startTestMongod } from '../../../test/support/mongod.ts';
import { head, row, say } from '../../figures.ts';
import { openGrowthWorld } from '../../growth/growthWorld.ts';
import { parseOptions } from '../../options.ts';
import { thisTree, waitUntilItAnswers } from '../benchWorld.ts';
import { readCounters } from '../costs.ts';
import { measureReads } from './measureReads.ts';
import { type MeasuredPage, measuredPages, type SignedIn } from './pages.ts';
import { signInEverybody } from './pagesWorld.ts';

/**
 * `npm run bench:pages -- [--loads N] [--only TEXT] [--profile FOLDER]`: the cost of loading each page, as a Markdown
 * table: processor time of the gateway's thread and of mongod, statements, examined documents and keys, and bytes. Ten
 * accounts of 2,000 generations load pages in turn, one after the other. Exit status 1 where a page costs more than 5
 * ms of either. `--profile` writes a profile of the gateway for Chrome's developer tools.
 */
const { values } = parseOptions({ loads: 150, only: '', profile: '', statements: false });
const customers = 10;
const perAccount = 2_000;
/** Loads before those that are measured: V8 compiles a page's code after some hundred. */
const warmUps = 150;
/** Processor time of the thread, and of mongod, that a page may cost, in ms. */
const maxMs = 5;

/** Processor time of a process's main thread since its start, in ms; from Linux's scheduler. */
async function readThreadMs(pid: number): Promise<number> {
  const [ns] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(ns) / 1e6;
}

const mongod = await startTestMongod();
process.env['TEST_MONGODB_URI'] = mongod.uri;
const client = await new MongoClient(mongod.uri).connect();
try {
  const size = { generations: customers * perAccount, accounts: customers, largest: perAccount };
  const world = await openGrowthWorld(size, { upkeepEveryMs: 10 * minuteMs });
  const { gateway } = world;
  const people = await signInEverybody(gateway, customers);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const profiling = values.profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const child = fork(join(thisTree, 'gateway/start.js'), {
    env: { ...process.env, ...gateway.env, PORT: String(port), ROLE: 'api', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: profiling,
  });
  await waitUntilItAnswers(origin, child);
  const pool = new Pool(origin, { connections: 1, pipelining: 1 });

  async function load(page: MeasuredPage, person: SignedIn): Promise<number> {
    for (;;) {
      const { statusCode, headers, body } = await pool.request({
        method: 'GET',
        path: page.path(person),
        headers: { cookie: person.cookie, 'accept-language': 'en' },
      });
      const bytes = (await body.arrayBuffer()).byteLength;
      if (statusCode === 200) return bytes;
      const wait = Number(headers['retry-after']);
      if (statusCode !== 429 || !(wait <= 60)) throw new Error(`${page.name}: ${statusCode}`);
      await pause(wait * 1000);
    }
  }

  const figures = ['thread ms', 'mongod ms', 'statements', 'documents', 'keys', 'kB'];
  say(head(['page', ...figures, '']));
  for (const page of measuredPages) {
    if (!page.name.includes(values.only)) continue;
    const those = people[page.by];
    let bytes = 0;
    const loadAll = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        bytes = await load(page, those[index % those.length] as SignedIn);
      }
    };
    // A search by words has an allowance of its own.
    const share = page.path(those[0] as SignedIn).includes('q=') ? 0.2 : 1;
    await loadAll(warmUps * share);
    const [before, begin] = [await readThreadMs(child.pid ?? 0), await readCounters(client, 0)];
    await loadAll(values.loads * share);
    const [after, end] = [await readThreadMs(child.pid ?? 0), await readCounters(client, 0)];
    const count = values.loads * share;
    const thread = (after - before) / count;
    const ofMongod = (end.mongodMs - begin.mongodMs) / count;
    const reads = await measureReads(gateway, () => load(page, those[0] as SignedIn));
    const isOver = thread > maxMs || ofMongod > maxMs;
    const { statements, documents, keys } = reads;
    const costs = [thread.toFixed(1), ofMongod.toFixed(1), statements, documents, keys];
    say(row([page.name, ...costs, (bytes / 1000).toFixed(0), isOver ? '**too much**' : '']));
    if (isOver) process.exitCode = 1;
    if (!values.statements) continue;
    for (const { collection, op, command, documents: read, keys: ofIndex, plan } of reads.found) {
      const filter = JSON.stringify(command['filter'] ?? command['pipeline'] ?? command);
      say(`  ${collection} ${op} ${plan} ${read} ${ofIndex} ${filter.slice(0, 300)}`);
    }
  }
  await pool.close();
  child.kill('SIGTERM');
  await world.stop();
} finally {
  await client.close();
  await mongod.stop();
}
