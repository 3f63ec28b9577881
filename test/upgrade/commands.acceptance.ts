import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { DoneMigration } from '../../gateway/src/domain/installation/schemaVersion.ts';
import { createTestDatabase } from '../support/database.ts';
import { projectRoot, runNode } from '../support/runNode.ts';
import { until } from '../support/until.ts';

const database = createTestDatabase();
const client = new MongoClient(database.uri);
const db = client.db(database.name);
/** Nothing but the database: the settings of a Job that migrates. */
const production = { MODE: 'production', MONGODB_URI: database.uri };

beforeAll(async () => {
  await client.connect();
});
afterAll(async () => {
  await client.close();
  await database.drop();
});

const admin = (line: string, env: Record<string, string> = production) =>
  runNode(['gateway/src/admin.ts', ...line.split(' ')], env);
const status = async () => {
  const ended = await admin('database status');
  return { exit: ended.status, ...(JSON.parse(ended.stdout) as Record<string, unknown>) };
};

/** Switches a fail point of the server on. @returns A function that switches it off. */
async function openFailPoint(name: string): Promise<() => Promise<void>> {
  const point = client.db('admin');
  await point.command({ configureFailPoint: name, mode: 'alwaysOn' });
  return async () => {
    await point.command({ configureFailPoint: name, mode: 'off' });
  };
}

test('of a fresh database: status gives instructions and writes nothing', async () => {
  expect(await status()).toMatchObject({ exit: 1, verdict: 'older', schema: 0, migrations: [] });
  expect(await db.collections()).toEqual([]);
});

test('a replica set without a primary is reported in one clear line', async () => {
  const uri = new URL(database.uri);
  // To the driver, a set of another name has no primary.
  uri.searchParams.set('replicaSet', 'another');
  const { status: exitStatus, stderr } = await admin('database status', { MONGODB_URI: uri.href });
  expect([exitStatus, stderr]).toEqual([1, expect.stringMatching(/^.*has no primary.*\n$/)]);
});

test('the next process continues after one that was killed halfway', async () => {
  // An index on a document hangs while it is built.
  await db.collection('generations').insertOne({ accountId: 'acct_1' });
  const letGo = await openFailPoint('hangAfterStartingIndexBuild');
  try {
    const child = spawn(process.execPath, ['gateway/src/admin.ts', 'database', 'migrate'], {
      cwd: projectRoot,
      env: { ...process.env, ...production },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(async () => {
      const builds = await client
        .db('admin')
        .aggregate([{ $currentOp: {} }, { $match: { 'command.createIndexes': 'generations' } }])
        .toArray();
      return builds.length > 0;
    });
    child.kill('SIGKILL');
    await ended;
    expect(await status()).toMatchObject({ exit: 1, schema: 0, migrated_by: expect.any(String) });
  } finally {
    await letGo();
  }
  // Two at once: one of them takes over, the other waits for it.
  const both = await Promise.all([admin('database migrate'), admin('database migrate')]);
  expect(both.map((each) => [each.status, each.stdout === ''])).toEqual([
    [0, false],
    [0, false],
  ]);
  const migrated = both.map(
    ({ stdout }) => (JSON.parse(stdout) as { migrated: number[] }).migrated,
  );
  expect(migrated.filter((versions) => versions.length > 0)).toHaveLength(1);
  expect(both.map(({ stderr }) => stderr).join('')).toContain('waiting for another process');
  expect(await status()).toMatchObject({ exit: 0, verdict: 'same', migrated_by: null });
  await db.collection('generations').deleteMany({});
});

test('a newer schema is refused in one line, and stays', async () => {
  const migrations = db.collection<{ _id: string } & DoneMigration>('migrations');
  const newer = { version: 9999, name: 'newer', worksWith: 9999, durationMs: 1 };
  await migrations.insertOne({ _id: '9999', ...newer, doneAt: new Date() as never });
  try {
    const refused = await admin('database migrate');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^The database has schema 9999, .* a newer release .*\n$/);
    expect(await status()).toMatchObject({ exit: 1, verdict: 'newer' });
  } finally {
    await migrations.deleteOne({ _id: '9999' });
  }
});

describe('commands that read', () => {
  const reader = { user: `reader_${randomUUID()}`, pwd: randomUUID() };
  let env: Record<string, string>;

  beforeAll(async () => {
    const roles = [{ role: 'read', db: database.name }];
    await db.command({ createUser: reader.user, pwd: reader.pwd, roles });
    const uri = new URL(database.uri);
    uri.username = reader.user;
    uri.password = reader.pwd;
    uri.searchParams.set('authSource', database.name);
    env = { MONGODB_URI: uri.href, KEY_PEPPERS: `1:${'p'.repeat(32)}` };
  });
  afterAll(async () => {
    await db.command({ dropUser: reader.user });
  });

  test('need no right to write', async () => {
    const made = await admin('account create --email ada@people.example --verified', {
      MONGODB_URI: database.uri,
    });
    const { account_id: account } = JSON.parse(made.stdout) as { account_id: string };
    for (const line of [
      'database status',
      `account show --account ${account}`,
      'ledger verify',
      'real-person export',
    ]) {
      expect([line, await admin(line, env)]).toMatchObject([line, { status: 0, stderr: '' }]);
    }
    const writes = await admin(`account suspend --account ${account}`, env);
    expect(writes).toMatchObject({ status: 1, stdout: '' });
    expect(writes.stderr).toMatch(/^The user of MONGODB_URI cannot write .*\n$/);
  });
});
