import { MongoClient } from 'mongodb';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { createLedgerThreads } from '../../gateway/src/compose/ledgerThreads.ts';
import { startTestMongod } from '../../test/support/mongod.ts';
import { head, row, say, since } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { openGrowthWorld } from './growthWorld.ts';
import { isTooMuch, recordStatements } from './statements.ts';

/**
 * `npm run growth -- [--generations N] [--accounts N] [--largest N] [--all]`: fills a database with ended generations
 * and prints, as a Markdown table, which statements of hot paths and of upkeep examine more than they return and a
 * page; `--all` lists the others as well. Exit status 1 where one may not, or where the ledger is wrong.
 */
const { values } = parseOptions({
  generations: 1_000_000,
  accounts: 100_000,
  largest: 200_000,
  all: false,
});

const mongod = await startTestMongod();
process.env['TEST_MONGODB_URI'] = mongod.uri;
const client = await new MongoClient(mongod.uri).connect();
// Cache and oplog sizes as on a dedicated server.
await client.db('admin').command({
  setParameter: 1,
  wiredTigerEngineRuntimeConfig: 'cache_size=2G',
  minSnapshotHistoryWindowInSeconds: 300,
});
await client.close();
try {
  let startedAt = performance.now();
  const world = await openGrowthWorld(values);
  say(
    `${values.generations} generations of ${values.accounts} accounts, filled in ${since(startedAt)}\n`,
  );
  const statements = await recordStatements(world.gateway, world.paths);
  const figures = ['documents', 'keys', 'returned', 'times'];
  say(head(['path', 'statement', 'plan', ...figures, 'why it may']));
  for (const each of statements) {
    if (!each.isLarge && !values.all) continue;
    const { path, text, plan, documents, keys, returned, count, isLarge, because } = each;
    const why = isLarge ? (because ?? '**too much**') : '';
    say(row([path, text, plan, documents, keys, returned, count, why]));
  }
  const tooMuch = statements.filter(isTooMuch).length;
  say(`\n${tooMuch} of ${statements.length} statements examine too much.`);
  startedAt = performance.now();
  const { client: gatewayClient, collections } = world.gateway;
  const ledgerAudit = createLedgerAudit(gatewayClient, collections);
  const threads = createLedgerThreads(world.gateway.uri);
  const { accounts, generations, problems } = await verifyLedger({ ledgerAudit, threads });
  say(
    `Ledger of ${accounts} accounts, ${generations} generations: ${since(startedAt)}, ${problems.length} problems`,
  );
  if (tooMuch > 0 || problems.length > 0) process.exitCode = 1;
  await world.stop();
} finally {
  await mongod.stop();
}
