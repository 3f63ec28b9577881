import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MongoClient } from 'mongodb';
import { startS3Server, type S3Server } from '../s3/s3Server.ts';
import { startProcess } from '../start/gatewayProcess.ts';
import { freePort } from '../support/freePort.ts';
import { runNode } from '../support/runNode.ts';
import { adminLogin, startMembers, type Members } from './support/replicaSet.ts';

/* The step that compose.yaml runs before the gateway, on three real servers and a real bucket server. */
const folder = mkdtempSync(join(tmpdir(), 'framegate-prepare-'));
let members: Members;
let s3: S3Server;
let env: Record<string, string>;

beforeAll(async () => {
  members = await startMembers(folder);
  s3 = await startS3Server();
  env = {
    MONGODB_MEMBERS: members.hosts.join(','),
    MONGODB_ADMIN: adminLogin,
    MONGODB_URI: `mongodb://framegate:its-password@${members.hosts.join(',')}/framegate?replicaSet=rs0&authSource=admin`,
    MONGODB_MIGRATION_URI: `mongodb://migration:another@${members.hosts.join(',')}/framegate?replicaSet=rs0&authSource=admin`,
    MEDIA_STORE: 's3',
    S3_ENDPOINT: String(s3.options.endpoint),
    S3_FORCE_PATH_STYLE: 'true',
    S3_BUCKET: 'made-here',
    S3_ACCESS_KEY_ID: String(s3.options.credentials?.accessKeyId),
    S3_SECRET_ACCESS_KEY: String(s3.options.credentials?.secretAccessKey),
  };
}, 900_000);

afterAll(async () => {
  await s3.close();
  await members.close();
  rmSync(folder, { recursive: true, force: true });
});

const users =
  'user framegate may find, insert, update, remove in framegate\n' +
  'user migration may find, insert, update, remove, createCollection, createIndex, dropIndex in framegate\n';

test('it makes replica set, users and bucket, and a second time nothing', async () => {
  const first = await runNode(['deploy/image/prepare.js'], env);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toMatch(/^replica set rs0 made.*\n/);
  expect(first.stdout).toContain(`${users}bucket made-here made\n`);
  const second = await runNode(['deploy/image/prepare.js'], env);
  expect(second).toMatchObject({ status: 0, stdout: users });
});

test('with those users, who may do nothing else, the database is migrated and the gateway starts and keeps its data', async () => {
  const migrate = (MONGODB_URI = '') =>
    runNode(['gateway/src/admin.ts', 'database', 'migrate'], { MONGODB_URI });
  expect((await migrate(env['MONGODB_URI'])).stderr).toContain('not authorized');
  expect(await migrate(env['MONGODB_MIGRATION_URI'])).toMatchObject({ status: 0 });
  const port = String(await freePort());
  const gateway = startProcess({ ...env, PORT: port, DATA_DIR: join(folder, 'data') });
  try {
    await gateway.untilRunning();
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(gateway.stdout()).not.toMatch(/not authorized|"level":(50|60)/);
  } finally {
    gateway.child.kill('SIGTERM');
  }
  expect(await gateway.ended).toBe(0);
  const client = new MongoClient(String(env['MONGODB_URI']));
  try {
    expect(await client.db('framegate').collection('agendaJobs').countDocuments()).not.toBe(0);
    const others = client.db('other').collection('things').findOne();
    await expect(others).rejects.toThrow('not authorized');
  } finally {
    await client.close();
  }
});
