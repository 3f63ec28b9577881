import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';

let provider: TinyServer;
let gateway: TestGateway;

beforeAll(async () => {
  provider = await startTinyServer((_, response) => {
    json(response, 200, { request_id: 'r', output: { task_id: '1', task_status: 'PENDING' } });
  });
  const routes = {
    providers: {
      w: {
        kind: 'ai-sdk',
        package: '@ai-sdk/alibaba',
        factory: 'createAlibaba',
        apiKeyEnv: 'KEY',
        allowPrivateNetwork: true,
        mediaHosts: ['files.example'],
        rewriteOrigins: { 'https://dashscope-intl.aliyuncs.com': provider.origin },
      },
    },
    models: {
      // The operator says that sound is as asked; the package knows that this model has no switch.
      'alpha-2.5': [{ provider: 'w', model: 'wan2.7-t2v', does: { audio: true } }],
    },
  };
  gateway = await startRoutedGateway(routes, { KEY: 'a-key' });
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

test('a video whose package left a paid option out is failed and refunded, and the operator is alerted', async () => {
  const account = await gateway.addAccount({ credits: 1000 });
  const parameters = { generate_audio: false, resolution: '720p' };
  const body = video({ model: 'alpha-2.5', parameters });
  const created = await account.post('/v1/videos', body);
  expect([created.status, created.json['error']]).toEqual([202, undefined]);
  const id = String(created.json['id']);
  expect(await account.untilEnded(id)).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed' },
    billing: { status: 'refunded' },
  });
  const balance = await account.get('/v1/credits/balance');
  expect(balance.json).toMatchObject({ available: 1000, in_flight: 0 });
  const alert = gateway.errors.filter((line) => line.includes('parameter_dropped'));
  expect(alert).toHaveLength(1);
  for (const part of ['generateAudio', '"provider":"w"', 'wan2.7-t2v', id]) {
    expect(alert[0]).toContain(part);
  }
  // The work was ordered once, of one provider.
  expect(provider.got.map(({ method }) => method)).toEqual(['POST']);
});
