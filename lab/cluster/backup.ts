import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsPlayedBy } from '../../test/docs/playedCommands.ts';
import { startReplicaSet, type TestReplicaSet } from '../../test/faults/startReplicaSet.ts';
import { mustRun } from '../../test/support/runProgram.ts';

/** A backup of the database. */
export interface Backup {
  kind: string;
  /** When it began and ended, in ms since the epoch. */
  from: number;
  to: number;
  bytes: number;
  /** Makes a replica set of it. */
  restore(): Promise<TestReplicaSet>;
  remove(): Promise<void>;
}

const page = 'docs/deploy/backup.md';
const database = 'fleet';

/** A copy of a secondary's files, taken while it is shut down: the same as a snapshot of its volume. */
export async function copyMember(replicas: TestReplicaSet): Promise<Backup> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-backup-'));
  const data = join(folder, 'mongodb');
  const member = ((await replicas.primary()) + 1) % replicas.members;
  const from = Date.now();
  const files = await replicas.shutDown(member);
  await cp(files, data, { recursive: true });
  await replicas.restart(member);
  const { members, ports } = replicas;
  return {
    kind: 'copy of a member',
    from,
    to: Date.now(),
    bytes: await measureSize(data),
    restore: () => startReplicaSet(members, database, { copied: { data, ports } }),
    remove: () => rm(folder, { recursive: true }),
  };
}

/**
 * A dump with the commands of docs/deploy/backup.md.
 * @param tools The folder that has mongodump and mongorestore.
 */
export async function backUp(replicas: TestReplicaSet, tools: string): Promise<Backup> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-backup-'));
  const run = async (program: string, { uri }: TestReplicaSet) => {
    const line = commandsPlayedBy('lab/cluster/backup.ts', page).find((each) =>
      each.startsWith(`${program} `),
    );
    if (line === undefined) throw new Error(`${page} has no ${program}`);
    const PATH = `${tools}:${process.env['PATH'] ?? ''}`;
    const MONGODB_ADMIN_URI = uri.replace(`/${database}?`, '/?');
    await mustRun('sh', ['-c', line], { cwd: folder, env: { PATH, MONGODB_ADMIN_URI } });
  };
  const from = Date.now();
  await run('mongodump', replicas);
  return {
    kind: 'mongodump --oplog',
    from,
    to: Date.now(),
    bytes: await measureSize(folder),
    async restore() {
      const empty = await startReplicaSet(replicas.members, database);
      await run('mongorestore', empty);
      return empty;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function measureSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    bytes += (await stat(join(folder, name))).size;
  }
  return bytes;
}
