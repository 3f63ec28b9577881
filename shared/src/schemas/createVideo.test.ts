import { describe, expect, test } from '@jest/globals';
import type { DetailCode } from '../detailCodes.ts';
import { createVideoSchema, validateBody } from './index.ts';

const minimal = { model: 'alpha-2.0-pro', mode: 'text-to-video', prompt: 'A boat.' };
const image = { type: 'image', url: 'https://a.example/x.png' };

/** Codes by field; `{}` for a valid body. */
function codesOf(body: unknown): Record<string, DetailCode> {
  const result = validateBody(createVideoSchema, body);
  if (result.ok) return {};
  return Object.fromEntries(result.problems.map(({ param, code }) => [param, code]));
}

describe('a valid body passes unchanged', () => {
  test.each([
    ['only required fields', minimal],
    ['no inputs and no parameters', { ...minimal, inputs: [], parameters: {} }],
    ['white space around the prompt', { ...minimal, prompt: '  A boat.\n' }],
    ['the longest prompt', { ...minimal, prompt: ` ${'x'.repeat(5000)} ` }],
    ['5,000 characters outside the basic plane', { ...minimal, prompt: '🚤'.repeat(5000) }],
    [
      'any string as a URL: its own rules judge it',
      { ...minimal, inputs: [{ type: 'image', url: '' }] },
    ],
    ['a URL of any length', { ...minimal, inputs: [{ ...image, url: 'x'.repeat(9000) }] }],
    ['fifteen inputs', { ...minimal, inputs: Array.from({ length: 15 }, () => image) }],
    [
      'a denied confirmation: the real-person rules judge it',
      { ...minimal, compliance: { rights_confirmed: false } },
    ],
    ['an empty compliance', { ...minimal, compliance: {} }],
    ['a model that does not exist', { ...minimal, model: 'alpha-9' }],
    [
      'everything',
      {
        ...minimal,
        inputs: [{ ...image, role: 'first_frame' }],
        parameters: {
          duration_seconds: 15,
          resolution: '2160p',
          aspect_ratio: '21:9',
          generate_audio: true,
          seed: 2_147_483_647,
          real_person_mode: true,
        },
        compliance: { rights_confirmed: true, consent_reference: 'A-z_0.9:/x' },
      },
    ],
  ])('%s', (_, body) => {
    const before = structuredClone(body);
    const result = validateBody(createVideoSchema, body);
    expect(result).toEqual({ ok: true, value: before });
  });
});

describe('an invalid value is named by its field and kind', () => {
  const with_ = (field: string, value: unknown) => ({ ...minimal, [field]: value });

  test.each<[string, unknown, Record<string, DetailCode>]>([
    ['nothing', undefined, { body: 'required' }],
    ['null', null, { body: 'invalid_type' }],
    ['a list', [], { body: 'invalid_type' }],
    ['a text', 'x', { body: 'invalid_type' }],
    ['an empty object', {}, { model: 'required', mode: 'required', prompt: 'required' }],
    ['model: a number', with_('model', 1), { model: 'invalid_type' }],
    ['model: empty', with_('model', ''), { model: 'too_short' }],
    ['model: 65 characters', with_('model', 'x'.repeat(65)), { model: 'too_long' }],
    ['mode: another', with_('mode', 'video-to-video'), { mode: 'invalid_value' }],
    ['mode: another case', with_('mode', 'Text-To-Video'), { mode: 'invalid_value' }],
    ['prompt: a number', with_('prompt', 5), { prompt: 'invalid_type' }],
    ['prompt: empty', with_('prompt', ''), { prompt: 'too_short' }],
    ['prompt: white space', with_('prompt', ' \n\u2003\ufeff'), { prompt: 'too_short' }],
    ['prompt: 5,001', with_('prompt', 'x'.repeat(5001)), { prompt: 'too_long' }],
    ['prompt: 5,001 boats', with_('prompt', '🚤'.repeat(5001)), { prompt: 'too_long' }],
    ['prompt: half a boat', with_('prompt', 'a \ud83d b'), { prompt: 'invalid_value' }],
    ['prompt: NUL', with_('prompt', 'a\0b'), { prompt: 'invalid_value' }],
    ['inputs: an object', with_('inputs', {}), { inputs: 'invalid_type' }],
    ['inputs: a URL', with_('inputs', [image.url]), { 'inputs[0]': 'invalid_type' }],
    ['inputs: null', with_('inputs', [null]), { 'inputs[0]': 'invalid_type' }],
    [
      'inputs: 16',
      with_(
        'inputs',
        Array.from({ length: 16 }, () => image),
      ),
      { inputs: 'too_many' },
    ],
    [
      'inputs: no URL',
      with_('inputs', [image, { type: 'image' }]),
      { 'inputs[1].url': 'required' },
    ],
    [
      'inputs: type',
      with_('inputs', [{ ...image, type: 'gif' }]),
      { 'inputs[0].type': 'invalid_value' },
    ],
    [
      'inputs: role',
      with_('inputs', [{ ...image, role: 'style' }]),
      { 'inputs[0].role': 'invalid_value' },
    ],
    [
      'inputs: a further field',
      with_('inputs', [{ ...image, data: 'x' }]),
      { 'inputs[0].data': 'unknown_field' },
    ],
    ['a webhook', with_('webhook_url', 'https://a.example'), { webhook_url: 'unknown_field' }],
  ])('%s', (_, body, expected) => {
    expect(codesOf(body)).toEqual(expected);
  });

  test.each<[string, unknown, DetailCode]>([
    ['duration_seconds', '5', 'invalid_type'],
    ['duration_seconds', 5.5, 'invalid_type'],
    ['duration_seconds', 0, 'out_of_range'],
    ['duration_seconds', 31, 'out_of_range'],
    ['duration_seconds', 1e400, 'out_of_range'],
    ['resolution', '720P', 'invalid_value'],
    ['resolution', 720, 'invalid_type'],
    ['aspect_ratio', '3:2', 'invalid_value'],
    ['generate_audio', 'true', 'invalid_type'],
    ['generate_audio', 1, 'invalid_type'],
    ['seed', 0, 'out_of_range'],
    ['seed', 2 ** 31, 'out_of_range'],
    ['seed', 2 ** 60, 'out_of_range'],
    ['seed', null, 'invalid_type'],
    // A parameter of images, and one that does not exist.
    ['n', 1, 'unknown_field'],
    ['safety', 'off', 'unknown_field'],
  ])('parameters.%s: %j', (field, value, code) => {
    const body = with_('parameters', { [field]: value });
    expect(codesOf(body)).toEqual({ [`parameters.${field}`]: code });
  });

  test.each<[string, unknown, DetailCode]>([
    ['notes', 'x', 'unknown_field'],
    ['consent_reference', '', 'too_short'],
    ['consent_reference', 'a b', 'invalid_value'],
    ['consent_reference', 'a\n', 'invalid_value'],
    ['consent_reference', 'x'.repeat(129), 'invalid_value'],
    ['rights_confirmed', 'yes', 'invalid_type'],
  ])('compliance.%s: %j', (field, value, code) => {
    const body = with_('compliance', { [field]: value });
    expect(codesOf(body)).toEqual({ [`compliance.${field}`]: code });
  });

  test('all at once', () => {
    const body = { mode: 'x', prompt: '', inputs: [{}], parameters: { seed: 0, fps: 24 }, x: 1 };
    expect(codesOf(body)).toEqual({
      model: 'required',
      mode: 'invalid_value',
      prompt: 'too_short',
      'inputs[0].type': 'required',
      'inputs[0].url': 'required',
      'parameters.seed': 'out_of_range',
      'parameters.fps': 'unknown_field',
      x: 'unknown_field',
    });
  });
});

