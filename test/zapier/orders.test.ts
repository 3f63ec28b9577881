import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseBaseUrl } from '../../integrations/zapier/src/baseUrl.ts';
import { canonicalJson } from '../../integrations/zapier/src/canonicalJson.ts';
import { imageOrder } from '../../integrations/zapier/src/imageOrder.ts';
import { videoOrder } from '../../integrations/zapier/src/videoOrder.ts';
import { createImageSchema, createVideoSchema } from '../../shared/src/schemas/index.ts';

/* Requests of a step to the API, from the values that Zapier passes. */

const video = { model: 'alpha-2.0-pro', mode: 'image-to-video', prompt: ' A kite ' };
const url = 'https://a.example/a.png';

describe('the order of a video', () => {
  test("is a valid request, made from Zapier's text", () => {
    const { path, body, requestKey, shouldWait } = videoOrder({
      ...video,
      inputs: [
        { input_url: url, input_role: 'first_frame', input_type: 'video' },
        { input_url: '', input_role: null },
      ],
      duration_seconds: '5',
      resolution: '',
      aspect_ratio: null,
      generate_audio: 'yes',
      seed: 7,
      real_person_mode: 'true',
      rights_confirmed: true,
      consent_reference: 'release-42',
      request_key: 42,
      wait: '',
    });
    expect(body).toEqual({
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      prompt: 'A kite',
      inputs: [{ type: 'image', url, role: 'first_frame' }],
      parameters: { duration_seconds: 5, generate_audio: true, seed: 7, real_person_mode: true },
      compliance: { rights_confirmed: true, consent_reference: 'release-42' },
    });
    expect({ path, requestKey, shouldWait }).toEqual({
      path: '/videos',
      requestKey: '42',
      shouldWait: true,
    });
    expect(createVideoSchema.validate(body, { convert: false }).error).toBeUndefined();
  });

  test('omits fields that the form no longer shows', () => {
    const stale = {
      input_url: url,
      input_role: 'last_frame',
      input_type: 'audio',
      rights_confirmed: true,
      consent_reference: 'x',
      real_person_mode: 'no',
    };
    expect(videoOrder({ ...video, ...stale, mode: 'text-to-video' }).body).toEqual({
      model: 'alpha-2.0-pro',
      mode: 'text-to-video',
      prompt: 'A kite',
      parameters: { real_person_mode: false },
    });
    const { inputs } = videoOrder({ ...video, ...stale, mode: 'multimodal-to-video' }).body;
    expect(inputs).toEqual([{ type: 'audio', url }]);
  });

  test.each([
    ['References to Video', 'VIDEO', 'multimodal-to-video', { type: 'video', url }],
    ['image to video', '', 'image-to-video', { type: 'image', url, role: 'last_frame' }],
    ['IMAGE-TO-VIDEO', '', 'image-to-video', { type: 'image', url, role: 'last_frame' }],
  ])('accepts the labels of the form, in any case: %s', (mode, input_type, value, input) => {
    const chosen = { mode, input_url: url, input_role: 'Last frame', input_type };
    const { body } = videoOrder({ ...video, ...chosen, resolution: '1080P' });
    expect(body).toMatchObject({ mode: value, inputs: [input] });
    expect(body.parameters).toEqual({ resolution: '1080p' });
  });

  test('passes an unknown choice on to the API', () => {
    const { body } = videoOrder({ ...video, mode: 'Sketch', resolution: '8K', inputs: [] });
    expect(body).toMatchObject({ mode: 'Sketch', parameters: { resolution: '8K' } });
  });

  test.each([
    ['no', false],
    ['false', false],
    [false, false],
    [0, false],
    ['', true],
    [undefined, true],
    [true, true],
    ['Yes', true],
  ])('follows the wait setting: %p', (wait, waits) => {
    expect(videoOrder({ ...video, wait }).shouldWait).toBe(waits);
  });
});

describe('the order of images', () => {
  test('is a valid request', () => {
    const { body } = imageOrder({
      model: 'image-b-2',
      prompt: 'A cup',
      n: '2',
      output_format: 'JPEG',
      seed: null,
      inputs: [{ input_url: url }, { input_url: ' ' }],
    });
    expect(body).toEqual({
      model: 'image-b-2',
      prompt: 'A cup',
      inputs: [{ type: 'image', url }],
      parameters: { n: 2, output_format: 'jpeg' },
    });
    expect(createImageSchema.validate(body, { convert: false }).error).toBeUndefined();
  });
});

describe('canonical JSON', () => {
  test('is equal for equal values, in any order of keys', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, each]) => [key, reversed(each)]),
      );
    };
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        expect(canonicalJson(reversed(json))).toBe(canonicalJson(json));
        expect(JSON.parse(canonicalJson(json))).toEqual(json);
      }),
    );
  });
});

describe('the base URL', () => {
  test.each([
    [' https://api.example.com/v1/ ', 'https://api.example.com/v1'],
    ['https://example.com:8443/framegate/v1', 'https://example.com:8443/framegate/v1'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['http://framegate.internal/v1', 'http://framegate.internal/v1'],
  ])('%p is good', (entered, baseUrl) => {
    expect(parseBaseUrl(entered)).toBe(baseUrl);
  });

  test.each([
    '',
    'api.example.com/v1',
    'https://example.com',
    'https://example.com/v1?x=/v1',
    'https://example.com/v1#/v1',
    'https://a:b@example.com/v1',
    'http://example.com/v1',
    'http://127.0.0.1.example.com/v1',
    'ftp://127.0.0.1/v1',
  ])('%p is refused with a sentence', (entered) => {
    expect(() => parseBaseUrl(entered)).toThrow(RangeError);
  });
});
