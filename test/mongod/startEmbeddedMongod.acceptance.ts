import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import {
  type EmbeddedMongod,
  type FoundMongod,
  startEmbeddedMongod,
} from '@framegate/embedded-mongod';
import { readProcess } from '../../gateway/embedded-mongod/src/processes.ts';
import { isListening } from '../../gateway/embedded-mongod/src/replicaSet.ts';
import { collectLog, findTestMongod } from '../support/mongod.ts';
import { newFolder, plantScript, removeFolders } from './folders.ts';

let mongod: FoundMongod;
let dataDir: string;

beforeAll(async () => {
  mongod = await findTestMongod();
  dataDir = join(await newFolder(), 'data');
});

afterAll(removeFolders);

/** Starts the database, and stops it whatever happens in the meantime. */
async function withDatabase(work: (database: EmbeddedMongod, lines: string[]) => Promise<void>) {
  const { log, lines } = collectLog();
  const database = await startEmbeddedMongod({ dataDir, mongod, log });
  try {
    await work(database, lines);
  } finally {
    await database.release();
  }
}

async function withClient<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function countThings(uri: string): Promise<number> {
  return withClient(uri, (client) => client.db().collection('things').countDocuments());
}

/** The life of one data folder: the tests build on each other. */
describe('one data folder', () => {
  let port: number;
  let pid: number;

  test('the first start gives a replica set that takes transactions, closed to all other users', async () => {
    await withDatabase(async (database) => {
      ({ port, pid } = database);
      if (process.platform === 'linux') {
        expect(await readFile(`/proc/${pid}/environ`, 'utf8')).toBe('');
      }
      await withClient(database.uri, async (client) => {
        const things = client.db().collection('things');
        await client.withSession((session) =>
          session.withTransaction(() => things.insertOne({ kept: true }, { session })),
        );
        const options = await client.db('admin').command({ getCmdLineOpts: 1 });
        expect(options['parsed']).toMatchObject({
          net: { bindIp: '127.0.0.1', compression: { compressors: 'disabled' }, port },
          setParameter: {
            diagnosticDataCollectionEnabled: 'false',
            enableLocalhostAuthBypass: 'false',
            enableTestCommands: '0',
            transactionLifetimeLimitSeconds: '20',
          },
        });
      });

      const wrong = database.uri.replace(/:[0-9a-f]+@/, ':wrong@');
      expect(wrong).not.toBe(database.uri);
      await expect(countThings(wrong)).rejects.toThrow('Authentication failed');
      const anonymous = `mongodb://127.0.0.1:${port}/?directConnection=true`;
      await expect(countThings(anonymous)).rejects.toThrow('requires authentication');
      const intruder = { createUser: 'intruder', pwd: 'x', roles: ['root'] };
      await withClient(anonymous, async (client) => {
        await expect(client.db('admin').command(intruder)).rejects.toThrow(
          'requires authentication',
        );
      });
    });
    const root = join(dataDir, 'mongodb');
    const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    expect(await mode(dataDir)).toBe(0o700);
    expect(await mode(root)).toBe(0o700);
    expect(await mode(join(root, 'keyfile'))).toBe(0o600);
    expect(await mode(join(root, 'password'))).toBe(0o600);
    expect((await promisify(execFile)('du', ['-sk', root])).stdout).toMatch(/^[1-5]?\d{1,4}\s/);
  });

  test('a release stops it cleanly', async () => {
    expect(await isListening(port)).toBe(false);
    const log = await readFile(join(dataDir, 'mongodb/mongod.log'), 'utf8');
    expect(log).toMatch(/"msg":"Shutting down","attr":\{"exitCode":0\}/);
    expect(await readdir(join(dataDir, 'mongodb/users'))).toEqual([]);
  });

  test('the second start has the same address and data, and reports no trouble', async () => {
    await withDatabase(async (database, lines) => {
      expect(database.port).toBe(port);
      expect(database.pid).not.toBe(pid);
      expect(await countThings(database.uri)).toBe(1);
      expect(lines).toEqual([]);
    });
  });

  test('keeps a port that becomes free soon', async () => {
    const squatter = createServer();
    squatter.listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const { log } = collectLog((line) => {
      if (line.includes('waiting for it')) squatter.close();
    });
    const database = await startEmbeddedMongod({ dataDir, mongod, log });
    expect(squatter.listening).toBe(false);
    await database.release();
    expect(database.port).toBe(port);
  });

  test('moves to another port when its own is taken, and stays there', async () => {
    // A query that mongod sends to its old address to recognise itself gets no response.
    const squatter = createServer((socket) => socket.destroy());
    squatter.listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    let moved = 0;
    try {
      await withDatabase(async (database, lines) => {
        moved = database.port;
        expect(moved).not.toBe(port);
        expect(await countThings(database.uri)).toBe(1);
        expect(lines).toContain(`port ${port} is taken, so the database moves to port ${moved}`);
      });
    } finally {
      squatter.close();
      await once(squatter, 'close');
    }
    await withDatabase(async (database) => {
      expect(database.port).toBe(moved);
      expect(await countThings(database.uri)).toBe(1);
    });
  });

  test('restarts on another port when its own is taken during the start', async () => {
    const folder = await newFolder();
    const complaint =
      '{"s":"E","msg":"Error setting up listener","attr":{"error":"Address already in use"}}';
    const path = await plantScript(
      join(folder, 'mongod'),
      `[ -e '${folder}/tried' ] && exec '${mongod.path}' "$@"
       echo '${complaint}'; touch '${folder}/tried'; exit 48`,
    );
    const { log } = collectLog();
    const database = await startEmbeddedMongod({ dataDir, mongod: { path }, log });
    try {
      expect(await countThings(database.uri)).toBe(1);
    } finally {
      await database.release();
    }
  });

  test('is stopped by the last release of two in one process, and a repeated release does nothing', async () => {
    const { log } = collectLog();
    const [first, second] = await Promise.all([
      startEmbeddedMongod({ dataDir, mongod, log }),
      startEmbeddedMongod({ dataDir, mongod, log }),
    ]);
    expect(second).toMatchObject({ pid: first.pid, port: first.port, uri: first.uri });
    await first.release();
    await first.release();
    expect(await countThings(second.uri)).toBe(1);
    await second.release();
    expect(await isListening(second.port)).toBe(false);
  });
});

test('an aborted start leaves no mongod behind', async () => {
  const controller = new AbortController();
  const { log } = collectLog();
  const other = join(await newFolder(), 'data');
  const start = startEmbeddedMongod({ dataDir: other, mongod, log, signal: controller.signal });
  const pid = await mongodPid(other);
  controller.abort(new Error('called off'));
  await expect(start).rejects.toThrow('called off');
  expect(await readProcess(pid)).toBeUndefined();
});

/** The pid of the mongod that is being started there. */
async function mongodPid(folder: string): Promise<number> {
  for (;;) {
    const content = await readFile(join(folder, 'mongodb/db/mongod.lock'), 'utf8').catch(() => '');
    if (content.endsWith('\n')) return Number(content);
    await new Promise(setImmediate);
  }
}
