import { readFile } from 'node:fs/promises';
import type { Document, MongoClient } from 'mongodb';
import { sum } from '@framegate/contract';

/** Counters since the start of the processes; the difference of two is the cost of the work in between. */
export interface Counters {
  /** Processor time of the servers under load together, and of mongod, in ms. */
  serverMs: number;
  mongodMs: number;
  /** Transactions of mongod. */
  committed: number;
  aborted: number;
  /** Commands by name that mongod has executed. */
  commands: ReadonlyMap<string, number>;
  /** Bytes that mongod received and sent. */
  bytes: number;
}

/** Commands that drivers send on their own, or that the bench sends. */
const notCounted = new Set(['hello', 'isMaster', 'ismaster', 'serverStatus']);

/** Reads the counters of mongod and of the servers under load. */
export async function readCounters(
  client: MongoClient,
  ...pids: readonly number[]
): Promise<Counters> {
  const status = (await client.db('admin').command({ serverStatus: 1 })) as {
    pid: unknown;
    metrics: { commands: Document };
    network: { bytesIn: unknown; bytesOut: unknown };
    transactions: { totalCommitted: unknown; totalAborted: unknown };
  };
  const commands = Object.entries(status.metrics.commands)
    .filter(([name]) => !notCounted.has(name))
    .map(([name, value]): [string, number] => [
      name,
      Number((value as { total?: unknown } | null)?.total ?? 0),
    ]);
  const stats = await Promise.all(pids.map(readStat));
  return {
    serverMs: sum(stats.map(({ ms }) => ms)),
    mongodMs: (await readStat(Number(status.pid))).ms,
    committed: Number(status.transactions.totalCommitted),
    aborted: Number(status.transactions.totalAborted),
    commands: new Map(commands),
    bytes: Number(status.network.bytesIn) + Number(status.network.bytesOut),
  };
}

/**
 * Processor times of a process and of its ended children, in ms, and its parent's id: from Linux's /proc in steps of
 * 10 ms; NaN elsewhere, and of a process that has ended.
 */
export async function readStat(pid: number | string) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
  const msOf = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * 10;
  return { parent: Number(fields[1]), ms: msOf(11), endedChildrenMs: msOf(13) };
}

/** The commands that were executed between two readings, with their numbers. */
export function commandsBetween(before: Counters, after: Counters): [string, number][] {
  return [...after.commands]
    .map(([name, total]): [string, number] => [name, total - (before.commands.get(name) ?? 0)])
    .filter(([, count]) => count > 0);
}
