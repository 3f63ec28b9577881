import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort } from '../support/freePort.ts';
import { findTestMongod } from '../support/mongod.ts';
import { until } from '../support/until.ts';

/** A replica set of the test's own whose members may be killed. */
export interface TestReplicaSet {
  uri: string;
  members: number;
  /** Makes the primary step down. @returns when another is elected. */
  stepDown(): Promise<void>;
  kill(member: number): Promise<void>;
  /** Stops a member where it stands (SIGSTOP): its connections stay open, and nobody answers. */
  freeze(member: number): void;
  /** Lets a frozen member go on. */
  thaw(member: number): void;
  /** Starts a killed member on its data again. */
  restart(member: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a replica set of so many members, without users, on 127.0.0.1. */
export async function startReplicaSet(members: number, database: string): Promise<TestReplicaSet> {
  const { path } = await findTestMongod();
  const folder = await mkdtemp(join(tmpdir(), 'framegate-replicas-'));
  const ports: number[] = [];
  for (let member = 0; member < members; member += 1) ports.push(await freePort());
  const children: (ChildProcess | undefined)[] = [];
  async function start(member: number): Promise<void> {
    const dbPath = join(folder, String(member));
    await mkdir(dbPath, { recursive: true });
    const child = spawn(
      path,
      [
        ...['--dbpath', dbPath, '--port', String(ports[member]), '--bind_ip', '127.0.0.1'],
        ...['--nounixsocket', '--replSet', 'faults', '--quiet', '--oplogSize', '64'],
        ...['--wiredTigerCacheSizeGB', '0.25'],
        ...['--wiredTigerEngineConfigString', 'log=(file_max=10MB,prealloc=false)'],
        ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
        ...['--setParameter', 'enableTestCommands=1'],
      ],
      { stdio: 'ignore' },
    );
    children[member] = child;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`mongod ended with ${child.exitCode}`);
      return isAnswering(ports[member] ?? 0);
    }, 'mongod answers');
  }
  await Promise.all(ports.map((_, member) => start(member)));
  const [first = 0] = ports;
  await withMember(first, async (client) => {
    const hosts = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }));
    const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
    const config = { _id: 'faults', members: hosts, settings };
    await client.db('admin').command({ replSetInitiate: config });
  });
  const addresses = ports.map((port) => `127.0.0.1:${port}`).join();
  const uri = `mongodb://${addresses}/${database}?replicaSet=faults`;
  const client = new MongoClient(uri);
  await client.connect();
  const kill = async (member: number) => {
    const child = children[member];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    uri,
    members,
    async stepDown() {
      const command = { replSetStepDown: 3, secondaryCatchUpPeriodSecs: 1, force: true };
      // Answered by a closed connection or by nobody during an election: the next one comes soon.
      const admin = client.db('admin');
      await admin.command(command).catch(() => undefined);
      const hasPrimary = () =>
        admin.command({ hello: 1 }).then(
          ({ isWritablePrimary }) => isWritablePrimary === true,
          () => false,
        );
      while (!(await hasPrimary())) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    kill,
    freeze: (member) => children[member]?.kill('SIGSTOP'),
    thaw: (member) => children[member]?.kill('SIGCONT'),
    restart: start,
    async stop() {
      await client.close();
      await Promise.all(ports.map((_, member) => kill(member)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function withMember(port: number, work: (client: MongoClient) => Promise<void>) {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

async function isAnswering(port: number): Promise<boolean> {
  try {
    await withMember(port, async (client) => {
      await client.db('admin').command({ ping: 1 });
    });
    return true;
  } catch {
    return false;
  }
}
