import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import type { Log } from '@framegate/contract';
import {
  findMongod,
  type FoundMongod,
  startEmbeddedMongod,
  stopUnusedMongod,
} from '@framegate/embedded-mongod';
import { isMarkAlive, makeProcessMark } from '../../gateway/embedded-mongod/src/processes.ts';

const folderPrefix = 'framegate-test-';

/** The database server of one test run. */
export interface TestMongod {
  /** Connection string with its password. */
  uri: string;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/** A log that collects its lines instead of printing them. */
export function collectLog(heard?: (message: string) => void): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const collect = (_fields: object, message: string): void => {
    lines.push(message);
    heard?.(message);
  };
  return { log: { debug: collect, info: collect, warn: collect, error: collect }, lines };
}

/**
 * A mongod from the same sources as the product's, with its settings MONGOD and CACHE_DIR: it is downloaded at most
 * once for the tests and the gateway.
 */
export async function findTestMongod(): Promise<FoundMongod> {
  const { log, lines } = collectLog();
  try {
    return await findMongod({
      mongodPath: process.env['MONGOD'],
      readVariable: (name) => process.env[name],
      cacheDir: process.env['CACHE_DIR'],
      log,
    });
  } catch (error) {
    process.stderr.write(`${lines.join('\n')}\n`);
    throw error;
  }
}

/** Starts a mongod with test commands in a temporary folder, after cleaning up behind killed runs. */
export async function startTestMongod(): Promise<TestMongod> {
  await removeAbandonedFolders();
  const mongod = await findTestMongod();
  const { log } = collectLog();
  const dataDir = join(tmpdir(), `${folderPrefix}${await makeProcessMark()}`);
  await mkdir(dataDir, { mode: 0o700 });
  const { uri, release } = await startEmbeddedMongod({
    dataDir,
    mongod,
    log,
    allowsTestCommands: true,
    endsWithTerminal: true,
  });
  await hurryServer(uri);
  return {
    uri,
    async stop() {
      await release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** History available to the tests' snapshots, in seconds. */
const historySeconds = 60;

/**
 * Omits features that tests do not need of a server that ends with them: diagnostics, and majority writes in the
 * journal, which take three times as long. Files of dropped databases are closed sooner: by default they stay open for
 * five minutes of history, and a whole run would exceed the limit of open files and end the server.
 */
async function hurryServer(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const admin = client.db('admin');
    const { config } = (await admin.command({ replSetGetConfig: 1 })) as Document & ReplicaSet;
    const version = config.version + 1;
    await admin.command({
      replSetReconfig: { ...config, version, writeConcernMajorityJournalDefault: false },
    });
    await admin.command({
      setParameter: 1,
      minSnapshotHistoryWindowInSeconds: historySeconds,
      diagnosticDataCollectionEnabled: false,
    });
  } finally {
    await client.close();
  }
}

interface ReplicaSet {
  config: { version: number };
}

/** A killed run leaves its folder, and possibly its running mongod. */
async function removeAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    if (await isMarkAlive(name.slice(folderPrefix.length))) continue;
    const dataDir = join(tmpdir(), name);
    try {
      await stopUnusedMongod(dataDir, collectLog().log);
      await rm(dataDir, { recursive: true, force: true });
    } catch {
      // Another run is removing it as well, or it belongs to another user.
    }
  }
}
