import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { breakLines, cleanPrompt, fitText, readsRightToLeft, splitPieces } from './text.ts';

describe('a prompt as it is drawn', () => {
  test.each([
    ['blanks collapse', '  a \t b\u00a0 c ', 'a b c'],
    ['line breaks of all kinds stay single', 'a\r\n\r\n b\u2028c\u0085d', 'a\nb\nc\nd'],
    ['control characters go', 'a\u0000b\u001b[31mc\u007f\u009fd', 'ab[31mcd'],
    ['direction overrides go', 'abc\u202edef\u2066ghi\u200f', 'abcdefghi'],
    ['lone surrogates and non-characters go', 'a\ud800b\udfffc\uffff', 'abc'],
    ['characters are composed', 'e\u0301', 'é'],
    ['stacked marks are cut', `z${'\u0335'.repeat(50)}`, `z${'\u0335'.repeat(4)}`],
    ['emoji made of several characters stay whole', '👩🏽‍🚀🏳️‍🌈', '👩🏽‍🚀🏳️‍🌈'],
    ['marks of Indian scripts stay', 'क्षत्रिय', 'क्षत्रिय'],
  ])('%s', (_, prompt, drawn) => {
    expect(cleanPrompt(prompt)).toBe(drawn);
  });

  test('holds no control character except the line break, and a second cleaning changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (prompt) => {
        const drawn = cleanPrompt(prompt);
        expect(drawn).not.toMatch(/[^\P{Cc}\n]|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/u);
        expect(drawn).not.toMatch(/ {2}|\n\n|^\s|\s$/u);
        expect(cleanPrompt(drawn)).toBe(drawn);
      }),
    );
  });

  test('is bounded however long the prompt', () => {
    expect([...cleanPrompt('👩'.repeat(20_000))].length).toBeLessThanOrEqual(5200);
  });

  test.each([
    ['hello', false],
    ['مرحبا hello', true],
    ['(1) שלום', true],
    ['hello مرحبا', false],
    ['123 !?', false],
  ])('%s reads from right to left: %s', (line, expected) => {
    expect(readsRightToLeft(line)).toBe(expected);
  });
});

/** Every character half as wide as the type is high. */
const measure = (text: string) => text.length / 2;
const lay = (text: string, width: number) => breakLines(splitPieces(text, measure), width, measure);

describe('breaking lines', () => {
  test.each([
    ['between words', 'one two three', 4, ['one two', 'three']],
    ['at line breaks', 'one\ntwo three', 20, ['one', 'two three']],
    ['never before closing punctuation', 'yes (no), so', 4, ['yes', '(no), so']],
    ['after a hyphen and a slash', 'slow-motion and/or', 4, ['slow-', 'motion', 'and/or']],
    ['inside a word only when it is wider than a line', 'abcdefgh', 2, ['abcd', 'efgh']],
    [
      'between the words of a script without blanks',
      '黎明时分，一只红狐',
      2.5,
      ['黎明时分，', '一只红狐'],
    ],
  ])('%s', (_, text, width, lines) => {
    expect(lay(text, width)).toEqual(lines);
  });

  test('keeps every character, in order, and no line wider than the box', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 20 }),
        fc.integer({ min: 4, max: 40 }),
        (words, width) => {
          const text = cleanPrompt(words.join(' '));
          const lines = lay(text, width);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(/[ \n]/g, ''));
          const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
          for (const line of lines) {
            const single = [...graphemes.segment(line)].length === 1;
            expect(single || measure(line) <= width).toBe(true);
          }
        },
      ),
    );
  });
});

describe('fitting text', () => {
  const box = { width: 400, height: 200, maxFontSize: 50, minFontSize: 12 };

  test('a short text takes the largest type, in lines of even length', () => {
    const fitted = fitText('a red fox on a lake', box, measure);
    expect(fitted).toMatchObject({ fontSize: 50, isCut: false });
    expect(fitted.lines).toEqual(['a red fox', 'on a lake']);
  });

  test('a longer text takes smaller type and stays whole', () => {
    const text = 'word '.repeat(60).trim();
    const fitted = fitText(text, box, measure);
    expect(fitted.fontSize).toBeLessThan(50);
    expect(fitted.isCut).toBe(false);
    expect(fitted.lines.join(' ')).toBe(text);
  });

  test('a text too long for the smallest type ends in an ellipsis', () => {
    const fitted = fitText('word '.repeat(1000).trim(), box, measure);
    expect(fitted).toMatchObject({ fontSize: 12, isCut: true });
    expect(fitted.lines.at(-1)).toMatch(/word…$/);
  });

  test('never overflows its box', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 400 }), fc.integer({ min: 1, max: 5 }), (text, maxLines) => {
        const { lines, fontSize, lineHeight } = fitText(text, { ...box, maxLines }, measure);
        expect(lines.length).toBeLessThanOrEqual(maxLines);
        expect(lines.length * lineHeight).toBeLessThanOrEqual(box.height);
        for (const line of lines) {
          expect(measure(line) * fontSize).toBeLessThanOrEqual(box.width + 0.001);
        }
      }),
      { numRuns: 50 },
    );
  });
});
