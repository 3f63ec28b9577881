import { describe, expect, test } from '@jest/globals';
import { createImageSchema, validateBody } from './index.ts';

const minimal = { model: 'image-b-2', prompt: 'A cup.' };
const input = { type: 'image', url: 'https://a.example/x.png' };

describe('the body of POST /images', () => {
  test.each([
    [minimal],
    [{ ...minimal, inputs: [{ ...input, role: 'reference' }] }],
    [
      {
        ...minimal,
        parameters: { n: 4, aspect_ratio: '2:3', resolution: '4k', output_format: 'webp', seed: 1 },
      },
    ],
  ])('passes unchanged: %j', (body) => {
    expect(validateBody(createImageSchema, body)).toEqual({ ok: true, value: body });
  });

  test.each([
    [{ ...minimal, mode: 'text-to-image' }, 'mode', 'unknown_field'],
    [{ ...minimal, compliance: {} }, 'compliance', 'unknown_field'],
    [
      { ...minimal, parameters: { real_person_mode: false } },
      'parameters.real_person_mode',
      'unknown_field',
    ],
    [{ ...minimal, parameters: { n: 5 } }, 'parameters.n', 'out_of_range'],
    [{ ...minimal, parameters: { n: 0 } }, 'parameters.n', 'out_of_range'],
    [{ ...minimal, parameters: { resolution: '720p' } }, 'parameters.resolution', 'invalid_value'],
    [
      { ...minimal, parameters: { output_format: 'jpg' } },
      'parameters.output_format',
      'invalid_value',
    ],
    [{ ...minimal, inputs: [{ ...input, type: 'video' }] }, 'inputs[0].type', 'invalid_value'],
    [
      { ...minimal, inputs: [{ ...input, role: 'first_frame' }] },
      'inputs[0].role',
      'invalid_value',
    ],
    [{ model: 'image-b-2' }, 'prompt', 'required'],
  ])('is refused: %j', (body, param, code) => {
    expect(validateBody(createImageSchema, body)).toMatchObject({
      ok: false,
      problems: [{ param, code }],
    });
  });
});
