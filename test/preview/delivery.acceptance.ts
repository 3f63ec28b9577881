import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseStoredGeneration } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import { image, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let account: TestAccount;

beforeAll(async () => {
  gateway = await startTestGateway();
  account = await gateway.addAccount({ credits: 100_000 });
});
afterAll(() => gateway.stop());

test.each([
  [
    'videos',
    video({ model: 'alpha-2.5', parameters: { resolution: '480p', generate_audio: true } }),
  ],
  ['videos', video({ parameters: { resolution: '480p', aspect_ratio: '21:9' } })],
  ['videos', video({ parameters: { resolution: '720p', aspect_ratio: '9:16' } })],
  ['images', image({ parameters: { n: 2, aspect_ratio: '3:2', output_format: 'webp' } })],
  ['images', image({ parameters: { resolution: '2k', aspect_ratio: '21:9' } })],
])('the preview renderer delivers as ordered: %s %j', async (kind, body) => {
  const { status, json } = await account.post(`/v1/${kind}`, body);
  expect([status, json['error']]).toEqual([202, undefined]);
  const _id = String(json['id']);
  expect(await account.untilEnded(_id)).toMatchObject({ status: 'completed' });
  const found = await gateway.collections.generations.findOne({ _id });
  const [attempt] = found ? parseStoredGeneration(found).attempts : [];
  expect(attempt).toMatchObject({ outcome: 'completed' });
  expect(attempt).not.toHaveProperty('differences');
});
