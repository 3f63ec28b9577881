import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createCanvas } from '@napi-rs/canvas';
import { fontFamiliesFor, keepDrawable } from '../../gateway/preview/src/child/fonts.ts';

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

describe('every script that the renderer promises', () => {
  test.each(scripts)(
    '%s: no box, nothing missing, and every character its own shape',
    (_, text) => {
      const glyphs = look(text);
      expect(glyphs.shapes.length).toBeGreaterThan(5);
      expect(glyphs.boxes).toEqual([]);
      expect(glyphs.missing).toEqual([]);
      expect(new Set(glyphs.shapes).size).toBe(glyphs.shapes.length);
    },
  );

  test.each(['ґ', '✅', '‼', 'œ', '→', '♪', '①'])(
    '%s is drawn without characters that bring its font',
    (letter) => {
      expect(look(letter)).toMatchObject({ boxes: [], missing: [] });
    },
  );

  test('characters missing from our fonts become boxes, even if this machine has a font for them', () => {
    expect(look('ԱაᏣ𓀀漢').boxes).toEqual(['Ա', 'ა', 'Ꮳ', '𓀀']);
  });

  test('Arabic letters join and emoji combine', () => {
    expect(joinedShare('سسس')).toBeLessThan(0.9);
    expect(joinedShare('क्ष')).toBeLessThan(0.9);
    expect(joinedShare('👩🏽‍🚀')).toBeLessThan(0.6);
    expect(joinedShare('aaa')).toBeCloseTo(1);
  });
});

/** Characters of a text that are drawn as the font's box or as nothing, and a hash of how each one looks. */
function look(text: string): { boxes: string[]; missing: string[]; shapes: string[] } {
  const font = fontFamiliesFor(keepDrawable(text));
  const box = drawn('\u{f8ff0}', font);
  const nothing = drawn(' ', font);
  // Marks have no shape of their own.
  const characters = [...new Set(text.replaceAll(/[\s\p{M}]/gu, ''))];
  const shapes = characters.map((character) => drawn(keepDrawable(character), font));
  return {
    boxes: characters.filter((_, index) => shapes[index] === box),
    missing: characters.filter((_, index) => shapes[index] === nothing),
    shapes,
  };
}

function drawn(character: string, font: string): string {
  const canvas = createCanvas(96, 96);
  const context = canvas.getContext('2d');
  context.font = `600 48px ${font}`;
  context.textAlign = 'center';
  context.fillText(character, 48, 60);
  return createHash('sha256').update(canvas.data()).digest('base64');
}

/** Width of a text as a share of the widths of its characters. */
function joinedShare(text: string): number {
  const context = createCanvas(1, 1).getContext('2d');
  context.font = `600 48px ${fontFamiliesFor(text)}`;
  const apart = [...text].reduce((sum, letter) => sum + context.measureText(letter).width, 0);
  return context.measureText(text).width / apart;
}
