import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { failAndRefund } from '../../gateway/src/application/staff/generationActions.ts';
import { loadAdoptionHint } from '../../gateway/src/application/staff/resolveUnknown.ts';
import { video } from '../support/bodies.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { sampleFilm, usualFilm } from '../support/sampleMedia.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { until } from '../support/until.ts';
import { actor, openStaff } from './openStaff.ts';
import { adopt, loseSubmission } from './staffFixtures.ts';

/*
 * Staff find a lost submission in the provider's own console and adopt it by its id alone. Each provider's package must
 * then poll the same address as after its own start.
 */

const file = 'https://files.example/1.mp4';
/** The file of models that always make audio. */
const loudFile = 'https://files.example/loud.mp4';

/** A provider's protocol, by its documentation; `id` is the id in its console. */
interface Protocol {
  model: [ours: string, theirs: string];
  provider: object;
  id: string;
  /** Texts that people may copy instead of the id. */
  alias?: string;
  accepted: object;
  looksAt: string;
  pending: [number, object];
  made: object;
}

const sdk = (name: string, factory: string) => ({
  kind: 'ai-sdk',
  package: `@ai-sdk/${name}`,
  factory,
});
const prediction = 'https://api.replicate.com/v1/predictions/rep1';
const task = { request_id: 'r', output: { task_id: 'ali-1', task_status: 'RUNNING' } };
const protocols: Record<string, Protocol> = {
  ark: {
    model: ['alpha-2.0-pro', 'seedance-1-5-pro-251215'],
    provider: { kind: 'model-ark', baseURL: 'https://ark.example/api/v3' },
    id: 'cgt-1',
    accepted: { id: 'cgt-1' },
    looksAt: '/api/v3/contents/generations/tasks/cgt-1',
    pending: [200, { id: 'cgt-1', status: 'running' }],
    made: { id: 'cgt-1', status: 'succeeded', content: { video_url: file } },
  },
  fal: {
    model: ['alpha-2.0-mini', 'fal-ai/bytedance/seedance/v1/pro/text-to-video'],
    provider: sdk('fal', 'createFal'),
    id: 'fal-1',
    accepted: {
      request_id: 'fal-1',
      response_url: 'https://queue.fal.run/fal-ai/bytedance/requests/fal-1',
    },
    looksAt: '/fal-ai/bytedance/requests/fal-1',
    pending: [400, { detail: 'Request is still in progress' }],
    made: { video: { url: file } },
  },
  google: {
    model: ['beta-3.0', 'veo-3.1-generate-preview'],
    provider: sdk('google', 'createGoogle'),
    id: 'goo1',
    alias: 'models/veo-3.1-generate-preview/operations/goo1',
    accepted: { name: 'models/veo-3.1-generate-preview/operations/goo1' },
    looksAt: '/v1beta/models/veo-3.1-generate-preview/operations/goo1',
    pending: [200, { name: 'models/veo-3.1-generate-preview/operations/goo1', done: false }],
    made: {
      name: 'models/veo-3.1-generate-preview/operations/goo1',
      done: true,
      response: { generateVideoResponse: { generatedSamples: [{ video: { uri: loudFile } }] } },
    },
  },
  replicate: {
    model: ['alpha-2.0-fast', 'bytedance/seedance-2.0'],
    provider: sdk('replicate', 'createReplicate'),
    id: 'rep1',
    accepted: { id: 'rep1', status: 'starting', urls: { get: prediction } },
    looksAt: '/v1/predictions/rep1',
    pending: [200, { id: 'rep1', status: 'processing', urls: { get: prediction } }],
    made: { id: 'rep1', status: 'succeeded', output: file, urls: { get: prediction } },
  },
  alibaba: {
    model: ['alpha-2.5', 'wan2.6-t2v'],
    provider: sdk('alibaba', 'createAlibaba'),
    id: 'ali-1',
    accepted: task,
    looksAt: '/api/v1/tasks/ali-1',
    pending: [200, task],
    made: { ...task, output: { ...task.output, task_status: 'SUCCEEDED', video_url: loudFile } },
  },
  xai: {
    model: ['alpha-2.5-lite', 'grok-imagine-video'],
    provider: sdk('xai', 'createXai'),
    id: 'xai-1',
    accepted: { request_id: 'xai-1' },
    looksAt: '/v1/videos/xai-1',
    pending: [200, { status: 'pending' }],
    made: { status: 'done', video: { url: file, respect_moderation: true } },
  },
};

let server: TinyServer;
let gateway: TestGateway;
let opened: Awaited<ReturnType<typeof openStaff>>;
let account: TestAccount;
/** Paths whose tasks are finished. */
const finished = new Set<string>();

