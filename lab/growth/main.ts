import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/ledgerAudit.ts';
import { createLedgerThreads } from '../../gateway/src/compose/ledgerThreads.ts';
import { verifyLedger } from '../../gateway/src/application/accounts/verifyLedger.ts';
import { startTestMongod } from '../../test/support/mongod.ts';
import { openGrowthWorld } from './growthWorld.ts';
import { isTooMuch, statementsOf } from './statements.ts';

/**
 * `npm run growth -- [--generations N] [--accounts N] [--largest N] [--all] [--alone]`: fills a database with ended generations
 * and says, as a Markdown table, which statements of hot paths and of upkeep examine more than they return and a
 * page; `--all` lists the others as well, and `--alone` checks the ledger in one thread. Exit status 1 where one does, or where the ledger is wrong.
 */
const { values } = parseArgs({
  options: {
    generations: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '100000' },
    largest: { type: 'string', default: '200000' },
    all: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
  },
});
const size = {
  generations: Number(values.generations),
  accounts: Number(values.accounts),
  largest: Number(values.largest),
};

const say = (text: string) => process.stdout.write(`${text}\n`);
const since = (begin: number) => `${((performance.now() - begin) / 1000).toFixed(1)} s`;

const mongod = await startTestMongod();
process.env['TEST_MONGODB_URI'] = mongod.uri;
const client = await new MongoClient(mongod.uri).connect();
// Room and history as a server of its own would have them.
await client.db('admin').command({
  setParameter: 1,
  wiredTigerEngineRuntimeConfig: 'cache_size=2G',
  minSnapshotHistoryWindowInSeconds: 300,
});
await client.close();
try {
  let begin = performance.now();
  const world = await openGrowthWorld(size);
  say(`${size.generations} generations of ${size.accounts} accounts, filled in ${since(begin)}\n`);
  const statements = await statementsOf(world.gateway, world.paths);
  say('| path | statement | plan | documents | keys | returned | times | why it may |');
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const each of statements) {
    if (!each.isLarge && !values.all) continue;
    const { path, text, plan, documents, keys, returned, count, isLarge, because } = each;
    const why = isLarge ? (because ?? '**too much**') : '';
    const cells = [path, text, plan, documents, keys, returned, count, why];
    say(`| ${cells.join(' | ')} |`);
  }
  const tooMuch = statements.filter(isTooMuch).length;
  say(`\n${tooMuch} of ${statements.length} statements examine too much.`);
  begin = performance.now();
  const { database } = world.gateway.gateway;
  const audit = createLedgerAudit(database.client, database.collections);
  const threads = createLedgerThreads(world.gateway.gateway.database.uri);
  const report = await verifyLedger(values.alone ? { audit } : { audit, threads });
  const { accounts, generations, problems } = report;
  say(
    `Ledger of ${accounts} accounts, ${generations} generations: ${since(begin)}, ${problems.length} problems`,
  );
  if (tooMuch > 0 || problems.length > 0) process.exitCode = 1;
  await world.stop();
} finally {
  await mongod.stop();
}
