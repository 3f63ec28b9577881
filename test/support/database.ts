import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { codeVersion } from '../../gateway/src/adapters/mongo/migrate.ts';

/** A database for one test file. */
export interface TestDatabase {
  /** Connection string whose default database is this one. */
  uri: string;
  name: string;
  /** Removes the database; call it in afterAll, after closing the file's own connections. */
  drop(): Promise<void>;
}

/** A new, empty database on the mongod of this test run (or the one named by MONGODB_URI). */
export function createTestDatabase(): TestDatabase {
  const server = process.env['TEST_MONGODB_URI'];
  if (!server) throw new Error('TEST_MONGODB_URI is not set: start the tests with "npm test"');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const uri = withDatabase(server, name);
  return {
    uri,
    name,
    async drop() {
      const client = new MongoClient(uri);
      try {
        await client.db(name).dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
}

/** Emptied databases with the schema of this code, for the next test files of this process. */
const emptied: TestDatabase[] = [];
/**
 * A database without documents for code that migrates it itself. It may have served an earlier file of this process:
 * creating all collections and indexes costs half a second of processor time. On a server that outlives the run,
 * databases are new, and dropped.
 */
export function takeTestDatabase(): TestDatabase {
  const database = emptied.pop() ?? createTestDatabase();
  if (process.env['TEST_MONGODB_ENDS'] !== 'true') return database;
  return {
    ...database,
    async drop() {
      if (await empty(database)) emptied.push(database);
      else await database.drop();
    },
  };
}

/** Deletes everything except the records of migrations. @returns Whether the database has the schema of this code. */
async function empty({ uri, name }: TestDatabase): Promise<boolean> {
  const client = new MongoClient(uri);
  try {
    const db = client.db(name);
    for (const each of await db.collections()) {
      if (!/^(migrations$|system\.)/.test(each.collectionName)) await each.deleteMany({});
    }
    const done = db.collection('migrations').countDocuments({ version: { $exists: true } });
    return (await done) === codeVersion;
  } finally {
    await client.close();
  }
}

/** Puts the database into a connection string; authSource (or admin) still identifies its user. */
function withDatabase(uri: string, name: string): string {
  const match = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(uri);
  if (match === null) throw new Error('TEST_MONGODB_URI is not a MongoDB connection string');
  const [, address = '', formerName, query] = match;
  const options = new URLSearchParams(query);
  if (address.includes('@') && !options.has('authSource')) {
    options.set('authSource', formerName ? formerName : 'admin');
  }
  return `${address}/${name}?${options.toString()}`;
}
