/**
 * `npm run cluster -- [--api 3] [--worker 2] [--rate 1] [--reads 12] [--tools FOLDER]`: production's tree as three api
 * and two worker processes behind real Caddy, with three database servers and an S3 server, under a load of create
 * requests, polls and downloads; every process is rolled and every part fails once. Then the cluster is lost and
 * restored from a backup: with mongodump and mongorestore where `--tools` names their folder, else from a copy of a
 * member's files. Prints the figures as Markdown tables. Exit status 1 when a promise was broken or a customer met
 * an error.
 *
 * With `--drill`, nothing fails before the loss of the cluster.
 */
import { minuteMs } from '@framegate/contract';
import { say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { runCluster } from './runCluster.ts';

const { api, worker, rate, reads, tools, drill } = parseOptions({
  api: 3,
  worker: 2,
  rate: 1,
  reads: 12,
  tools: '',
  drill: false,
}).values;
const { wrong, tables } = await runCluster({
  sizes: { api, worker },
  perSecond: { creates: rate, reads },
  pace: {
    quietMs: 30_000,
    afterMs: 15_000,
    memberLostMs: minuteMs,
    storeDownMs: 10_000,
    skewedMs: 30_000,
  },
  tools: tools === '' ? null : tools,
  drillOnly: drill,
  record: say,
});
for (const table of tables) say(`\n${table}`);
for (const words of wrong) say(`WRONG: ${words}`);
say(`${wrong.length} things are wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
