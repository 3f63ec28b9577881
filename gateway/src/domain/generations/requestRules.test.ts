import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  catalogue,
  type CreateImageBody,
  type CreateVideoBody,
  findModel,
  type ImageModel,
  type InputRole,
  type InputType,
  type VideoModel,
} from '@framegate/contract';
import { createVideoSchema, validateBody } from '@framegate/contract/schemas';
import { Refusal } from '../refusal.ts';
import { resolveImageRequest, resolveVideoRequest } from './requestRules.ts';

/** The request as the rules return it; null if it is refused. */
function accepted(model: VideoModel, body: CreateVideoBody) {
  try {
    return resolveVideoRequest(model, body);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

test("an accepted video request stays within the model's offer, for any schema-valid body", () => {
  const videoModels = catalogue.filter((model) => model.type === 'video');
  const anyInput = fc.record(
    {
      type: fc.constantFrom<InputType>('image', 'video', 'audio'),
      url: fc.constant('https://a.example/x'),
      role: fc.constantFrom<InputRole>('first_frame', 'last_frame', 'reference'),
    },
    { requiredKeys: ['type', 'url'] },
  );
  const anyBody = fc.record(
    {
      model: fc.constant('x'),
      mode: fc.constantFrom<CreateVideoBody['mode']>(
        'text-to-video',
        'image-to-video',
        'multimodal-to-video',
      ),
      prompt: fc.string({ minLength: 1, maxLength: 30 }),
      inputs: fc.array(anyInput, { maxLength: 4 }),
      parameters: fc.record(
        {
          duration_seconds: fc.integer({ min: 3, max: 15 }),
          resolution: fc.constantFrom(
            '480p' as const,
            '720p' as const,
            '1080p' as const,
            '2160p' as const,
          ),
          generate_audio: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['model', 'mode', 'prompt'] },
  );
  let count = 0;
  fc.assert(
    fc.property(fc.constantFrom(...videoModels), anyBody, (model, body) => {
      if (!validateBody(createVideoSchema, body).ok) return;
      const request = accepted(model, body);
      if (request === null) return;
      count += 1;
      const { mode, inputs, parameters } = request;
      expect(model.modes).toContain(mode);
      expect(model.resolutions).toContain(parameters.resolution);
      expect(parameters.duration_seconds).toBeGreaterThanOrEqual(model.duration.min);
      expect(parameters.duration_seconds).toBeLessThanOrEqual(model.duration.max);
      expect(parameters.generate_audio && !model.generateAudio).toBe(false);
      const roles = inputs.map(({ role }) => role).toSorted();
      if (mode === 'text-to-video') expect(roles).toEqual([]);
      if (mode === 'image-to-video') {
        expect(['first_frame', 'first_frame,last_frame']).toContain(roles.join());
      }
      if (mode === 'multimodal-to-video') {
        expect(new Set(roles)).toEqual(new Set(['reference']));
        expect(inputs.some(({ type }) => type !== 'audio')).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
  expect(count).toBeGreaterThan(50);
});

describe('an image request', () => {
  const model = findModel('image-a-2') as ImageModel;
  const body: CreateImageBody = { model: 'image-a-2', prompt: ' A cup. ' };

  test('gets the defaults of its model', () => {
    expect(resolveImageRequest(model, body)).toEqual({
      type: 'image',
      model: 'image-a-2',
      prompt: 'A cup.',
      inputs: [],
      parameters: { n: 1, aspect_ratio: '1:1', resolution: '1k', output_format: 'png' },
    });
  });

  test('keeps chosen values, and its inputs are references', () => {
    const parameters = {
      n: 4,
      aspect_ratio: '2:3',
      resolution: '2k',
      output_format: 'webp',
      seed: 9,
    } as const;
    const inputs: CreateImageBody['inputs'] = [{ type: 'image', url: 'https://a.example/x' }];
    const request = resolveImageRequest(model, { ...body, parameters, inputs });
    expect(request.parameters).toEqual(parameters);
    expect(request.inputs).toEqual([
      { type: 'image', url: 'https://a.example/x', role: 'reference' },
    ]);
  });

  test('is refused with every problem at once', () => {
    const wrong: CreateImageBody = {
      model: 'image-a-2',
      prompt: 'x'.repeat(2501),
      inputs: Array.from({ length: 5 }, () => ({ type: 'image', url: 'https://a.example/x' })),
      parameters: { n: 5, resolution: '4k' },
    };
    const details = [
      { param: 'prompt', code: 'too_long' },
      { param: 'inputs', code: 'too_many' },
      { param: 'parameters.n', code: 'out_of_range' },
      { param: 'parameters.resolution', code: 'not_supported' },
    ].map((each) => expect.objectContaining(each) as unknown);
    expect(() => resolveImageRequest(model, wrong)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'prompt', details }),
    );
  });
});
