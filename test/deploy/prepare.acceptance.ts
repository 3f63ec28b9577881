import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createS3Store } from '../../gateway/media/src/s3Store.ts';
import { type S3Server, startS3Server } from '../s3/s3Server.ts';
import { startProcess } from '../start/gatewayProcess.ts';
import { freePort } from '../support/freePort.ts';
import { runNode } from '../support/runNode.ts';
import { admin, type Members, startMembers } from './support/replicaSet.ts';

/* The step that compose.yaml runs before the gateway, on three real servers and a real bucket server. */
const folder = mkdtempSync(join(tmpdir(), 'framegate-prepare-'));
let members: Members;
let s3: S3Server;
let env: Record<string, string>;

/** A file of the folder that holds a secret. */
function file(name: string, secret: string): string {
  const path = join(folder, name);
  writeFileSync(path, `${secret}\n`);
  return path;
}

beforeAll(async () => {
  members = await startMembers(folder);
  s3 = await startS3Server();
  env = {
    MONGODB_MEMBERS: members.hosts.join(','),
    MONGODB_ADMIN_USER: admin.user,
    MONGODB_ADMIN_PASSWORD_FILE: file('admin', admin.pwd),
    MONGODB_URI: `mongodb://framegate:its-password@${members.hosts.join(',')}/framegate?replicaSet=rs0&authSource=admin`,
    MONGODB_MIGRATION_URI: `mongodb://migration:another@${members.hosts.join(',')}/framegate?replicaSet=rs0&authSource=admin`,
    MEDIA_STORE: 's3',
    S3_ENDPOINT: String(s3.options.endpoint),
    S3_FORCE_PATH_STYLE: 'true',
    S3_BUCKET: 'made-here',
    S3_ACCESS_KEY_ID: 'gateway',
    S3_SECRET_ACCESS_KEY_FILE: file('s3', 'a<secret>&more'),
    S3_ROOT_ACCESS_KEY_ID: String(s3.options.credentials?.accessKeyId),
    S3_ROOT_SECRET_ACCESS_KEY: String(s3.options.credentials?.secretAccessKey),
  };
}, 900_000);

afterAll(async () => {
  await s3.close();
  await members.close();
  rmSync(folder, { recursive: true, force: true });
});

const users =
  'user framegate may find, insert, update, remove in framegate\n' +
  'user migration may find, insert, update, remove, listCollections, createCollection, collMod, createIndex, dropIndex in framegate\n';
const bucketUser = 'user gateway may read, write and delete files of the bucket made-here\n';

test('creates replica set, users and bucket, and nothing the second time', async () => {
  const first = await runNode(['deploy/image/prepare.js'], env);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toMatch(/^replica set rs0 made.*\n/);
  expect(first.stdout).toContain(`${users}bucket made-here made\n${bucketUser}`);
  const second = await runNode(['deploy/image/prepare.js'], env);
  expect(second).toMatchObject({ status: 0, stdout: users + bucketUser });
});

test('the key of the gateway reads, writes and deletes files of its bucket, and may do nothing else', async () => {
  const credentials = { accessKeyId: 'gateway', secretAccessKey: 'a<secret>&more' };
  const options = { ...s3.options, bucket: 'made-here', credentials };
  const store = createS3Store(options, folder);
  const key = 'outputs/gen_a/0.mp4';
  await store.put(key, Buffer.from('a file'), { contentType: 'video/mp4', maxBytes: 100 });
  expect(await store.stat(key)).toMatchObject({ bytes: 6 });
  await store.delete(key);
  expect(await store.stat(key)).toBeNull();
  // A file of the time when the processes had the server's own key.
  const before = createS3Store({ ...s3.options, bucket: 'made-here' }, folder);
  await before.put(key, Buffer.from('a file'), { contentType: 'video/mp4', maxBytes: 100 });
  before.close();
  expect(await store.stat(key)).toMatchObject({ bytes: 6 });
  await store.delete(key);
  expect(await store.stat(key)).toBeNull();
  store.close();
  const client = new S3Client({
    region: options.region,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials,
    endpoint: String(options.endpoint),
  });
  const refused = await Promise.allSettled([
    client.send(new CreateBucketCommand({ Bucket: 'another' })),
    client.send(new DeleteBucketPolicyCommand({ Bucket: 'made-here' })),
    client.send(new ListObjectsV2Command({ Bucket: s3.options.bucket })),
  ]);
  const denied = { status: 'rejected', reason: { name: 'AccessDenied' } };
  expect(refused).toMatchObject([denied, denied, denied]);
  expect((await client.send(new ListBucketsCommand())).Buckets ?? []).toEqual([]);
  client.destroy();
});

test('a secret that cannot be read is named, and nothing is made', async () => {
  const missing = join(folder, 'missing');
  const fileEnv = { MONGODB_URI_FILE: missing };
  expect(await runNode(['deploy/image/prepare.js'], fileEnv)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `MONGODB_URI_FILE is "${missing}": there is no such file.\n`,
  });
});

test('these users, who have no further rights, suffice to migrate the database and to run the gateway', async () => {
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
