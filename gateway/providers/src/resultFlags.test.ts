import { describe, expect, test } from '@jest/globals';
import { ResponseOutline } from './responseOutline.ts';
import { flagIn, flagsOf } from './resultFlags.ts';

const flags = flagsOf([{ at: 'video.safe', is: [false] }]);

describe('flags next to a result', () => {
  test.each<[object, string | null]>([
    [{ has_nsfw_concepts: [false, true] }, 'has_nsfw_concepts: true'],
    [{ has_nsfw_concepts: true }, 'has_nsfw_concepts: true'],
    [{ output: [{ nsfw_content_detected: [true] }] }, 'nsfw_content_detected: true'],
    [{ data: { video: { safe: false } } }, 'video.safe: false'],
    [{ has_nsfw_concepts: [false], nsfw_content_detected: null }, null],
    [{ video: { safe: true }, safe: false }, null],
    // The order, repeated.
    [{ input: { has_nsfw_concepts: true }, output: ['x'] }, null],
    [{ prompt: 'has_nsfw_concepts: true' }, null],
  ])('%j: %s', (response, expected) => {
    expect(flagIn([response], flags)).toBe(expected);
  });

  test('can be added, and known ones switched off, by the operator', () => {
    const own = flagsOf(
      [],
      [
        { at: 'verdict', is: ['bad'] },
        { at: 'has_nsfw_concepts', is: [] },
      ],
    );
    expect(flagIn([{ verdict: 'bad' }], own)).toBe('verdict: bad');
    expect(flagIn([{ has_nsfw_concepts: [true] }], own)).toBeNull();
  });
});

test.each([1, 7, 100_000])('an outline keeps all but long texts, in chunks of %i bytes', (size) => {
  const response = {
    data: [{ b64_json: 'A'.repeat(50_000), note: 'with "quotes", \\ and ü' }],
    nsfw_content_detected: [true],
    end: '\\',
  };
  const bytes = Buffer.from(JSON.stringify(response));
  const outline = new ResponseOutline();
  for (let at = 0; at < bytes.length; at += size) outline.add(bytes.subarray(at, at + size));
  const [picture] = response.data;
  expect(JSON.parse(outline.text() ?? '')).toEqual({
    ...response,
    data: [{ ...picture, b64_json: '' }],
  });
});
