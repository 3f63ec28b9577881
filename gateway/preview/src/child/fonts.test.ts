import { describe, expect, test } from '@jest/globals';
import { fontFamiliesFor, keepDrawable } from './fonts.ts';

describe('the fonts of a text', () => {
  test('are exactly those that it needs, and ours alone', () => {
    expect(fontFamiliesFor('hello')).toMatch(/^preview-sans-\d+$/);
    expect(fontFamiliesFor('привет hello')).toMatch(/^(preview-sans-\d+(, |$)){2}$/);
    expect(fontFamiliesFor('مرحبا')).toMatch(/^preview-sans-\d+, preview-arabic-\d+$/);
    expect(fontFamiliesFor('\u{f8ff0}')).toMatch(/^preview-sans-\d+$/);
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

  test('know which characters they lack; the others stay', () => {
    expect(keepDrawable('a\u0353b\u0344 l\u0301 ☀\ufe0f नमस्ते กำ می\u200cخواهم')).toBe(
      'ab l\u0301 ☀\ufe0f नमस्ते กำ می\u200cخواهم',
    );
    expect(keepDrawable('Ա\n1\u2005m\ufe05')).toBe('\u{f8ff0}\n1 m');
  });
});
