import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type Joi from 'joi';
import { catalogue, errorCodes } from '@framegate/contract';
import {
  createImageSchema,
  createVideoSchema,
  creditBalanceSchema,
  errorSchema,
  generationSchema,
  modelListSchema,
  validateBody,
} from '@framegate/contract/schemas';
import { exampleError } from '../../shared/src/openapi/exampleErrors.ts';
import { examples, operations, refName, schemaErrors } from './openApiDocument.ts';

describe('every request example', () => {
  const bodies = operations.flatMap(([, { requestBody }]) => {
    const content = requestBody?.content['application/json'];
    if (content === undefined) return [];
    return Object.entries(content.examples).map(
      ([name, { value }]) => [name, refName(content.schema), value] as const,
    );
  });

  test.each(bodies)('%s fits %s', (_, component, value) => {
    expect(schemaErrors(component, value)).toBeNull();
    const schema: Joi.ObjectSchema =
      component === 'CreateVideo' ? createVideoSchema : createImageSchema;
    expect(validateBody(schema, value)).toEqual({ ok: true, value });
    expect(catalogue.map((model) => model.id)).toContain((value as { model: string }).model);
  });

  test('exist for both kinds', () => expect(bodies.length).toBeGreaterThan(4));
});

describe('response examples fit the schemas that the gateway must meet', () => {
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
    [false, { ...base, parameters: { duration_seconds: 31 } }],
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
    expect(schemaErrors('CreateVideo', body) === null).toBe(lawful);
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
        expect(schemaErrors('CreateVideo', body) === null).toBe(lawful);
      }),
      { numRuns: 500 },
    );
  });

  test('for any image body', () => {
    fc.assert(
      fc.property(objects(['prompt', 'inputs']), imageParameters, (head, parameters) => {
        const body = { model: 'image-b-2', prompt: 'A cup.', ...head, parameters };
        const lawful = validateBody(createImageSchema, body).ok;
        expect(schemaErrors('CreateImage', body) === null).toBe(lawful);
      }),
      { numRuns: 500 },
    );
  });
});
