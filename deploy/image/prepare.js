/**
 * Prepares new servers before the gateway starts; running it again changes nothing. It creates the
 * replica set, the gateway's own database users with the least rights, the bucket, and the gateway's own user of the
 * S3 server.
 *
 *   MONGODB_MEMBERS         host:port,… of the replica set rs0, the first of which knows the administrator
 *   MONGODB_ADMIN_USER      that administrator; none without access control
 *   MONGODB_ADMIN_PASSWORD  its password
 *   MONGODB_URI, S3_*       as the gateway has them; the user and its password are taken from MONGODB_URI
 *   MONGODB_MIGRATION_URI   the same for the user who migrates
 *   S3_ROOT_ACCESS_KEY_ID, S3_ROOT_SECRET_ACCESS_KEY  of Versity's gateway, which then makes the user of S3_*
 *
 * Each secret may be a file instead, as everywhere: MONGODB_URI_FILE and so on.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { readSecretFiles } from '../../gateway/src/settings/secretSettings.ts';
import { makeBucket } from './prepareBucket.js';

const ofDatabase = ['MONGODB_ADMIN_PASSWORD', 'MONGODB_URI', 'MONGODB_MIGRATION_URI'];
const ofBucket = ['S3_SECRET_ACCESS_KEY', 'S3_ROOT_SECRET_ACCESS_KEY'];
const { env, problems } = readSecretFiles(
  [...ofDatabase, ...ofBucket],
  process.env,
  (path) => path,
);
if (problems.length > 0) {
  process.stderr.write(problems.map(({ message }) => `${message}\n`).join(''));
  process.exit(1);
}
const members = (env.MONGODB_MEMBERS ?? '').split(',');
const { MONGODB_ADMIN_USER: admin = '', MONGODB_ADMIN_PASSWORD: password = '' } = env;
const login = admin === '' ? '' : `${encodeURIComponent(admin)}:${encodeURIComponent(password)}@`;
const say = (text) => process.stdout.write(`${text}\n`);

/** Tries again for two minutes: servers that start together are not ready immediately. */
async function patiently(what, task) {
  const until = Date.now() + 120_000;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (Date.now() > until) throw new Error(`${what}: ${error.message}`, { cause: error });
      await pause(500);
    }
  }
}

/** Runs a task with a connection to the administrator's database. */
async function withAdmin(uri, task) {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await task(client.db('admin'));
  } finally {
    await client.close();
  }
}

async function initiate() {
  await withAdmin(`mongodb://${login}${members[0]}/?directConnection=true`, async (admin) => {
    try {
      await admin.command({ replSetGetStatus: 1 });
    } catch (error) {
      if (error.codeName !== 'NotYetInitialized') throw error;
      const list = members.map((host, _id) => ({ _id, host }));
      await admin.command({ replSetInitiate: { _id: 'rs0', members: list } });
      say(`replica set rs0 made of ${members.join(', ')}`);
    }
  });
}

/** Rights in docs/operating/storage.md, Database. */
const processActions = ['find', 'insert', 'update', 'remove'];
const migrationActions = [
  ...processActions,
  'listCollections',
  'createCollection',
  'collMod',
  'createIndex',
  'dropIndex',
];

/** The user of a connection string, who may do this in its one database and nothing else. */
async function makeUser(uri, role, actions) {
  // A URL has one host.
  const { username, password } = new URL(uri.split(',')[0]);
  const db = /\/([^/?]+)(\?|$)/.exec(uri.slice('mongodb://'.length))?.[1];
  const [name, pwd] = [username, password].map(decodeURIComponent);
  if (name === '') return;
  if (!db) throw new Error('the connection string names no database');
  const privileges = [{ resource: { db, collection: '' }, actions }];
  await withAdmin(`mongodb://${login}${members.join(',')}/?replicaSet=rs0`, async (admin) => {
    const { roles } = await admin.command({ rolesInfo: role });
    const makeRole = roles.length > 0 ? { updateRole: role } : { createRole: role };
    await admin.command({ ...makeRole, privileges, roles: [] });
    const { users } = await admin.command({ usersInfo: name });
    const make = users.length > 0 ? { updateUser: name } : { createUser: name };
    await admin.command({ ...make, pwd, roles: [role] });
    say(`user ${name} may ${actions.join(', ')} in ${db}`);
  });
}

async function makeUsers() {
  const { MONGODB_MIGRATION_URI: migration = '' } = env;
  // One user does both where the other has none of its own.
  const actions = migration === '' ? migrationActions : processActions;
  await makeUser(env.MONGODB_URI, 'framegateProcess', actions);
  if (migration !== '') await makeUser(migration, 'framegateMigration', migrationActions);
}

await patiently('the replica set could not be made', initiate);
await patiently('the users could not be made', makeUsers);
if (env.MEDIA_STORE === 's3') {
  await patiently('the bucket could not be made', () => makeBucket(env, say));
}
