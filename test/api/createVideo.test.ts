import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generationSchema, validateBody } from '@framegate/contract/schemas';
import { imageInput, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { consent, i2v, realMode, wrongVideos } from './wrongVideos.ts';

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  account = await gateway.addAccount({ credits: 10_000, hosts: ['media.example.com'] });
});
afterAll(async () => {
  expect(gateway.errors).toEqual([]);
  await gateway.stop();
});

const create = (fields: Record<string, unknown>) => account.post('/v1/videos', video(fields));

describe('202: an accepted video', () => {
  test('returns the record, with the address and time of the next poll', async () => {
    const { status, headers, json, text } = await create({
      parameters: { duration_seconds: 4, resolution: '480p', aspect_ratio: '1:1', seed: 7 },
    });
    expect(status).toBe(202);
    expect(validateBody(generationSchema, json)).toMatchObject({ ok: true });
    expect(Object.keys(json)).toEqual([
      'id',
      'object',
      'type',
      'model',
      'status',
      'status_url',
      'retry_after_seconds',
      'created_at',
      'parameters',
      'billing',
    ]);
    expect(json).toMatchObject({
      object: 'generation',
      type: 'video',
      status: 'queued',
      status_url: `${gateway.origin}/v1/generations/${String(json['id'])}`,
      parameters: {
        duration_seconds: 4,
        resolution: '480p',
        aspect_ratio: '1:1',
        generate_audio: false,
        seed: 7,
        real_person_mode: false,
      },
      billing: { unit: 'credits', cost_credits: 12, policy: 'same_as_pc', status: 'charged' },
    });
    expect(headers.get('location')).toBe(json['status_url']);
    expect(headers.get('retry-after')).toBe(String(json['retry_after_seconds']));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(text).not.toContain('prompt');
  });

  test('takes the defaults of the model, and a seed of its own', async () => {
    const { json } = await create({});
    expect(json['parameters']).toMatchObject({
      duration_seconds: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: expect.any(Number),
    });
  });

  test('sound costs a quarter more, rounded up', async () => {
    const { json } = await create({
      model: 'alpha-2.0-fast',
      parameters: { duration_seconds: 5, resolution: '480p', generate_audio: true },
    });
    expect(json['billing']).toMatchObject({ cost_credits: 32 });
  });

  test('is charged immediately and counted as in flight', async () => {
    const payer = await gateway.addAccount({ credits: 100 });
    await payer.post('/v1/videos', video());
    const { json } = await payer.get('/v1/credits/balance');
    expect(json).toMatchObject({ available: 70, in_flight: 30 });
  });

  test.each([
    ['a picture on an approved host', i2v()],
    [
      'first and last frame',
      i2v({ inputs: [imageInput(), imageInput(undefined, { role: 'last_frame' })] }),
    ],
    [
      'an upper-case host and port 443',
      i2v({ inputs: [imageInput('https://MEDIA.example.com:443/a.png')] }),
    ],
    ['real-person mode', i2v({ ...realMode, compliance: consent })],
    [
      'references',
      {
        mode: 'multimodal-to-video',
        inputs: [
          imageInput(undefined, { role: 'reference' }),
          { type: 'audio', url: 'https://media.example.com/a.mp3' },
        ],
      },
    ],
  ])('takes %s', async (_name, fields) => {
    expect(await create(fields)).toMatchObject({ status: 202 });
  });
});

describe('refusals', () => {
  test.each(wrongVideos)('%i %s: %s', async (status, code, _name, fields) => {
    const before = await account.get('/v1/credits/balance');
    const response = await create(fields);
    expect([response.status, response.json['error']]).toMatchObject([status, { code }]);
    const after = await account.get('/v1/credits/balance');
    expect(after.json['available']).toBe(before.json['available']);
  });

  test('list all problems together, each with its place', async () => {
    const { json } = await create({ mode: 'x', prompt: 7, parameters: { seed: 0.5, fps: 24 } });
    const { error } = json as { error: { details: { param: string }[] } };
    expect(error.details.map(({ param }) => param).sort()).toEqual([
      'mode',
      'parameters.fps',
      'parameters.seed',
      'prompt',
    ]);
  });

  test('for a length that no model takes, name the lengths of this one', async () => {
    const long = { model: 'alpha-2.0-mini', parameters: { duration_seconds: 99, seed: 'x' } };
    const { json } = await create(long);
    expect(json['error']).toMatchObject({
      details: [
        { message: 'alpha-2.0-mini takes 4 to 10 seconds.' },
        { param: 'parameters.seed', code: 'invalid_type' },
      ],
    });
  });

  test('402 insufficient_credits names the needed and the available credits', async () => {
    const poor = await gateway.addAccount({ credits: 29 });
    const { status, json } = await poor.post('/v1/videos', video());
    expect([status, json['error']]).toMatchObject([
      402,
      { code: 'insufficient_credits', credits: { required: 30, available: 29 } },
    ]);
  });

  test('404 model_not_found for a model that the key may not use', async () => {
    const narrow = await gateway.addAccount({ models: ['alpha-2.5'] });
    expect(await narrow.post('/v1/videos', video())).toMatchObject({ status: 404 });
  });

  test.each<[number, string, string, string, Record<string, string | undefined>]>([
    [400, 'invalid_json', 'half a body', '{"model":', {}],
    [400, 'invalid_json', 'a list', '[]', {}],
    [400, 'idempotency_key_missing', 'no key', '{}', { 'idempotency-key': undefined }],
    [400, 'idempotency_key_missing', 'an empty key', '{}', { 'idempotency-key': '""' }],
    [
      400,
      'idempotency_key_invalid',
      'a key too long',
      '{}',
      { 'idempotency-key': 'x'.repeat(256) },
    ],
    [413, 'body_too_large', 'a body too large', `{"prompt":"${'x'.repeat(262_144)}"}`, {}],
    [
      415,
      'unsupported_media_type',
      'a form',
      'a=b',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ])('%i %s: %s', async (status, code, _name, body, headers) => {
    const response = await account.post('/v1/videos', body, headers);
    expect([response.status, response.json['error']]).toMatchObject([status, { code }]);
  });

  test('405 method_not_allowed names the allowed methods', async () => {
    const response = await account.get('/v1/videos');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
