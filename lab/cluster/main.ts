/**
 * `npm run cluster -- [--api 3] [--worker 2] [--rate 1] [--reads 12] [--tools FOLDER]`: production's tree as
 * three api and two worker processes behind real Caddy, with three database servers and an S3 server, under
 * a load of creates, polls and downloads; every process is rolled and every part fails once. Then the
 * cluster is lost and restored from a backup: with mongodump and mongorestore where `--tools` names their
 * folder, else from a copy of a member's files. Prints the figures as Markdown tables. Exit status 1 when a
 * promise was broken or a customer met an error.
 *
 * With `--drill`, nothing fails before the loss of the cluster. With `--sharded`, orders of two gateways with a database each, behind a router by the letters of ids.
 */
import { say } from '../figures.ts';
import { readOptions } from '../options.ts';
import { runCluster } from './runCluster.ts';
import { runSharded } from './sharded.ts';

const { api, worker, rate, reads, tools, sharded, drill } = readOptions({
  api: 3,
  worker: 2,
  rate: 1,
  reads: 12,
  tools: '',
  sharded: false,
  drill: false,
}).values;
const { wrong, tables } = sharded ? { wrong: await runSharded(say), tables: [] } : await runWhole();
for (const table of tables) say(`\n${table}`);
for (const words of wrong) say(`WRONG: ${words}`);
say(`${wrong.length} things are wrong`);
process.exit(wrong.length === 0 ? 0 : 1);

function runWhole() {
  return runCluster({
    sizes: { api, worker },
    perSecond: { creates: rate, reads },
    pace: {
      quietMs: 30_000,
      afterMs: 15_000,
      memberLostMs: 60_000,
      storeDownMs: 10_000,
      skewedMs: 30_000,
    },
    tools: tools === '' ? null : tools,
    drillOnly: drill,
    note: say,
  });
}
