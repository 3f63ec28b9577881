import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Document, MongoClient, MongoError, MongoServerError } from 'mongodb';
import type { DatabaseSecrets } from './databaseFolder.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { type MongodProcess, replicaSetName } from './mongodProcess.ts';
import { isRunning } from './processes.ts';

/** Server error codes: mongodb/mongo src/mongo/base/error_codes.yml. */
const authenticationFailed = 18;
const userExists = 51003;

/** Database user of the gateway. */
const user = 'framegate';
const userRights = { mechanisms: ['SCRAM-SHA-256'], roles: ['root'] };
/** Retry interval, in ms. */
const retryMs = 20;

/** Connection string of the gateway. It contains the password: never log it. */
export function databaseUri(port: number, password: string): string {
  const address = `${user}:${password}@127.0.0.1:${port}`;
  return `mongodb://${address}/framegate?replicaSet=${replicaSetName}&authSource=admin`;
}

/** Whether a server accepts connections on this port of 127.0.0.1. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 });
    const end = (response: boolean): void => {
      socket.destroy();
      settle(response);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/**
 * Waits until a mongod is the writable primary of its replica set of one member and the gateway's user can log
 * in. Configures everything on the first start, and the stored address after a change of port.
 * @param readyMs Maximum wait in ms.
 * @returns Version of the server.
 * @throws EmbeddedDatabaseError if it ends or is not ready in time; the signal's reason if it is aborted.
 */
export async function initReplicaSet(
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
        const result = await step();
        if (result !== undefined) return result;
      } catch (error) {
        // Not listening yet, still reading its configuration, or busy with the previous step.
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
      await pause(retryMs);
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
 * Connects as the server's internal user, whose password is the content of the key file. It exists before all
 * other users and can configure the replica set in every state.
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

/** Returns true for a writable primary; otherwise takes one step towards it. */
async function becomePrimary(client: MongoClient, port: number): Promise<true | undefined> {
  const admin = client.db('admin');
  const host = `127.0.0.1:${port}`;
  const hello = await admin.command({ hello: 1 });
  if (hello['isWritablePrimary'] === true) return true;
  if (hello['setName'] !== undefined) return undefined;
  const stored = await client.db('local').collection('system.replset').findOne();
  if (stored === null) {
    await admin.command({ replSetInitiate: { _id: replicaSetName, members: [{ _id: 0, host }] } });
  } else if (!isMember(stored, host)) {
    // The stored address is outdated. Forced, because no member has the new address yet.
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

/** Creates the gateway's user or corrects its password. */
async function provideUser(client: MongoClient, port: number, password: string): Promise<void> {
  if (await canLogIn(port, password)) return;
  const admin = client.db('admin');
  try {
    await admin.command({ createUser: user, pwd: password, ...userRights });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== userExists) throw error;
    await admin.command({ updateUser: user, pwd: password, ...userRights });
  }
  if (!(await canLogIn(port, password))) {
    throw new EmbeddedDatabaseError("mongod does not accept the gateway's login");
  }
}

async function canLogIn(port: number, password: string): Promise<boolean> {
  const client = new MongoClient(databaseUri(port, password), { serverSelectionTimeoutMS: 10_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === authenticationFailed) return false;
    throw error;
  } finally {
    await client.close();
  }
}
