import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanPrompt, readsRightToLeft } from './cleanPrompt.ts';

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

  test('never holds a control character but the line break, and cleaning again changes nothing', () => {
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
