import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { freePort } from '../support/freePort.ts';
import { findTestMongod } from '../support/mongod.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

/** The data of a member of a former set, and the ports of that set. */
interface CopiedMember {
  data: string;
  ports: readonly number[];
}

/** The test's own replica set, whose members can be killed. */
export interface TestReplicaSet {
  uri: string;
  /** Address of each member. */
  ports: readonly number[];
  members: number;
  /** Makes the primary step down. @returns When another is elected. */
  stepDown(): Promise<void>;
  /** @returns The number of the member that is the primary. @throws Error while there is none. */
  primary(): Promise<number>;
  kill(member: number): Promise<void>;
  /** Stops a member cleanly. @returns Its data folder, which nothing writes to in the meantime. */
  shutDown(member: number): Promise<string>;
  /** Freezes a member (SIGSTOP): its connections stay open but get no responses. */
  freeze(member: number): void;
  /** Resumes a frozen member. */
  thaw(member: number): void;
  /** Moves the wall clock of a member by this many ms from now on; needs `clocks`. */
  setClock(member: number, ms: number): Promise<void>;
  /** Elects a member. @returns When it is the primary. */
  stepUp(member: number): Promise<void>;
  /** Restarts a killed member with its data. */
  restart(member: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a replica set of this many members, without users, on 127.0.0.1.
 * @param options.copied The data of a member of a former set, from which each begins, and the ports of that set.
 * @param options.clocks Whether the clocks of the members can be set; needs a C compiler.
 * @param options.env Added to the environment of a member.
 */
export async function startReplicaSet(
  members: number,
  database: string,
  {
    copied,
    clocks = false,
    env = () => ({}),
  }: {
    copied?: CopiedMember;
    clocks?: boolean;
    env?: (member: number) => Record<string, string>;
  } = {},
): Promise<TestReplicaSet> {
  const { path } = await findTestMongod();
  const folder = await mkdtemp(join(tmpdir(), 'framegate-replicas-'));
  const ports = [...(copied?.ports ?? [])];
  while (ports.length < members) ports.push(await freePort());
  const children: (ChildProcess | undefined)[] = [];
  /** A member that does not exist would be killed without effect. @throws RangeError */
  function portOf(member: number): number {
    const port = ports[member];
    if (port === undefined) throw new RangeError(`there is no member ${member} of ${members}`);
    return port;
  }
  const clockFile = (member: number) => join(folder, `${member}.clock`);
  const preload = join(folder, 'clock.so');
  if (clocks) {
    const source = fileURLToPath(new URL('clock.c', import.meta.url));
    await run('cc', ['-O2', '-shared', '-fPIC', '-o', preload, source, '-ldl']);
  }
  async function clockOf(member: number) {
    if (!clocks) return {};
    await writeFile(clockFile(member), '0');
    return { LD_PRELOAD: preload, CLOCK_FILE: clockFile(member) };
  }
  async function start(member: number): Promise<void> {
    const port = portOf(member);
    const dbPath = join(folder, String(member));
    await mkdir(dbPath, { recursive: true });
    const child = spawn(
      path,
      [
        ...['--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1'],
        ...['--nounixsocket', '--replSet', 'faults', '--quiet', '--oplogSize', '64'],
        ...['--wiredTigerCacheSizeGB', '0.25'],
        ...['--wiredTigerEngineConfigString', 'log=(file_max=10MB,prealloc=false)'],
        ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
        ...['--setParameter', 'enableTestCommands=1'],
        // How long a terminating member waits for its clients; 15 s by default.
        ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=500'],
      ],
      {
        stdio: 'ignore',
        env: { ...process.env, ...(await clockOf(member)), ...env(member) },
      },
    );
    children[member] = child;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`mongod ended with ${child.exitCode}`);
      return isAnswering(port);
    }, 'mongod answers');
  }
  for (let member = 0; copied && member < members; member += 1) {
    await cp(copied.data, join(folder, String(member)), { recursive: true });
  }
  await Promise.all(ports.map((_, member) => start(member)));
  if (!copied) await initiate(ports);
  const addresses = ports.map((port) => `127.0.0.1:${port}`);
  const uri = `mongodb://${addresses.join()}/${database}?replicaSet=faults`;
  const client = new MongoClient(uri);
  await client.connect();
  const end = async (member: number, signal: 'SIGKILL' | 'SIGTERM') => {
    portOf(member);
    const child = children[member];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const kill = (member: number) => end(member, 'SIGKILL');
  const signal = (member: number, name: 'SIGSTOP' | 'SIGCONT') => {
    portOf(member);
    children[member]?.kill(name);
  };
  return {
    uri,
    ports,
    members,
    async primary() {
      const { primary } = await client.db('admin').command({ hello: 1 });
      const member = addresses.indexOf(String(primary));
      if (member < 0) throw new Error(`no member is the primary: ${String(primary)}`);
      return member;
    },
    async shutDown(member) {
      await end(member, 'SIGTERM');
      return join(folder, String(member));
    },
    async stepDown() {
      const command = { replSetStepDown: 3, secondaryCatchUpPeriodSecs: 1, force: true };
      // During an election, connections are closed or unanswered: the next one comes soon.
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
    async setClock(member, ms) {
      portOf(member);
      await writeFile(clockFile(member), String(ms));
    },
    async stepUp(member) {
      const port = portOf(member);
      await until(async () => {
        await withMember(port, async (one) => {
          await one
            .db('admin')
            .command({ replSetStepUp: 1 })
            .catch(() => undefined);
        });
        const { primary } = await client.db('admin').command({ hello: 1 });
        return primary === addresses[member];
      }, `member ${member} is the primary`);
    },
    freeze: (member) => signal(member, 'SIGSTOP'),
    thaw: (member) => signal(member, 'SIGCONT'),
    restart: start,
    async stop() {
      await client.close();
      await Promise.all(ports.map((_, member) => kill(member)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function initiate(ports: readonly number[]): Promise<void> {
  await withMember(ports[0] ?? 0, async (client) => {
    const members = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }));
    const settings = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 500 };
    await client.db('admin').command({ replSetInitiate: { _id: 'faults', members, settings } });
  });
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
