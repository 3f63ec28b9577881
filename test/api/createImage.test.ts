import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generationSchema, validateBody } from '@framegate/contract/schemas';
import { image, imageInput } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';

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

const create = (fields: Record<string, unknown>) => account.post('/v1/images', image(fields));
const references = (count: number) => Array.from({ length: count }, () => imageInput());

describe('202: accepted pictures', () => {
  test('returns the record with the effective values and the price of all pictures', async () => {
    const { status, headers, json } = await create({
      parameters: { n: 3, resolution: '2k', aspect_ratio: '3:2', output_format: 'webp', seed: 7 },
    });
    expect(status).toBe(202);
    expect(validateBody(generationSchema, json)).toMatchObject({ ok: true });
    expect(json).toMatchObject({
      type: 'image',
      status: 'queued',
      parameters: {
        n: 3,
        aspect_ratio: '3:2',
        resolution: '2k',
        output_format: 'webp',
        seed: 7,
      },
      billing: { cost_credits: 27 },
    });
    expect(headers.get('location')).toBe(json['status_url']);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15);
  });

  test('takes the defaults of the model', async () => {
    const { json } = await create({});
    expect(json).toMatchObject({
      parameters: { n: 1, aspect_ratio: '1:1', resolution: '1k', output_format: 'png' },
      billing: { cost_credits: 6 },
    });
  });

  test('accepts as many references as the model', async () => {
    expect(await create({ inputs: references(9) })).toMatchObject({ status: 202 });
  });
});

describe('refusals', () => {
  test.each<[number, string, string, Record<string, unknown>]>([
    [400, 'invalid_request', 'a mode', { mode: 'text-to-image' }],
    [400, 'invalid_request', 'compliance', { compliance: { rights_confirmed: true } }],
    [400, 'invalid_request', 'five pictures', { parameters: { n: 5 } }],
    [400, 'invalid_request', 'no pictures', { parameters: { n: 0 } }],
    [400, 'invalid_request', 'a video resolution', { parameters: { resolution: '720p' } }],
    [
      400,
      'invalid_request',
      'a resolution beyond the model',
      { model: 'image-a-2', parameters: { resolution: '4k' } },
    ],
    [400, 'invalid_request', 'another format', { parameters: { output_format: 'gif' } }],
    [400, 'invalid_request', 'too many references', { inputs: references(10) }],
    [
      400,
      'invalid_request',
      'references beyond the model',
      { model: 'image-a-2', inputs: references(5) },
    ],
    [
      400,
      'invalid_request',
      'a video as reference',
      { inputs: [{ type: 'video', url: 'https://media.example.com/a.mp4' }] },
    ],
    [
      400,
      'invalid_request',
      'a first frame',
      { inputs: [imageInput(undefined, { role: 'first_frame' })] },
    ],
    [400, 'input_url_invalid', 'an address', { inputs: [imageInput('https://[::1]/a.png')] }],
    [
      403,
      'input_host_not_approved',
      'another host',
      { inputs: [imageInput('https://other.example.com/a.png')] },
    ],
    [404, 'model_not_found', 'a video model', { model: 'alpha-2.5' }],
  ])('%i %s: %s', async (status, code, _name, fields) => {
    const response = await create(fields);
    expect([response.status, response.json['error']]).toMatchObject([status, { code }]);
  });

  test('402 insufficient_credits', async () => {
    const poor = await gateway.addAccount({ credits: 5 });
    const { status, json } = await poor.post('/v1/images', image());
    expect([status, json['error']]).toMatchObject([
      402,
      { code: 'insufficient_credits', credits: { required: 6, available: 5 } },
    ]);
  });
});
