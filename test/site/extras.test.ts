import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { revealPrompt } from '../../gateway/src/application/staff/generationActions.ts';
import { temporaryFolder } from '../security/temporaryFolder.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { sent } from './support/useStudio.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

/* A model of MODELS_FILE with all features that the built-in ones lack, from the form to the provider. */

const model = {
  type: 'video',
  display_name: 'Gamma',
  typical_seconds: 30,
  capabilities: {
    modes: ['text-to-video'],
    duration_seconds: { min: 5, max: 30, default: 30 },
    resolutions: ['720p', '1440p'],
    aspect_ratios: ['16:9'],
    generate_audio: false,
    max_prompt_length: 500,
    inputs: { image: { max_count: 0 }, video: { max_count: 0 }, audio: { max_count: 0 } },
    negative_prompt: { max_length: 40 },
    guidance: { min: 1, max: 20 },
  },
  pricing: { credits: { '720p': 1, '1440p': 2 } },
};

const folder = temporaryFolder();
let provider: TinyServer;
let gateway: TestGateway;
let account: TestAccount;
let visitor: Visitor;

beforeAll(async () => {
  provider = await startTinyServer(({ method }, response) => {
    const error = { code: 'Unknown', message: 'cannot draw: blurry hands' };
    json(response, 200, { id: 'task', ...(method !== 'POST' && { status: 'failed', error }) });
  });
  const route = {
    provider: 'p',
    model: 'up',
    does: {
      ...statedVideo,
      resolutions: ['720p', '1440p'],
      negativePrompt: true,
      guidance: { min: 1, max: 10 },
    },
    send: { resolution: 'size', negativePrompt: 'negative_prompt', guidance: 'input.cfg_scale' },
  };
  const routes = {
    providers: {
      p: {
        kind: 'model-ark',
        apiKeyEnv: 'KEY',
        baseURL: provider.origin,
        allowPrivateNetwork: true,
        mediaHosts: ['files.example'],
      },
    },
    models: {
      'gamma-1': [route],
      'alpha-2.5': [{ provider: 'p', model: 'other', does: statedVideo }],
    },
  };
  const write = (name: string, content: object) => {
    const file = join(folder(), name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  gateway = await startTestGateway({
    MODELS_FILE: write('models.json', { models: { 'gamma-1': model } }),
    ROUTES_FILE: write('routes.json', routes),
    KEY: 'a-key',
    SIGNUP_CREDITS: '600',
  });
  account = await gateway.addAccount();
  visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'extras@example.com');
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const given = {
  duration_seconds: 30,
  resolution: '1440p',
  seed: 7,
  negative_prompt: ' blurry hands ',
  guidance: 3.5,
};
const order = (parameters: object, id = 'gamma-1') =>
  account.post('/v1/videos', video({ model: id, parameters }));
/** The body of the newest order. */
const ordered = () => provider.got.findLast(({ method }) => method === 'POST')?.body;
const stored = (id: string) => gateway.database.generations.find(id);

test('is offered if a route sends it', async () => {
  const { json: list } = await account.get('/v1/models');
  const models = new Map(
    (list['data'] as { id: string; capabilities: object }[]).map((each) => [each.id, each]),
  );
  expect(models.get('gamma-1')?.capabilities).toMatchObject({
    duration_seconds: { min: 5, max: 30, default: 30 },
    resolutions: ['720p', '1440p'],
    negative_prompt: { max_length: 40 },
    guidance: { min: 1, max: 10 },
  });
  expect(models.get('alpha-2.5')?.capabilities).toMatchObject({
    negative_prompt: null,
    guidance: null,
  });
});

test('reaches the provider, and its text is as private as the prompt', async () => {
  const created = await order(given);
  expect([created.status, created.json['error']]).toEqual([202, undefined]);
  expect(created.json['billing']).toMatchObject({ cost_credits: 60 });
  const id = String(created.json['id']);
  expect(created.json['parameters']).toEqual({
    duration_seconds: 30,
    resolution: '1440p',
    aspect_ratio: '16:9',
    generate_audio: false,
    seed: 7,
    real_person_mode: false,
    guidance: 3.5,
  });
  expect(created.text).not.toContain('blurry');
  await account.untilEnded(id);
  expect(ordered()).toMatchObject({
    duration: 30,
    size: '1440p',
    seed: 7,
    negative_prompt: 'blurry hands',
    input: { cfg_scale: 3.5 },
  });
  expect((await account.get(`/v1/generations/${id}`)).text).not.toContain('blurry');
  const staff = { staffQueries: { findGeneration: stored } } as never;
  expect(await revealPrompt(staff, id)).toMatchObject({
    texts: [['negative_prompt', 'blurry hands']],
  });
});

test.each([
  [{ guidance: 0.5 }, 'parameters.guidance', 'out_of_range', 'gamma-1 takes 1 to 10.'],
  [{ guidance: 101 }, 'parameters.guidance', 'out_of_range', 'gamma-1 takes 1 to 10.'],
  [
    { guidance: 3.14 },
    'parameters.guidance',
    'invalid_value',
    'Must be a number from 0 to 100 in steps of 0.1.',
  ],
  [
    { negative_prompt: '🚤'.repeat(41) },
    'parameters.negative_prompt',
    'too_long',
    'gamma-1 takes negative_prompt of up to 40 characters; you sent 41.',
  ],
])('refuses %j with the bounds of the model', async (parameters, param, code, message) => {
  const { status, json: body } = await order(parameters);
  expect(status).toBe(400);
  expect(body['error']).toMatchObject({ param, details: [{ param, code, message }] });
});

test('is refused by a model without it', async () => {
  const { status, json: body } = await order({ guidance: 3, negative_prompt: 'x' }, 'alpha-2.5');
  expect(status).toBe(400);
  expect(body['error']).toMatchObject({
    details: ['negative_prompt', 'guidance'].map((name) => ({
      param: `parameters.${name}`,
      code: 'not_supported',
      message: `alpha-2.5 does not support ${name}. Omit it.`,
    })),
  });
});

test('the site shows its fields, sends and repeats them, and deletes the words with the prompt', async () => {
  const fields = {
    model: 'gamma-1',
    prompt: 'A pier',
    'parameters.negative_prompt': 'no fog',
    'parameters.guidance': '3.5',
  };
  const form = await visitor.post('/studio', { do: 'update', ...fields });
  const words = /name="parameters.negative_prompt"[^>]*>\s*no fog<\/textarea>/;
  expect(form.text).toMatch(words);
  expect(form.text).toMatch(/name="parameters.guidance"[^>]*min="1" max="10" step="0.1"/);
  const other = await visitor.post('/studio', { do: 'update', ...fields, model: 'alpha-2.5' });
  expect(other.text).not.toMatch(/negative_prompt|guidance/);

  const made = await visitor.post('/studio', { ...sent(form), do: 'create', ...fields });
  const id = /gen_\w+/.exec(made.path)?.[0] ?? '';
  const page = await visitor.get(`/generations/${id}`);
  expect(page.text).toMatch(/Negative prompt<\/dt>\s*<dd>no fog/);
  const again = await visitor.get(`/studio?like=${id}`);
  expect(again.text).toMatch(words);
  expect(again.field('parameters.guidance')).toBe('3.5');

  await until(async () => (await stored(id))?.step === 'ended');
  expect(ordered()).toMatchObject({ negative_prompt: 'no fog', input: { cfg_scale: 3.5 } });
  expect((await visitor.post('/history/delete', { id })).text).toContain('1 deleted.');
  expect((await stored(id))?.parameters).toMatchObject({ negative_prompt: null, guidance: 3.5 });
  expect((await visitor.get(`/generations/${id}`)).text).not.toContain('Negative prompt');
});
