/**
 * Draws each character of texts with the shipped fonts and reports the result: `reportGlyphs.ts
 * <JSON array of texts>`. Run it with DISABLE_SYSTEM_FONTS_LOAD, or the machine's fonts help out.
 */
import { createHash } from 'node:crypto';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { fontFamiliesFor } from '../../gateway/preview/src/child/fonts.ts';

/** Characters of a text that are drawn as the font's box or as nothing, and a hash of how each one looks. */
export type Glyphs = { boxes: string[]; missing: string[]; shapes: string[] };

export type GlyphReport = {
  /** Font families that were there before any of ours. */
  families: string[];
  texts: Record<string, Glyphs>;
  /** The report on a character drawn with fonts that have not got it. */
  unknown: Glyphs;
  /** Width of texts as a share of the widths of their characters. */
  joinedShare: Record<string, number>;
};

const families = GlobalFonts.families.map(({ family }) => family);
const texts = JSON.parse(process.argv[2] ?? '[]') as string[];
const report: GlyphReport = {
  families,
  texts: Object.fromEntries(texts.map((text) => [text, look(text, fontFamiliesFor(text))])),
  unknown: look('漢', fontFamiliesFor('a')),
  joinedShare: Object.fromEntries(
    ['سسس', 'क्ष', '👩🏽‍🚀', 'aaa'].map((text) => [text, joinedShare(text)]),
  ),
};
console.log(JSON.stringify(report));

function look(text: string, font: string): Glyphs {
  const box = drawn('\u{f8ff0}', font);
  const nothing = drawn(' ', font);
  // Marks have no shape of their own.
  const characters = [...new Set(text.replaceAll(/[\s\p{M}]/gu, ''))];
  const shapes = characters.map((character) => drawn(character, font));
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

function joinedShare(text: string): number {
  const context = createCanvas(1, 1).getContext('2d');
  context.font = `600 48px ${fontFamiliesFor(text)}`;
  const apart = [...text].reduce((sum, letter) => sum + context.measureText(letter).width, 0);
  return context.measureText(text).width / apart;
}
