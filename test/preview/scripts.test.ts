import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runNode } from '../support/runNode.ts';
import type { GlyphReport } from './reportGlyphs.ts';

const scripts: [string, string][] = [
  ['Latin', 'The quick brown fox, jumps over 13 lazy dogs? ÄÖÜß çñø'],
  ['Vietnamese', 'ắộữỵđ ẰỔỪ'],
  ['Polish, Czech and Turkish', 'łśźż řčě ğış'],
  ['Cyrillic', 'Съешь ещё этих мягких французских булок ґїє'],
  ['Greek', 'Ξεσκεπάζω τὴν ψυχοφθόρα'],
  ['Arabic', 'نص حكيم له سر قاطع'],
  ['Persian and Urdu', 'پچژگ ٹڈڑںے'],
  ['Hebrew', 'דג סקרן שט בים'],
  ['Devanagari', 'ऋषियों को सताने वाले दुष्ट'],
  ['Bengali', 'আমি বাংলায় গান গাই'],
  ['Tamil', 'யாமறிந்த மொழிகளிலே'],
  ['Thai', 'เป็นมนุษย์สุดประเสริฐ'],
  ['Chinese, simplified', '视野无限广窗外有蓝天'],
  ['Chinese, traditional', '視野無限廣窗外有藍天體國'],
  ['Japanese', 'いろはにほへと散りぬるを我が世誰ぞ常ならむカタカナ働込畑'],
  ['Korean', '키스의고유조건은입술끼리만나야하고'],
  ['emoji', '🦊🎬🚀❤☀✨👍🏆🌊🎉'],
  ['symbols', '→←★☆①②€£¥₹₽™©∞≈…—“”•'],
];

let report: GlyphReport;

beforeAll(async () => {
  // A process of its own, as the fonts of this machine are loaded once per process or not at all.
  const ended = await runNode(
    [
      path.join(import.meta.dirname, 'reportGlyphs.ts'),
      JSON.stringify(scripts.map(([, text]) => text)),
    ],
    { DISABLE_SYSTEM_FONTS_LOAD: '1' },
  );
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  report = JSON.parse(ended.stdout) as GlyphReport;
});

describe('every script that the renderer promises', () => {
  test('is tested without the fonts of this machine', () => {
    expect(report.families).toEqual([]);
  });

  test.each(scripts)(
    '%s: no box, nothing missing, and every character its own shape',
    (_, text) => {
      const glyphs = report.texts[text];
      expect(glyphs?.shapes.length).toBeGreaterThan(5);
      expect(glyphs?.boxes).toEqual([]);
      expect(glyphs?.missing).toEqual([]);
      expect(new Set(glyphs?.shapes).size).toBe(glyphs?.shapes.length);
    },
  );

  test('a character that no font has is recognised by its box, so the comparison can fail', () => {
    expect(report.unknown).toMatchObject({ boxes: ['漢'], missing: [] });
  });

  test('letters of Arabic join and emoji combine: text is shaped, not lined up', () => {
    expect(report.joinedShare['سسس']).toBeLessThan(0.9);
    expect(report.joinedShare['क्ष']).toBeLessThan(0.9);
    expect(report.joinedShare['👩🏽‍🚀']).toBeLessThan(0.6);
    expect(report.joinedShare['aaa']).toBeCloseTo(1);
  });
});
