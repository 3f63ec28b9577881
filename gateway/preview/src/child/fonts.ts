import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';
import { charactersOf } from './fontCharacters.ts';
import { graphemesOf } from './text.ts';

/**
 * Fonts of this package (all SIL OFL 1.1), the only ones that text is drawn with: pictures do not depend on the
 * machine. Each is a style sheet whose faces have a file and the ranges of its characters.
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
interface Face {
  family: string;
  file: string;
  ranges: [number, number][];
  /** Code points in the file, read when one in the ranges is first looked for. */
  characters?: ReadonlySet<number>;
}

const letterSheets: readonly SheetName[] = [
  'sans',
  'arabic',
  'hebrew',
  'thai',
  'bengali',
  'tamil',
  'emoji',
];

const facesBySheet = new Map<SheetName, Face[]>();
const registered = new Set<string>();

/** Drawn as a box: the canvas takes no private-use character from a font of the machine. */
const box = '\u{f8ff0}';

/**
 * Registers only the fonts that a text needs and returns the families for a `font` property, at least one. The text
 * determines the preferred Han forms: Japanese with kana, Korean with hangul, otherwise Chinese.
 */
export function fontFamiliesFor(text: string): string {
  // The ellipsis that ends a cut text also gives a text of boxes a font.
  let missing = [...new Set(graphemesOf(`…${text}`))];
  const families: string[] = [];
  for (const face of sheetsFor(text).flatMap(facesOf)) {
    const left = missing.filter((grapheme) => !hasAll(face, grapheme));
    if (left.length < missing.length) families.push(register(face));
    missing = left;
  }
  return families.join(', ');
}

/**
 * Leaves graphemes that one of our fonts has as a whole, because the canvas would take others from a font of the
 * machine. Others lose the marks that the font of their letter lacks. Without such a font, a space becomes an ordinary
 * one, an invisible character or a mark without a letter is dropped, and anything else becomes a box.
 */
export function keepDrawable(text: string): string {
  const faces = sheetsFor(text).flatMap(facesOf);
  const drawnByGrapheme = new Map([['\n', '\n']]);
  return graphemesOf(text)
    .map((grapheme) => {
      const drawn = drawnByGrapheme.get(grapheme) ?? drawable(grapheme, faces);
      drawnByGrapheme.set(grapheme, drawn);
      return drawn;
    })
    .join('');
}

function drawable(grapheme: string, faces: readonly Face[]): string {
  if (/^\p{M}/u.test(grapheme)) return '';
  if (faces.some((face) => hasAll(face, grapheme))) return grapheme;
  const [first = '', ...others] = grapheme;
  const face = faces.find((each) => hasAll(each, first));
  if (face) return [first, ...others.filter((other) => hasAll(face, other))].join('');
  if (/\s/u.test(first)) return ' ';
  return /\p{Default_Ignorable_Code_Point}/u.test(first) ? '' : box;
}

function sheetsFor(text: string): SheetName[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) {
    return [...letterSheets, 'japanese', 'chinese', 'korean'];
  }
  if (/\p{Script=Hangul}/u.test(text)) return [...letterSheets, 'korean', 'japanese', 'chinese'];
  return [...letterSheets, 'chinese', 'japanese', 'korean'];
}

function facesOf(name: SheetName): Face[] {
  const loaded = facesBySheet.get(name);
  if (loaded) return loaded;
  const sheet = new URL(sheets[name]);
  const read = [
    ...readFileSync(sheet, 'utf8').matchAll(/url\(([^)]+)\)[^}]*unicode-range:([^;}]+)/gu),
  ];
  const faces = read.map(([, file = '', ranges = ''], index): Face => ({
    family: `preview-${name}-${index}`,
    file: fileURLToPath(new URL(file, sheet)),
    ranges: ranges.split(',').map(parseRange),
  }));
  if (faces.length === 0) throw new Error(`the font package for ${name} has no faces`);
  facesBySheet.set(name, faces);
  return faces;
}

/** `U+0400-045F` or `U+2116`. */
function parseRange(range: string): [number, number] {
  const [first = '', last = first] = range.trim().slice(2).split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

function hasAll(face: Face, grapheme: string): boolean {
  return [...grapheme].every((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (!face.ranges.some(([first, last]) => code >= first && code <= last)) return false;
    face.characters ??= charactersOf(face.file);
    return face.characters.has(code);
  });
}

function register({ family, file }: Face): string {
  if (!registered.has(family)) {
    if (!GlobalFonts.registerFromPath(file, family)) throw new Error(`no font in ${file}`);
    registered.add(family);
  }
  return family;
}
