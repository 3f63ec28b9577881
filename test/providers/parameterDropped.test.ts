import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { video } from '../support/bodies.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';

let provider: TinyServer;
let other: TinyServer;
let gateway: TestGateway;

beforeAll(async () => {
  provider = await startTinyServer((_, response) => {
    json(response, 200, { request_id: 'r', output: { task_id: '1', task_status: 'PENDING' } });
  });
  other = await startTinyServer((_, response) => {
    json(response, 200, { id: 'task', status: 'queued' });
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
      ark: {
        kind: 'model-ark',
        apiKeyEnv: 'KEY',
        baseURL: other.origin,
        allowPrivateNetwork: true,
        mediaHosts: ['files.example'],
      },
    },
    models: {
      // The operator declares sound as requested; the package knows that this model has no switch.
      'alpha-2.5': [{ provider: 'w', model: 'wan2.7-t2v', does: { audio: true } }],
      // The same, with another route.
      'alpha-2.0-fast': [
        { provider: 'w', model: 'wan2.7-t2v', does: { audio: true } },
        { provider: 'ark', model: 'up', does: statedVideo },
      ],
    },
  };
  gateway = await startRoutedGateway(routes, { KEY: 'a-key' });
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
  await other.close();
});

const stepOf = async (id: string) => (await gateway.database.generations.find(id))?.step;
/** A switch that the package omits. */
const parameters = { generate_audio: false, resolution: '720p' };
const dropped = () => gateway.errors.filter((line) => line.includes('parameter_dropped'));

async function order(account: TestAccount, model: string): Promise<string> {
  const created = await account.post('/v1/videos', video({ model, parameters }));
  expect([created.status, created.json['error']]).toEqual([202, undefined]);
  return String(created.json['id']);
}

test('a video whose package would omit a paid option waits unordered, and the operator is alerted once', async () => {
  const account = await gateway.addAccount({ credits: 1000 });
  const ids = [await order(account, 'alpha-2.5'), await order(account, 'alpha-2.5')];
  for (const id of ids) await until(async () => (await stepOf(id)) === 'parked');
  const id = ids[0] ?? '';
  const waiting = await gateway.database.generations.find(id);
  expect(waiting).toMatchObject({
    status: 'queued',
    // Asked again only when the decision is renewed: the operator may have corrected the route.
    waitsFor: { providers: ['held back: w wan2.7-t2v'] },
    attempts: [
      {
        outcome: 'refused',
        refusedFor: 'parameter_dropped',
        note: 'not sent on: @generateAudio (send.audio)',
      },
    ],
  });
  expect(dropped()).toHaveLength(1);
  for (const part of ['@generateAudio', '"send":["audio"]', '"provider":"w"', 'wan2.7-t2v', id]) {
    expect(dropped()[0]).toContain(part);
  }
  expect(provider.got).toEqual([]);
});

test('another route makes it', async () => {
  const account = await gateway.addAccount({ credits: 1000 });
  const id = await order(account, 'alpha-2.0-fast');
  await until(async () => (await stepOf(id)) === 'submitted');
  const { attempts } = (await gateway.database.generations.find(id)) ?? {};
  expect(attempts?.map(({ outcome }) => outcome)).toEqual(['refused', 'accepted']);
  expect(provider.got).toEqual([]);
});