beforeAll(async () => {
  const films = new Map([
    ['/1.mp4', await sampleFilm()],
    ['/loud.mp4', await sampleFilm({ ...usualFilm, sound: true })],
  ]);
  const all = Object.values(protocols);
  server = await startTinyServer(({ method, path, body }, response) => {
    const film = films.get(path);
    if (film) {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(film);
    } else if (method === 'POST') {
      const name = /adopt (\w+)/.exec(JSON.stringify(body))?.[1] ?? '';
      json(response, 200, protocols[name]?.accepted ?? {});
    } else {
      const protocol = all.find(({ looksAt }) => looksAt === path);
      if (!protocol) json(response, 404, { error: 'not found' });
      else if (finished.has(path)) json(response, 200, protocol.made);
      else json(response, ...protocol.pending);
    }
  });
  const origins = [
    ...['https://queue.fal.run', 'https://generativelanguage.googleapis.com'],
    ...['https://api.replicate.com', 'https://dashscope-intl.aliyuncs.com', 'https://api.x.ai'],
    ...['https://ark.example', 'https://files.example'],
  ];
  const http = {
    apiKeyEnv: 'KEY',
    allowPrivateNetwork: true,
    mediaHosts: ['files.example'],
    rewriteOrigins: Object.fromEntries(origins.map((origin) => [origin, server.origin])),
  };
  const entries = Object.entries(protocols);
  const routes = {
    providers: Object.fromEntries(
      entries.map(([name, { provider }]) => [name, { ...http, ...provider }]),
    ),
    models: Object.fromEntries(
      entries.map(
        ([
          provider,
          {
            model: [ours, theirs],
          },
        ]) => [ours, [{ provider, model: theirs }]],
      ),
    ),
  };
  gateway = await startRoutedGateway(routes, { KEY: 'a-key' });
  opened = await openStaff(gateway);
  account = await gateway.addAccount({ credits: 100_000, limits: { running: 100 } });
});

afterAll(async () => {
  await opened.close();
  await gateway.stop();
  await server.close();
});

/**
 * @returns The id of a generation at this provider, whose task no one has yet: the fake gives out the same each time.
 */
async function submitTo(name: string): Promise<string> {
  await gateway.collections.providerTasks.deleteMany({});
  const model = protocols[name]?.model[0] ?? '';
  const created = await account.post('/v1/videos', video({ model, prompt: `adopt ${name}` }));
  expect(created.status).toBe(202);
  return String(created.json['id']);
}

/** A generation left by a process that was killed during its call to the provider. */
async function lost(name: string): Promise<string> {
  const id = await submitTo(name);
  await loseSubmission(gateway, id, minuteMs);
  return id;
}

describe('adopting by the id that the provider shows', () => {
  test.each(Object.entries(protocols))('%s', async (name, { id: taskId, alias, looksAt }) => {
    const id = await lost(name);
    expect(await loadAdoptionHint(opened.staff, id)).toContain(`the task ID that ${name} shows`);
    await expect(adopt(opened.staff, id, 'never-heard-of')).rejects.toMatchObject({
      code: 'task_not_confirmed',
    });
    for (const wrong of [
      '../secrets',
      'a?b=c',
      'https://evil.example/1',
      'models/x/operations/a?b',
    ]) {
      await expect(adopt(opened.staff, id, wrong)).rejects.toMatchObject({
        code: 'task_invalid',
        values: { provider: name },
      });
    }
    server.got.length = 0;
    await adopt(opened.staff, id, alias ?? ` ${taskId} `);
    const polls = server.got.filter(({ path }) => path === looksAt);
    expect(polls).not.toEqual([]);
    finished.add(looksAt);
    expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
    expect(server.got.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('takes the operation as JSON from admins alone, and only where an id is not enough', async () => {
    finished.delete(protocols['xai']?.looksAt ?? '');
    const id = await lost('xai');
    const { generations } = gateway.collections;
    const nameProvider = (name: string) =>
      generations.updateOne({ _id: id }, { $set: { 'attempts.0.provider': name } });
    await nameProvider('elsewhere');
    expect(await loadAdoptionHint(opened.staff, id)).toContain('Enter the operation as JSON');
    await expect(adopt(opened.staff, id, 'xai-1')).rejects.toMatchObject({
      code: 'operation_expected',
    });
    const handle = '{"requestId":"xai-1","responseUrl":"https://evil.example/x"}';
    await expect(adopt(opened.staff, id, handle)).rejects.toMatchObject({
      code: 'operation_for_admins',
    });
    await nameProvider('xai');
    server.got.length = 0;
    for (const role of ['support', 'admin'] as const) {
      await expect(adopt(opened.staff, id, handle, role)).rejects.toMatchObject({
        code: 'task_expected',
      });
    }
    expect(server.got).toEqual([]);
    await failAndRefund(opened.staff, id, { by: actor.email, reason: 'tidy up' });
  });

  test('is in the form that the package itself gives', async () => {
    for (const [name, { model, id: taskId }] of Object.entries(protocols)) {
      finished.delete(protocols[name]?.looksAt ?? '');
      const id = await submitTo(name);
      const operation = async () =>
        (await opened.staff.staffQueries.findGeneration(id))?.attempts.at(-1)?.operation;
      await until(async () => ((await operation()) ?? null) !== null);
      const route = opened.staff.routes.find(name, model[1]);
      expect([name, route?.operationOf?.(taskId)]).toEqual([name, await operation()]);
    }
  });
});
