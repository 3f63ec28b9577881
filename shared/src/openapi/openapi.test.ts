import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type Joi from 'joi';
import fc from 'fast-check';
import { catalogue } from '../catalogue.ts';
import { errorCodes } from '../errorCodes.ts';
import {
  createImageSchema,
  createVideoSchema,
  creditBalanceSchema,
  errorSchema,
  generationSchema,
  modelListSchema,
  validateBody,
} from '../schemas/index.ts';
import { exampleError } from './exampleErrors.ts';
import { buildOpenApi } from './index.ts';

interface Answer {
  headers: Record<string, { $ref: string }>;
  content?: {
    'application/json': { schema: { $ref: string }; examples?: Record<string, { $ref: string }> };
  };
}
interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: { name: string; required: boolean }[];
  requestBody?: {
    content: {
      'application/json': {
        schema: { $ref: string };
        examples: Record<string, { value: unknown }>;
      };
    };
  };
  responses: Record<string, Answer>;
}

const api = buildOpenApi({ baseUrl: 'https://api.example.com/v1' });
/** As it is on the wire. */
const text = JSON.stringify(api);
const document = JSON.parse(text) as typeof api;
const operations = Object.entries(
  document.paths as unknown as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
);
const examples = document.components.examples as Record<string, { value: unknown }>;

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allErrors: true,
  allowUnionTypes: true,
});
// It only helps to choose among schemas that exclude each other; Ajv's own is for unions without unions.
ajv.addKeyword('discriminator');
ajv.addFormat('date-time', (value) => new Date(value).toISOString() === value);
ajv.addFormat('uri', (value) => URL.canParse(value));
const $defs: unknown = JSON.parse(
  JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
);
ajv.addSchema({ $id: 'contract', $defs });
function validator(component: string) {
  const validate = ajv.getSchema(`contract#/$defs/${component}`);
  if (validate === undefined) throw new Error(`no component ${component}`);
  return validate;
}
function problemsOf(component: string, value: unknown): unknown {
  const validate = validator(component);
  return validate(value) === true ? null : validate.errors;
}
const nameOf = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1);

describe('the OpenAPI document', () => {
  test('has the six operations of the specification', () => {
    expect(operations.map(([name, { operationId }]) => [name, operationId])).toEqual([
      ['post /videos', 'createVideo'],
      ['post /images', 'createImage'],
      ['get /generations/{id}', 'getGeneration'],
      ['get /models', 'listModels'],
      ['get /credits/balance', 'getCreditBalance'],
      ['get /openapi.json', 'getOpenApi'],
    ]);
  });

  test('is for version 3.1 and the public address', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://api.example.com/v1' }]);
  });

  test('asks for a key everywhere but for itself', () => {
    expect(document.security).toEqual([{ ApiKey: [] }]);
    for (const [name, operation] of operations) {
      expect(operation.security).toEqual(name === 'get /openapi.json' ? [] : undefined);
    }
  });

  test('asks for an Idempotency-Key on each create only', () => {
    const asking = operations.filter(([, operation]) =>
      operation.parameters?.some(({ name, required }) => name === 'Idempotency-Key' && required),
    );
    expect(asking.map(([name]) => name)).toEqual(['post /videos', 'post /images']);
  });

  test('leads every reference somewhere', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    expect(references.length).toBe(text.split('"$ref"').length - 1);
    const components = document.components as Record<string, Record<string, unknown>>;
    for (const [, section = '', name = ''] of references) {
      expect(components[section]).toHaveProperty(name);
    }
  });

  test('names no provider and none of our libraries', () => {
    const names =
      /provider|upstream|\bfal\b|google|\bveo|replicate|alibaba|\bwan\b|xai|grok|openai|luma|byte(dance|plus)|seed(ance|ream)|\bark\b|runway|kling|minimax|mongo|agenda|koa|\bjoi\b/i;
    expect(names.exec(text)).toBeNull();
  });

  test('is the same for the same address', () => {
    expect(JSON.stringify(buildOpenApi({ baseUrl: 'https://api.example.com/v1' })) === text).toBe(
      true,
    );
  });

  test('says where help and guides are', () => {
    expect(document.info.contact).toEqual({ name: 'Support', url: 'https://api.example.com' });
    expect(document.externalDocs.url).toBe('https://api.example.com/docs');
    const own = buildOpenApi({
      baseUrl: 'https://api.example.com/v1',
      siteUrl: 'https://www.example.com',
      supportUrl: 'mailto:help@example.com?subject=API',
    });
    expect(own.info.contact).toEqual({ name: 'Support', email: 'help@example.com' });
    expect(own.externalDocs.url).toBe('https://www.example.com/docs');
  });
});

