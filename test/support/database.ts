import { randomBytes } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
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
    const names = (await db.collections()).map((each) => each.collectionName);
    const filled = await findFilled(
      db,
      names.filter((each) => !/^(migrations$|system\.)/.test(each)),
    );
    await Promise.all(filled.map((each) => db.collection(each).deleteMany({})));
    const done = db.collection('migrations').countDocuments({ version: { $exists: true } });
    return (await done) === codeVersion;
  } finally {
    await client.close();
  }
}

/**
 * The collections with documents, in one statement: deleting from each of the many empty ones takes three times the
 * processor time.
 */
async function findFilled(db: Db, names: readonly string[]): Promise<string[]> {
  const [first, ...others] = names;
  if (first === undefined) return [];
  const oneOf = (filled: string) => [
    { $limit: 1 },
    { $project: { _id: 0, filled: { $literal: filled } } },
  ];
  const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: oneOf(coll) } }));
  const found = db.collection(first).aggregate<{ filled: string }>([...oneOf(first), ...unions]);
  return (await found.toArray()).map(({ filled }) => filled);
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