describe('messages name the accepted values', () => {
  test.each([
    [
      { ...minimal, mode: 'x' },
      'Must be one of: text-to-video, image-to-video, multimodal-to-video.',
    ],
    [
      { ...minimal, mode: undefined },
      'This field is required. Must be one of: text-to-video, image-to-video, multimodal-to-video.',
    ],
    [
      { ...minimal, prompt: '' },
      'Must be text of 1 to 5,000 characters, not counting surrounding white space.',
    ],
    [
      { ...minimal, prompt: '\0' },
      'Must be valid Unicode text: it contains a NUL character or half of a surrogate pair.',
    ],
    [{ ...minimal, parameters: { duration_seconds: 99 } }, 'Must be a whole number from 1 to 30.'],
    [
      { ...minimal, parameters: { seed: null } },
      'Must be a whole number from 1 to 2,147,483,647. null is not accepted.',
    ],
    [
      { ...minimal, compliance: { x: 1 } },
      'Unknown field; the allowed fields are: rights_confirmed, consent_reference.',
    ],
    [{ ...minimal, inputs: {} }, 'Must be a list of at most 15 items.'],
    [{ ...minimal, parameters: [] }, 'Must be a JSON object.'],
  ])('%j', (body, message) => {
    expect(validateBody(createVideoSchema, body)).toMatchObject({
      ok: false,
      problems: [{ message }],
    });
  });
});

describe('a hostile body costs little and is answered briefly', () => {
  test.each([
    [
      'forty thousand fields',
      Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 0])),
    ],
    ['a hundred thousand inputs', { ...minimal, inputs: Array.from({ length: 100_000 }, () => 0) }],
    ['a thousand and one values', { ...minimal, inputs: Array.from({ length: 997 }, () => 0) }],
  ])('%s', (_, body) => {
    expect(codesOf(body)).toEqual({ body: 'too_many' });
  });

  test('is refused at any depth', () => {
    let deep: unknown = 0;
    for (let index = 0; index < 999; index += 1) deep = [deep];
    expect(codesOf(deep)).toEqual({ body: 'invalid_type' });
    for (let index = 0; index < 200_000; index += 1) deep = [deep];
    expect(codesOf(deep)).toEqual({ body: 'too_many' });
  });

  test('gets at most a hundred problems, with shortened names', () => {
    const fields = Array.from({ length: 900 }, (_, index) => [`${'k'.repeat(250)}${index}`, 0]);
    const result = validateBody(createVideoSchema, { ...minimal, ...Object.fromEntries(fields) });
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.problems.length).toBeLessThanOrEqual(100);
    for (const { param } of result.problems) expect(param.length).toBe(200);
  });
});
