import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { quantile, sum } from '@framegate/contract';
import { head, row, say } from '../figures.ts';
import { parseOptions } from '../options.ts';
import { type BenchWorld, thisTree, withBenchWorld } from './benchWorld.ts';
import { type Budget, budgets } from './budgets.ts';
import { commandsBetween, readCounters } from './costs.ts';
import { load, type LoadRequest } from './load.ts';
import { type Side, startBareSide, startGatewaySide } from './sides.ts';

/**
 * `npm run bench -- [--seconds N] [--rounds N] [--against COMMIT|FOLDER]`: the gateway compared with a bare server, and
 * with another version of itself, as a Markdown table. One process each, one mongod, alternating rounds. The
 * ratios count; absolute numbers are those of this machine.
 */
const { values } = parseOptions({ seconds: 5, rounds: 3, against: '' });
const { rounds } = values;
const forMs = values.seconds * 1000;

interface Row {
  name: string;
  connections: number;
  shotOf: (side: Side) => () => LoadRequest;
  budget?: Budget;
}
const rows: Row[] = [
  {
    name: 'GET, 32 connections',
    connections: 32,
    shotOf: ({ read }) => read,
    budget: budgets.read,
  },
  {
    name: 'POST, 200 accounts, 32',
    connections: 32,
    shotOf: (side) => side.createOnAll,
    budget: budgets.create,
  },
  { name: 'POST, 1 account, 10', connections: 10, shotOf: (side) => side.createOnOne },
];

/** Result of one side in one round; costs are per request. */
interface Round {
  perSecond: number;
  p99: number;
  serverUs: number;
  mongodUs: number;
  statements: number;
  bytes: number;
}

async function measure(
  client: MongoClient,
  side: Side,
  { connections, shotOf }: Row,
): Promise<Round> {
  const { origin, child } = side;
  const before = await readCounters(client, child.pid ?? 0);
  const result = await load({ origins: [origin], connections, forMs, next: shotOf(side) });
  const after = await readCounters(client, child.pid ?? 0);
  const { perSecond, p99, statuses } = result;
  const failed = Object.keys(statuses).filter((status) => !status.startsWith('2'));
  if (failed.length > 0) throw new Error(`${side.label} answered ${JSON.stringify(statuses)}`);
  const count = sum(Object.values(statuses));
  const statements = sum(commandsBetween(before, after).map(([, each]) => each));
  return {
    perSecond,
    p99,
    serverUs: ((after.serverMs - before.serverMs) * 1000) / count,
    mongodUs: ((after.mongodMs - before.mongodMs) * 1000) / count,
    statements: statements / count,
    bytes: (after.bytes - before.bytes) / count,
  };
}

/** Rows that cost more than their budget. */
const overBudget: string[] = [];

async function compare(client: MongoClient, sides: readonly Side[]): Promise<void> {
  const figures = ['per second', 'p99 ms', 'server µs', 'mongod µs', 'statements', 'bytes'];
  say(head(['load', 'side', ...figures]));
  for (const each of rows) {
    const roundsBySide = sides.map((): Round[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, side] of sides.entries()) {
        roundsBySide[index]?.push(await measure(client, side, each));
      }
    }
    const medians = roundsBySide.map((all) => {
      const medianOf = (key: keyof Round) =>
        quantile(
          all.map((round) => round[key]),
          0.5,
        );
      return [
        medianOf('perSecond'),
        medianOf('p99'),
        medianOf('serverUs'),
        medianOf('mongodUs'),
        medianOf('statements'),
        medianOf('bytes'),
      ];
    });
    for (const [index, { label }] of sides.entries()) {
      say(line(each.name, label, medians[index] ?? [], [0, 1, 0, 0, 2, 0]));
    }
    const ours = medians.at(-1) ?? [];
    for (const [index, { label }] of sides.slice(0, -1).entries()) {
      const ratios = ours.map((value, column) => value / (medians[index]?.[column] ?? 0));
      say(line(each.name, `ratio to ${label}`, ratios, [2, 2, 2, 2, 2, 2]));
    }
    const [bare = []] = medians;
    const isOver = (column: number, max: number) => (ours[column] ?? 0) / (bare[column] ?? 0) > max;
    const { ofBare } = each.budget ?? {};
    if (ofBare && (isOver(2, ofBare.server) || isOver(3, ofBare.mongod))) {
      overBudget.push(`${each.name}: server ${ofBare.server}, mongod ${ofBare.mongod} of bare`);
    }
  }
}

const line = (name: string, label: string, numbers: readonly number[], digits: readonly number[]) =>
  row([name, label, ...numbers.map((value, column) => value.toFixed(digits[column]))]);

/** The folder of another version: one that is given, or a check-out of a commit with its packages. */
async function checkOutTree(against: string, { dataDir }: BenchWorld): Promise<string> {
  if ((await stat(against).catch(() => null))?.isDirectory()) return against;
  const tree = join(dataDir, 'against');
  const run = promisify(execFile);
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', thisTree, tree]);
  await run('git', ['checkout', '--quiet', '--detach', against], { cwd: tree });
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: tree, maxBuffer: 1e8 });
  return tree;
}

await withBenchWorld(async (world) => {
  const sides = [await startBareSide(world)];
  if (values.against !== '') {
    sides.push(await startGatewaySide(world, 'before', await checkOutTree(values.against, world)));
  }
  sides.push(await startGatewaySide(world, 'now', thisTree));
  const client = await new MongoClient(world.uri).connect();
  await compare(client, sides);
  await client.close();
  for (const text of overBudget) say(`Over the budget of ${text}`);
  if (overBudget.length > 0) process.exitCode = 1;
  for (const { label, countProblems } of sides) {
    say(`Ledger problems of ${label}: ${await countProblems()}`);
  }
});