describe('every answer', () => {
  const answers = operations.flatMap(([name, { responses }]) =>
    Object.entries(responses).map(
      ([status, answer]) => [`${name} ${status}`, status, answer] as const,
    ),
  );

  test.each(answers)('%s has its headers', (name, status, { headers }) => {
    const expected: Record<string, string[]> = {
      '401': ['WWW-Authenticate'],
      '429': ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
      '503': ['Retry-After'],
      '202': ['Location', 'Retry-After', 'Idempotent-Replayed'],
    };
    expect(headers).toHaveProperty('X-Request-Id');
    for (const header of expected[status] ?? []) expect(Object.keys(headers)).toContain(header);
    if (name === 'get /generations/{id} 200') expect(headers).toHaveProperty('Retry-After');
  });

  test.each(answers)('%s: its examples fit its schema', (_, status, { content }) => {
    const { schema, examples: named = {} } = content?.['application/json'] ?? {};
    if (schema === undefined || !('$ref' in schema)) return;
    expect(Object.keys(named).length).toBeGreaterThan(0);
    for (const reference of Object.values(named)) {
      const { value } = examples[nameOf(reference)] ?? {};
      expect(problemsOf(nameOf(schema), value)).toBeNull();
      if (Number(status) >= 400) {
        const { code } = (value as { error: { code: keyof typeof errorCodes } }).error;
        expect(errorCodes[code].status).toBe(Number(status));
      }
    }
  });

  test('together they name every error code, but for unknown paths and methods, and for other ways in', () => {
    const named = new Set(
      answers.flatMap(([, , { content }]) =>
        Object.keys(content?.['application/json'].examples ?? {}),
      ),
    );
    const missing = Object.keys(errorCodes).filter((code) => !named.has(code));
    expect(missing).toEqual(['price_above_limit', 'not_found', 'method_not_allowed']);
    expect(Object.keys(examples).filter((name) => missing.includes(name))).toEqual([]);
    for (const code of missing) expect(document.info.description).toContain(code);
  });

  test('may get further fields', () => {
    const balance = { ...(examples.balance?.value as object), reserved: 1 };
    expect(problemsOf('CreditBalance', balance)).toBeNull();
    const error = {
      error: { ...(examples.rate_limited?.value as { error: object }).error, code: 'new', more: 1 },
    };
    expect(problemsOf('Error', error)).toBeNull();
  });
});

