import { describe, expect, test } from '@jest/globals';
import { dropStrangeMarks, fontFamiliesFor } from './fonts.ts';

describe('the fonts of a text', () => {
  test('are exactly those that it needs', () => {
    expect(fontFamiliesFor('hello')).toMatch(/^preview-sans-\d+, sans-serif$/);
    expect(fontFamiliesFor('привет hello').split(', ')).toHaveLength(3);
    expect(fontFamiliesFor('مرحبا')).toMatch(/^preview-arabic-\d+, sans-serif$/);
  });

  test.each([
    ['日本の東京', 'japanese'],
    ['서울 東京', 'korean'],
    ['中国的北京', 'chinese'],
  ])('draw the Han characters of %s in their %s forms', (text, forms) => {
    const others = ['japanese', 'korean', 'chinese'].filter((other) => other !== forms);
    const families = fontFamiliesFor(text);
    expect(families).toContain(`preview-${forms}`);
    for (const other of others) expect(families).not.toContain(`preview-${other}`);
  });

  test('know which combining marks they lack; the others stay', () => {
    expect(dropStrangeMarks('a\u0353b\u0344 l\u0301 ☀\ufe0f नमस्ते กำ')).toBe(
      'ab l\u0301 ☀\ufe0f नमस्ते กำ',
    );
  });
});
