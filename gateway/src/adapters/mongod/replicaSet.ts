import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, MongoError, MongoServerError, type Document } from 'mongodb';
import type { DatabaseSecrets } from './databaseFolder.ts';
import { EmbeddedDatabaseError } from './embeddedDatabaseError.ts';
import { isListening } from './localPort.ts';
import { isRunning, REPLICA_SET, type MongodProcess } from './mongodProcess.ts';

/** Server error codes: mongodb/mongo src/mongo/base/error_codes.yml. */
const AUTHENTICATION_FAILED = 18;
const USER_EXISTS = 51003;

const USER = 'framegate';
/** How often a condition is looked at again, in ms. */
const LOOK_EVERY_MS = 20;

/** The connection string of the gateway. It holds the password: never log it. */
export function databaseUri(port: number, password: string): string {
  return `mongodb://${USER}:${password}@127.0.0.1:${port}/framegate?replicaSet=${REPLICA_SET}&authSource=admin`;
}

/**
 * Waits until a mongod is the writable primary of its replica set of one, has its user, and lets that
 * user in. Sets up what is missing: on the first start everything; after a change of port the address
 * in the stored configuration; nothing on a usual start.
 * @param readyMs Longest wait in ms.
 * @returns Its version.
 * @throws EmbeddedDatabaseError when it ends meanwhile or is not ready in time.
 */
export async function makeReady(
  mongod: MongodProcess,
  secrets: DatabaseSecrets,
  { readyMs, signal }: { readyMs: number; signal?: AbortSignal | undefined },
): Promise<string> {
  const giveUpAt = performance.now() + readyMs;
  let lastProblem = '';
  const retry = async <T>(step: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      signal?.throwIfAborted();
      try {
        const done = await step();
        if (done !== undefined) return done;
      } catch (error) {
        // Not listening yet, still reading its configuration, or a step that was just being done.
        if (!(error instanceof MongoError)) throw error;
        lastProblem = `: ${error.message}`;
      }
      if (!(await isRunning(mongod))) throw new EmbeddedDatabaseError('mongod has ended.');
      if (performance.now() > giveUpAt) {
        const waited = `${Math.round(readyMs / 1000)} s`;
        throw new EmbeddedDatabaseError(
          `mongod (process ${mongod.pid}, port ${mongod.port}) was not ready after ${waited}${lastProblem}.`,
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  };
  const client = await retry(() => connectAsSystem(mongod.port, secrets.key));
  try {
    await retry(() => becomePrimary(client, mongod.port));
    await provideUser(client, mongod.port, secrets.password);
    const { version } = (await client.db('admin').command({ buildInfo: 1 })) as { version: string };
    return version;
  } finally {
    await client.close();
  }
}

/**
 * Connects as the server's own internal user, whom the key file lets in: it is there before any other
 * user, and may configure the replica set in every state.
 */
async function connectAsSystem(port: number, key: string): Promise<MongoClient | undefined> {
  if (!(await isListening(port))) return undefined;
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    auth: { username: '__system', password: key },
    authSource: 'local',
    authMechanism: 'SCRAM-SHA-256',
    serverSelectionTimeoutMS: 2_000,
    maxPoolSize: 1,
  });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** One look and, where needed, one step towards a writable primary; true when it is there. */
async function becomePrimary(client: MongoClient, port: number): Promise<true | undefined> {
  const admin = client.db('admin');
  const host = `127.0.0.1:${port}`;
  const hello = await admin.command({ hello: 1 });
  if (hello['isWritablePrimary'] === true) return true;
  if (hello['setName'] !== undefined) return undefined;
  const stored = await client.db('local').collection('system.replset').findOne();
  if (stored === null) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } else if (!isMember(stored, host)) {
    // The stored address is an old one. With a single member there is nobody to agree with.
    const config = {
      ...stored,
      version: Number(stored['version']) + 1,
      members: [{ _id: 0, host }],
    };
    await admin.command({ replSetReconfig: config, force: true });
  }
  return undefined;
}

function isMember(config: Document, host: string): boolean {
  const members: unknown = config['members'];
  return Array.isArray(members) && members.some((member: Document) => member['host'] === host);
}

/** Makes the gateway's user if it is not there, and gives it the stored password if it has another. */
async function provideUser(client: MongoClient, port: number, password: string): Promise<void> {
  const admin = client.db('admin');
  if (await isLetIn(port, password)) return;
  const pwd = password;
  try {
    await admin.command({ createUser: USER, pwd, mechanisms: ['SCRAM-SHA-256'], roles: ['root'] });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== USER_EXISTS) throw error;
    await admin.command({ updateUser: USER, pwd, mechanisms: ['SCRAM-SHA-256'], roles: ['root'] });
  }
  if (!(await isLetIn(port, password))) {
    throw new EmbeddedDatabaseError('mongod does not let the gateway in');
  }
}

async function isLetIn(port: number, password: string): Promise<boolean> {
  const client = new MongoClient(databaseUri(port, password), { serverSelectionTimeoutMS: 10_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED) return false;
    throw error;
  } finally {
    await client.close();
  }
}
