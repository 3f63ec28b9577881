import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createS3Store, type S3Store } from '../../gateway/media/src/s3Store.ts';
import { describeMediaStore } from '../../gateway/media/test/mediaStore.contract.ts';
import { image, video } from '../support/bodies.ts';
import { startTestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { type S3Server, startS3Server } from './s3Server.ts';

let server: S3Server;
let folder: string;
let store: S3Store;

beforeAll(async () => {
  server = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), 'framegate-s3-temp-'));
  store = createS3Store(server.options, folder);
}, 600_000);

afterAll(async () => {
  store.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describeMediaStore(
  'a bucket',
  async () => store,
  async () => {},
);

describe('the s3 store', () => {
  const options = { contentType: 'video/mp4', maxBytes: 20_000_000 };

  test('leaves no temporary file behind', async () => {
    await store.put('outputs/gen_a/0.mp4', Buffer.alloc(8_000_000, 'x'), options);
    await expect(
      store.put('outputs/gen_a/1.mp4', Buffer.alloc(20_000_001), options),
    ).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
    expect(await store.stat('outputs/gen_a/0.mp4')).toMatchObject({ bytes: 8_000_000 });
  });

  test('a missing bucket is trouble, not a missing file', async () => {
    const other = createS3Store({ ...server.options, bucket: 'nobodys-bucket' }, folder);
    await expect(other.open('outputs/gen_a/0.mp4')).rejects.toThrow();
    await expect(other.put('outputs/gen_a/0.mp4', Buffer.from('x'), options)).rejects.toThrow();
    other.close();
  });

  test('a missing or unreachable bucket is reported at startup', async () => {
    const { endpoint, credentials } = server.options;
    for (const S3_ENDPOINT of [endpoint ?? '', 'http://127.0.0.1:1']) {
      const told: string[] = [];
      const log = { debug: () => undefined, info: () => undefined, error: () => undefined };
      const warn = (_: object, message: string) => void told.push(message);
      const settings = {
        MEDIA_STORE: 's3',
        S3_BUCKET: 'nobodys-bucket',
        S3_FORCE_PATH_STYLE: 'true',
        S3_ENDPOINT,
        S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
        S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
      };
      const gateway = await startTestGateway(settings, undefined, { ...log, warn });
      await until(() =>
        told.some((line) => line.startsWith('failed to read the bucket in S3_BUCKET')),
      );
      await gateway.stop();
    }
  });

  test('stores and serves the results of a whole gateway', async () => {
    const { bucket, endpoint, credentials } = server.options;
    const gateway = await startTestGateway({
      MEDIA_STORE: 's3',
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint ?? '',
      S3_PREFIX: 'gateway',
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    });
    try {
      const account = await gateway.addAccount();
      const made = await account.post('/v1/images', image());
      const picture = await account.untilEnded(String(made.json['id']));
      expect(picture).toMatchObject({ status: 'completed' });
      const [url = ''] = (picture['output'] as { urls: string[] }).urls;
      const response = await fetch(url, { headers: { range: 'bytes=1-3' } });
      expect([response.status, await response.text()]).toEqual([206, 'PNG']);
      // An output as an input: read from the bucket.
      const inputs = [{ type: 'image', url }];
      const filmed = await account.post('/v1/videos', video({ mode: 'image-to-video', inputs }));
      const film = await account.untilEnded(String(filmed.json['id']));
      expect(film).toMatchObject({ status: 'completed' });
      expect(gateway.errors).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
