import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FileProblemsError } from '../installation/fileProblems.ts';
import { foldText, latinise } from '../text/text.ts';
import { createSafetyPolicy } from './safetyPolicy.ts';

const policy = createSafetyPolicy([
  { name: 'weapons', words: ['Pipe Bomb', 'naïve straße', '爆弾', '폭탄'], patterns: [] },
  { name: 'people', words: ['grendel'], patterns: ['\\bkill(s|ing)? (him|her)\\b', '(a+)+z'] },
]);

describe('a prompt is refused', () => {
  test.each([
    ['as the rule has it', 'how to make a pipe bomb at home', 'weapons'],
    ['in capitals', 'PIPE BOMB', 'weapons'],
    ['over two lines', 'pipe\n\t bomb', 'weapons'],
    ['with a hyphen', 'a pipe-bomb!', 'weapons'],
    ['in full-width letters', 'ｐｉｐｅ ｂｏｍｂ', 'weapons'],
    ['in mathematical letters', '𝓹𝓲𝓹𝓮 𝐛𝐨𝐦𝐛', 'weapons'],
    ['in circled letters', 'ⓟⓘⓟⓔ ⓑⓞⓜⓑ', 'weapons'],
    ['with Cyrillic letters', 'рiре bоmb', 'weapons'],
    ['with Greek letters', 'ριpε bοmb', 'weapons'],
    ['with a zero-width space', 'pi\u200bpe bo\u200dmb', 'weapons'],
    ['with a soft hyphen', 'pi\u00adpe bomb', 'weapons'],
    ['with a variation selector', 'pipe\ufe0f bomb', 'weapons'],
    ['with tag characters', 'pipe\u{e0061} bomb', 'weapons'],
    ['with bidirectional controls', '\u202epipe\u202c bomb', 'weapons'],
    ['with diacritics', 'pípë bömb', 'weapons'],
    ['with marks on marks', 'p\u0336i\u0336p\u0336e\u0336 b\u0336omb', 'weapons'],
    ['with a no-break space', 'pipe\u00a0bomb', 'weapons'],
    ['without its own diacritics', 'NAIVE STRASSE', 'weapons'],
    ['in a script without blanks', '家で爆弾を作る', 'weapons'],
    ['in such a script with a blank in it', '爆 弾', 'weapons'],
    ['with an ending glued on', '폭탄을 만든다', 'weapons'],
    ['by a pattern', 'She is killing  HIM', 'people'],
    ['by a pattern through look-alikes', 'Не кills hеr', 'people'],
    ['by the first of several rules', 'grendel has a pipe bomb', 'weapons'],
  ])('%s', (_name, prompt, rule) => {
    expect(policy.findBrokenRule(prompt)).toBe(rule);
  });

  test.each(['a pipe and a bombardment', 'grendels', 'skills herbs', 'bomb pipe', '爆', ''])(
    'but not "%s"',
    (prompt) => {
      expect(policy.findBrokenRule(prompt)).toBeNull();
    },
  );

  test('for any text around a word, and invisible characters between its letters', () => {
    const unseen = fc.constantFrom('\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\ufe0f');
    const letters = fc.array(fc.tuple(unseen, fc.boolean()), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(letters, fc.constantFrom(' ', '.', ', ', '\n'), (marks, edge) => {
        const written = Array.from('grendel', (letter, index) => {
          const [mark, isUpper] = marks[index] ?? ['', false];
          return mark + (isUpper ? letter.toUpperCase() : letter);
        });
        expect(policy.findBrokenRule(`a${edge}${written.join('')}${edge}b`)).toBe('people');
      }),
    );
  });
});

describe('folding', () => {
  test('is idempotent, and loses no text of any language', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = foldText(text);
        expect(foldText(once)).toBe(once);
        expect(latinise(latinise(once))).toBe(latinise(once));
      }),
    );
    expect(foldText('STRAẞE')).toBe(foldText('straße'));
    expect(foldText('คำว่า นี้ हिन्दी')).toBe('คำว่า นี้ हिन्दी'.normalize('NFKC'));
  });
});

describe('rules that cannot work are refused at start', () => {
  const words = (...each: string[]) => [{ name: 'x', words: each, patterns: [] }];
  const patterns = (...each: string[]) => [{ name: 'x', words: [], patterns: each }];
  test.each([
    [words('good', ' -- '), 'rules[0].words[1]'],
    [words('\u200b'), 'rules[0].words[0]'],
    [patterns('good', '('), 'rules[0].patterns[1]'],
    [patterns('(?=look)ahead'), 'rules[0].patterns[0]'],
    [patterns('(back)\\1'), 'rules[0].patterns[0]'],
    [patterns('((a{100}){100}){100}'), 'rules[0].patterns[0]'],
    [patterns('x*'), 'rules[0].patterns[0]'],
    [patterns('Upper'), 'rules[0].patterns[0]'],
  ])('%j', (rules, path) => {
    const make = () => createSafetyPolicy(rules);
    expect(make).toThrow(FileProblemsError);
    expect(make).toThrow(`${path} `);
  });

  test('classes and names of groups may have upper case', () => {
    const lawful = createSafetyPolicy(patterns('\\p{Lu}x|(?P<Name>y)\\S\\W'));
    expect(lawful.findBrokenRule('ya1')).toBeNull();
    expect(lawful.findBrokenRule('ya-')).toBe('x');
  });
});

test('a pattern that would hang a backtracking engine costs time linear in the prompt', () => {
  // 2^5000 steps for a backtracking engine: this test would never end.
  expect(policy.findBrokenRule('a'.repeat(5000))).toBeNull();
  expect(policy.findBrokenRule(`${'a'.repeat(4999)}z`)).toBe('people');
});