describe('unions', () => {
  const unions = [
    ...text.matchAll(/"discriminator":\{"propertyName":"(\w+)","mapping":(\{.*?\})/g),
  ];

  test('are told apart by type and status, and by what a price is per', () => {
    const fields = unions.map(([, field, mapping = '']) => [field, JSON.parse(mapping) as object]);
    const schema = (name: string) => `#/components/schemas/${name}`;
    const by = (kind: string) => ({
      queued: schema(`Pending${kind}`),
      processing: schema(`Pending${kind}`),
      completed: schema(`Completed${kind}`),
      failed: schema(`Failed${kind}`),
    });
    expect(fields).toEqual([
      ['type', { video: schema('VideoGeneration'), image: schema('ImageGeneration') }],
      ['status', by('Images')],
      ['per', { second: schema('VideoPricing'), image: schema('ImagePricing') }],
      ['status', by('Video')],
    ]);
  });

  const record = (name: string) => examples[name]?.value as Record<string, unknown>;
  const { output } = record('completed_video') as { output: Record<string, unknown> };
  const { output: images } = record('completed_image') as { output: Record<string, unknown> };
  test.each<[string, object]>([
    ['a completed one without files', { ...record('completed_video'), output: undefined }],
    ['a pending one without a hint', { ...record('queued'), retry_after_seconds: undefined }],
    ['a failed one without a reason', { ...record('failed'), error: undefined }],
    [
      'images without URLs',
      { ...record('completed_image'), output: { ...images, image_urls: undefined } },
    ],
    ['a video with the parameters of images', { ...record('queued'), type: 'image' }],
    ['a status that is none', { ...record('queued'), status: 'gone' }],
  ])('%s fits no schema', (_, value) => {
    expect(problemsOf('Generation', JSON.parse(JSON.stringify(value)))).not.toBeNull();
  });

  test('a video whose file is deleted fits', () => {
    const deleted = {
      urls: [],
      expires_at: output['expires_at'],
      deleted_at: output['expires_at'],
    };
    const value = { ...record('completed_video'), output: deleted };
    expect(problemsOf('Generation', value)).toBeNull();
  });
});

describe('every request example', () => {
  const bodies = operations.flatMap(([, { requestBody }]) => {
    const content = requestBody?.content['application/json'];
    if (content === undefined) return [];
    return Object.entries(content.examples).map(
      ([name, { value }]) => [name, nameOf(content.schema), value] as const,
    );
  });

  test.each(bodies)('%s fits %s', (_, component, value) => {
    expect(problemsOf(component, value)).toBeNull();
    const schema: Joi.ObjectSchema =
      component === 'CreateVideo' ? createVideoSchema : createImageSchema;
    expect(validateBody(schema, value)).toEqual({ ok: true, value });
    expect(catalogue.map((model) => model.id)).toContain((value as { model: string }).model);
  });

  test('there are some of both kinds', () => expect(bodies.length).toBeGreaterThan(4));
});

describe('answer examples fit what the gateway is held to', () => {
  test.each<[string, Joi.ObjectSchema]>([
    ['queued', generationSchema],
    ['queued_image', generationSchema],
    ['processing', generationSchema],
    ['completed_video', generationSchema],
    ['completed_image', generationSchema],
    ['failed', generationSchema],
    ['models', modelListSchema],
    ['balance', creditBalanceSchema],
  ])('%s', (name, schema) => {
    const value = examples[name]?.value;
    expect(value).toBeDefined();
    expect(validateBody(schema, value)).toEqual({ ok: true, value });
  });

  test.each(Object.keys(errorCodes) as (keyof typeof errorCodes)[])('%s', (code) => {
    const value = exampleError(code);
    expect(validateBody(errorSchema, value)).toEqual({ ok: true, value });
  });
});

describe('the document and the validator agree', () => {
  const base = { model: 'alpha-2.5', mode: 'text-to-video', prompt: 'A boat.' };
  const image = { type: 'image', url: 'https://a.example/x.png' };
  const sample: [boolean, unknown][] = [
    [true, base],
    [true, { ...base, prompt: '🚤'.repeat(5000) }],
    [false, { ...base, prompt: '🚤'.repeat(5001) }],
    [false, { ...base, prompt: ' ' }],
    [false, { ...base, prompt: '' }],
    [false, { ...base, mode: 'x' }],
    [false, { mode: base.mode, prompt: 'x' }],
    [false, { ...base, extra: 1 }],
    [false, null],
    [false, []],
    [true, { ...base, inputs: [image, { ...image, role: 'last_frame' }] }],
    [true, { ...base, inputs: Array.from({ length: 15 }, () => image) }],
    [false, { ...base, inputs: Array.from({ length: 16 }, () => image) }],
    [false, { ...base, inputs: [{ type: 'image' }] }],
    [false, { ...base, inputs: [null] }],
    [true, { ...base, parameters: { duration_seconds: 3, seed: 1 } }],
    [false, { ...base, parameters: { duration_seconds: 16 } }],
    [false, { ...base, parameters: { duration_seconds: 4.5 } }],
    [false, { ...base, parameters: { seed: 0 } }],
    [false, { ...base, parameters: { seed: null } }],
    [false, { ...base, parameters: { generate_audio: 'true' } }],
    [true, { ...base, compliance: { rights_confirmed: false } }],
    [false, { ...base, compliance: { consent_reference: 'a b' } }],
    [false, { ...base, compliance: { consent_reference: '' } }],
    [false, { ...base, compliance: { other: 1 } }],
  ];

  test.each(sample)('%s: %j', (lawful, body) => {
    expect(validateBody(createVideoSchema, body).ok).toBe(lawful);
    expect(problemsOf('CreateVideo', body) === null).toBe(lawful);
  });

  const anything = fc.oneof(
    fc.constantFrom<unknown>('text-to-video', 'image', 'reference', '720p', '16:9', '1k', 'png'),
    fc.constantFrom<unknown>('', 'x', 'https://a.example/', 1, 4, 4.5, -1, true, false, null),
    fc.constantFrom<unknown>([], {}, [{}], [image], [{ ...image, role: 'reference' }], { seed: 3 }),
  );
  const objects = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] });
  const video = objects(['mode', 'prompt', 'inputs', 'compliance']);
  const videoParameters = objects([
    'duration_seconds',
    'resolution',
    'aspect_ratio',
    'generate_audio',
    'seed',
  ]);
  const imageParameters = objects([
    'n',
    'resolution',
    'aspect_ratio',
    'output_format',
    'seed',
    'x',
  ]);

  test('for any video body', () => {
    fc.assert(
      fc.property(video, videoParameters, (head, parameters) => {
        const body = { ...base, ...head, parameters };
        const lawful = validateBody(createVideoSchema, body).ok;
        expect(problemsOf('CreateVideo', body) === null).toBe(lawful);
      }),
      { numRuns: 500 },
    );
  });

  test('for any image body', () => {
    fc.assert(
      fc.property(objects(['prompt', 'inputs']), imageParameters, (head, parameters) => {
        const body = { model: 'image-b-2', prompt: 'A cup.', ...head, parameters };
        const lawful = validateBody(createImageSchema, body).ok;
        expect(problemsOf('CreateImage', body) === null).toBe(lawful);
      }),
      { numRuns: 500 },
    );
  });
});
