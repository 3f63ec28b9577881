import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { video } from '../support/bodies.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { until } from '../support/until.ts';

let provider: TinyServer;
let gateway: TestGateway;
/** Status of the job, and the HTTP status of its result. */
let status: string;
let resultStatus: number;
/** Orders so far, for a job of each. */
let jobs = 0;

beforeAll(async () => {
  provider = await startTinyServer(({ method, path }, response) => {
    if (method === 'POST') {
      const id = String((jobs += 1));
      const responseUrl = `https://queue.fal.run/fal-ai/wan/requests/${id}`;
      json(response, 200, { request_id: id, response_url: responseUrl });
    } else if (path.endsWith('/status')) {
      json(response, 200, { status });
    } else {
      json(response, resultStatus, { detail: 'Something went wrong' });
    }
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

test.each([500, 400, 404, 422, 499])(
  'a finished job whose result stays %i is failed and refunded',
  async (result) => {
    [status, resultStatus] = ['COMPLETED', result];
    const before = resultsAsked();
    const account = await gateway.addAccount({ credits: 1000 });
    const { json: created } = await account.post('/v1/videos', video());
    expect(await account.untilEnded(String(created['id']))).toMatchObject({
      status: 'failed',
      error: { code: 'generation_failed' },
      billing: { status: 'refunded' },
    });
    expect(resultsAsked() - before).toBeGreaterThanOrEqual(3);
  },
);

test.each([
  ['IN_PROGRESS', 500],
  ['COMPLETED', 403],
  ['COMPLETED', 429],
])('a job is polled further: %s and %i', async (said, result) => {
  [status, resultStatus] = [said, result];
  const before = resultsAsked();
  const account = await gateway.addAccount({ credits: 1000 });
  const { json: created } = await account.post('/v1/videos', video());
  await until(() => resultsAsked() >= before + 4);
  const { json: found } = await account.get(`/v1/generations/${String(created['id'])}`);
  expect(found).toMatchObject({ status: 'processing' });
});
