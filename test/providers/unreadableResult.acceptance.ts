import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { until } from '../support/until.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';

let provider: TinyServer;
let gateway: TestGateway;
/** Status of the job; its result is answered with 500. */
let status: string;
/** Orders so far, for a job of each. */
let jobs = 0;

beforeAll(async () => {
  provider = await startTinyServer(({ method, path }, response) => {
    if (method === 'POST') {
      const id = String((jobs += 1));
      const responseUrl = `https://queue.fal.run/fal-ai/wan/requests/${id}`;
      json(response, 200, { request_id: id, response_url: responseUrl });
    } else if (path.endsWith('/status')) json(response, 200, { status });
    else json(response, 500, { detail: 'Internal Server Error' });
  });
  const routes = {
    providers: {
      fal: {
        kind: 'ai-sdk',
        package: '@ai-sdk/fal',
        factory: 'createFal',
        apiKeyEnv: 'KEY',
        allowPrivateNetwork: true,
        mediaHosts: ['files.example'],
        rewriteOrigins: { 'https://queue.fal.run': provider.origin },
      },
    },
    models: {
      'alpha-2.0-mini': [{ provider: 'fal', model: 'bytedance/seedance-2.0/text-to-video' }],
    },
  };
  gateway = await startRoutedGateway(routes, { KEY: 'a-key' });
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const resultsAsked = () => provider.got.filter(({ path }) => /\/requests\/\d+$/.test(path)).length;

test('a finished job whose result cannot be read is failed and refunded after three polls', async () => {
  status = 'COMPLETED';
  const account = await gateway.addAccount({ credits: 1000 });
  const { json: created } = await account.post('/v1/videos', video());
  expect(await account.untilEnded(String(created['id']))).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed' },
    billing: { status: 'refunded' },
  });
  expect(resultsAsked()).toBe(3);
});

test('a running job is polled further', async () => {
  status = 'IN_PROGRESS';
  const before = resultsAsked();
  const account = await gateway.addAccount({ credits: 1000 });
  const { json: created } = await account.post('/v1/videos', video());
  await until(() => resultsAsked() >= before + 4);
  const { json: found } = await account.get(`/v1/generations/${String(created['id'])}`);
  expect(found).toMatchObject({ status: 'processing' });
});
