import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';

/**
 * Fonts of this package (all SIL OFL 1.1), because a machine may have none. Each is a style sheet whose faces
 * have a file and its range of characters.
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
 * Registers only the fonts that a text needs and returns the family for a `font` property. The text determines
 * the preferred Han forms: Japanese with kana, Korean with hangul, otherwise Chinese.
 */
export function fontFamiliesFor(text: string): string {
  let missing = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const families: string[] = [];
  for (const face of sheetsFor(text).flatMap(facesOf)) {
    const left = missing.filter((code) => !within(face.ranges, code));
    if (left.length === missing.length) continue;
    families.push(register(face));
    // An emoji of several characters needs one file with all of them, so all files remain candidates.
    if (!face.family.includes('emoji')) missing = left;
  }
  return [...families, 'sans-serif'].join(', ');
}

/** Removes combining marks that no font has, which would appear as boxes. */
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
