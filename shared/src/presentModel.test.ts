import { expect, test } from '@jest/globals';
import { catalogue, findModel } from './catalogue.ts';
import type { Model } from './model.ts';
import { presentModel } from './presentModel.ts';
import { pricingOf } from './pricing.ts';
import { modelListSchema, validateBody } from './schemas/index.ts';

test('a video model on the wire, with its fields in order', () => {
  const model = findModel('alpha-2.0-mini') as Model;
  const expected = {
    id: 'alpha-2.0-mini',
    object: 'model',
    type: 'video',
    display_name: 'Alpha 2.0 Mini',
    capabilities: {
      modes: ['text-to-video', 'image-to-video', 'multimodal-to-video'],
      duration_seconds: { min: 4, max: 10, default: 5 },
      resolutions: ['480p', '720p'],
      aspect_ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
      generate_audio: false,
      real_person_modes: ['image-to-video', 'multimodal-to-video'],
      max_prompt_length: 3500,
      inputs: {
        image: { max_count: 4, max_bytes: 20_000_000, max_pixels: 40_000_000 },
        video: { max_count: 1, max_bytes: 50_000_000, max_seconds: 15 },
        audio: { max_count: 1, max_bytes: 15_000_000, max_seconds: 15 },
      },
      n: null,
      output_formats: [],
      negative_prompt: null,
      guidance: null,
    },
    pricing: pricingOf(model),
    next_pricing: null,
    typical_seconds: 45,
    max_seconds: 3600,
    deprecated_at: null,
    sunset_at: null,
  };
  expect(JSON.stringify(presentModel(model))).toBe(JSON.stringify(expected));
});

test('an image model on the wire has the same fields', () => {
  const entry = presentModel(findModel('image-b-2') as Model);
  expect(entry.capabilities).toMatchObject({
    modes: [],
    duration_seconds: null,
    generate_audio: false,
    real_person_modes: [],
    n: { min: 1, max: 4 },
    output_formats: ['png', 'jpeg', 'webp'],
  });
});

test('all models fit the schema of GET /models', () => {
  const list = { object: 'list', data: catalogue.map(presentModel) };
  expect(validateBody(modelListSchema, list)).toEqual({ ok: true, value: list });
});
