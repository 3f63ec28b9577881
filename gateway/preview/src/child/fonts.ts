import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';

/**
 * The fonts that come with this package (all SIL OFL 1.1), as a machine may have none. Each is a style
 * sheet whose faces name a file and the characters in it.
 */
const sheets = {
  sans: import.meta.resolve('@fontsource-variable/noto-sans'),
  arabic: import.meta.resolve('@fontsource-variable/noto-sans-arabic'),
  hebrew: import.meta.resolve('@fontsource-variable/noto-sans-hebrew'),
  thai: import.meta.resolve('@fontsource-variable/noto-sans-thai'),
  bengali: import.meta.resolve('@fontsource-variable/noto-sans-bengali'),
  tamil: import.meta.resolve('@fontsource-variable/noto-sans-tamil'),
  emoji: import.meta.resolve('@fontsource-variable/noto-emoji'),
  japanese: import.meta.resolve('@fontsource-variable/noto-sans-jp'),
  korean: import.meta.resolve('@fontsource-variable/noto-sans-kr'),
  chinese: import.meta.resolve('@fontsource-variable/noto-sans-sc'),
};

type SheetName = keyof typeof sheets;
type Face = { readonly family: string; readonly file: string; readonly ranges: [number, number][] };

const letterSheets: readonly SheetName[] = [
  'sans',
  'arabic',
  'hebrew',
  'thai',
  'bengali',
  'tamil',
  'emoji',
];

const faces = new Map<SheetName, Face[]>();
const registered = new Set<string>();

/**
 * Registers the fonts that a text needs, and no others, and returns the value for a `font` property's
 * family. Which Han forms come first follows the text: kana means Japanese, hangul Korean, else Chinese.
 */
export function fontFamiliesFor(text: string): string {
  let missing = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const families: string[] = [];
  for (const face of sheetsFor(text).flatMap(facesOf)) {
    const left = missing.filter((code) => !within(face.ranges, code));
    if (left.length === missing.length) continue;
    families.push(register(face));
    // An emoji made of several characters needs the one file that has it whole: all stay candidates.
    if (!face.family.includes('emoji')) missing = left;
  }
  return [...families, 'sans-serif'].join(', ');
}

/** A text without the combining marks that no font has: they would be drawn as boxes. */
export function dropStrangeMarks(text: string): string {
  return text.replace(/[\p{M}&&\p{Script=Inherited}]/gv, (mark) => (isCovered(mark) ? mark : ''));
}

function isCovered(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return sheetsFor(character)
    .flatMap(facesOf)
    .some(({ ranges }) => within(ranges, code));
}

function sheetsFor(text: string): SheetName[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) {
    return [...letterSheets, 'japanese', 'chinese', 'korean'];
  }
  if (/\p{Script=Hangul}/u.test(text)) return [...letterSheets, 'korean', 'japanese', 'chinese'];
  return [...letterSheets, 'chinese', 'japanese', 'korean'];
}

function facesOf(name: SheetName): Face[] {
  const known = faces.get(name);
  if (known) return known;
  const sheet = new URL(sheets[name]);
  const read = [
    ...readFileSync(sheet, 'utf8').matchAll(/url\(([^)]+)\)[^}]*unicode-range:([^;}]+)/gu),
  ];
  const made = read.map(([, file = '', ranges = ''], index) => ({
    family: `preview-${name}-${String(index)}`,
    file: fileURLToPath(new URL(file, sheet)),
    ranges: ranges.split(',').map(parseRange),
  }));
  if (made.length === 0) throw new Error(`the font package for ${name} has no faces`);
  faces.set(name, made);
  return made;
}

/** `U+0400-045F` or `U+2116`. */
function parseRange(range: string): [number, number] {
  const [first = '', last = first] = range.trim().slice(2).split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

function within(ranges: readonly [number, number][], code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

function register({ family, file }: Face): string {
  if (!registered.has(family)) {
    if (!GlobalFonts.registerFromPath(file, family)) throw new Error(`no font in ${file}`);
    registered.add(family);
  }
  return family;
}
