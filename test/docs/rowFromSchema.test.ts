import { describe, expect, test } from '@jest/globals';
import { rowFromSchema, type Schema } from '../../scripts/rowFromSchema.ts';

/** A document in the form that fal and Replicate publish, for an input with these fields. */
const documentOf = (properties: Record<string, Schema>, required: string[], more = {}) => ({
  components: { schemas: { ...more, Input: { properties, required } } },
});

const text = { type: 'string' };
const list = (maxItems?: number) => ({
  type: 'array',
  items: text,
  ...(maxItems !== undefined && { maxItems }),
});

describe('a row from a published schema', () => {
  test('has modes, values and fields of a video from images', () => {
    const document = documentOf(
      {
        prompt: text,
        start_image_url: text,
        end_image_url: text,
        duration: { enum: ['3', '4', '5'] },
        generate_audio: { type: 'boolean' },
        resolution: { enum: ['720p', '1080p', '4k'] },
      },
      ['start_image_url'],
    );
    expect(rowFromSchema(document, 'Input')).toEqual({
      type: 'video',
      does: {
        modes: ['image-to-video'],
        seconds: [3, 4, 5],
        resolutions: ['720p', '1080p', '2160p'],
        audio: true,
        lastFrame: true,
      },
      send: {
        duration: { duration: '{s}' },
        resolution: { resolution: { '720p': '720p', '1080p': '1080p', '2160p': '4k' } },
        audio: 'generate_audio',
        firstFrame: 'start_image_url',
        lastFrame: 'end_image_url',
      },
      open: ['its aspect ratio'],
    });
  });

  test('follows references, and keeps only our own words', () => {
    const document = documentOf(
      {
        duration: { type: 'integer', minimum: 3, maximum: 15 },
        aspect_ratio: { allOf: [{ $ref: '#/components/schemas/aspect_ratio' }] },
        resolution: { enum: ['480p', '720p'] },
        image: text,
        reference_images: list(7),
        seed: { type: 'integer' },
      },
      ['prompt'],
      { aspect_ratio: { type: 'string', enum: ['auto', '16:9', '9:16', '19:9'] } },
    );
    expect(rowFromSchema(document, 'Input')).toMatchObject({
      does: {
        modes: ['text-to-video', 'image-to-video', 'multimodal-to-video'],
        seconds: { min: 3, max: 15 },
        aspectRatios: ['16:9', '9:16'],
        references: { image: 7 },
      },
      send: {
        duration: 'duration',
        ratio: 'aspect_ratio',
        resolution: 'resolution',
        seed: '@seed',
      },
      open: ['whether its videos have sound'],
    });
  });

  test('of images names the parts that the schema leaves open', () => {
    const document = documentOf({ image_size: {}, image_urls: list() }, ['image_urls']);
    expect(rowFromSchema(document, 'Input')).toEqual({
      type: 'image',
      does: { references: { image: 1 }, requires: ['references'] },
      send: { size: '@size', images: 'image_urls' },
      open: [
        'its resolutions and ratios: it takes sizes in pixels',
        'how many files image_urls takes',
      ],
    });
  });

  test('is not made from other documents', () => {
    expect(() => rowFromSchema({}, 'Input')).toThrow('no schema Input');
  });
});
