/** Maximum drawn length of a prompt, in code points; no picture has room for more. */
const maxCodePoints = 5200;
/** Maximum combining marks per character: no script has more, and they would cover the picture. */
const maxMarks = 4;

const rightToLeftScripts =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts with marks above and below, which need more space between the lines. */
const tallScripts =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}]/u;
/** Scripts without spaces between words, in which a line may break between any two words. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Characters that never start a line. */
const closing =
  /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}\u30fc\u3005\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\p{M}]/u;
/** Characters that never end a line. */
const opening = /[\p{Ps}\p{Pi}]$/u;
/** Characters after which a line may break within a word. */
const hyphen = /[-\u2010\u2013\u2014/]$/u;

// Of one language, whichever the machine has.
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text into graphemes, the characters that readers see. */
export function graphemesOf(text: string): string[] {
  return [...graphemeSegmenter.segment(text)].map(({ segment }) => segment);
}

/**
 * Cleans a prompt for drawing: composes characters, removes control, private-use and invisible direction
 * characters and lone surrogates, collapses spaces, and keeps line breaks as single `\n`.
 */
export function cleanPrompt(prompt: string): string {
  return [...prompt.slice(0, maxCodePoints * 2)]
    .slice(0, maxCodePoints)
    .join('')
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/gu, '\n')
    .replace(/[\t\u00a0]/gu, ' ')
    .replace(/[\p{Cc}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/gu, (character) =>
      character === '\n' ? character : '',
    )
    .replace(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd]/gu, '')
    .replace(new RegExp(`(\\p{M}{${maxMarks}})\\p{M}+`, 'gu'), '$1')
    .replace(/ +/gu, ' ')
    .replace(/ ?\n[ \n]*/gu, '\n')
    .trim();
}

/** Whether a line reads from right to left, according to its first letter. */
export function readsRightToLeft(line: string): boolean {
  const letter = /\p{L}/u.exec(line)?.[0];
  return letter !== undefined && rightToLeftScripts.test(letter);
}

/** A piece of text that is not broken unless it is wider than a line. */
interface Piece {
  text: string;
  /** Width in units of the font size. */
  width: number;
  /** Width of the preceding space, unless it begins a line, in units of the font size. */
  gap: number;
  /** Whether it begins a paragraph. */
  opensParagraph: boolean;
}

/**
 * Splits clean text into pieces between which a line may break: at spaces, after hyphens, and between words of
 * scripts without spaces (according to the runtime's dictionary).
 * @param measure Width of a text in units of the font size.
 */
export function splitPieces(text: string, measure: (text: string) => number): Piece[] {
  const blank = measure('x x') - measure('xx');
  return text.split('\n').flatMap((paragraph) =>
    paragraph.split(' ').flatMap((word, wordIndex) =>
      splitWord(word).map((piece, pieceIndex) => ({
        text: piece,
        width: measure(piece),
        gap: pieceIndex === 0 && wordIndex > 0 ? blank : 0,
        opensParagraph: wordIndex === 0 && pieceIndex === 0,
      })),
    ),
  );
}

function splitWord(word: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of wordSegmenter.segment(word)) {
    const before = pieces.at(-1);
    if (before !== undefined && !mayBreakBetween(before, segment)) {
      pieces[pieces.length - 1] = before + segment;
    } else {
      pieces.push(segment);
    }
  }
  return pieces;
}

function mayBreakBetween(before: string, after: string): boolean {
  if (closing.test(after) || opening.test(before)) return false;
  if (hyphen.test(before) && before.length > 1) return true;
  const last = [...before].at(-1) ?? '';
  const first = [...after][0] ?? '';
  return unspacedScripts.test(first) || unspacedScripts.test(last);
}

/**
 * Arranges pieces in lines of at most `width`, in units of the font size. A piece wider than a line is split
 * between graphemes.
 * @param measure Width of a text in units of the font size.
 */
export function breakLines(
  pieces: readonly Piece[],
  width: number,
  measure: (text: string) => number,
): string[] {
  const lines: string[] = [];
  let line = '';
  let filled = 0;
  const close = () => {
    if (line !== '') lines.push(line);
    line = '';
    filled = 0;
  };
  for (const piece of pieces) {
    if (piece.opensParagraph) close();
    const gap = line === '' ? 0 : piece.gap;
    if (filled + gap + piece.width > width) close();
    if (piece.width <= width) {
      line += (line !== '' && piece.gap > 0 ? ' ' : '') + piece.text;
      filled += (filled > 0 ? piece.gap : 0) + piece.width;
      continue;
    }
    for (const segment of graphemesOf(piece.text)) {
      const segmentWidth = measure(segment);
      if (line !== '' && filled + segmentWidth > width) close();
      line += segment;
      filled += segmentWidth;
    }
  }
  close();
  return lines;
}

/** Shortens a line to end in an ellipsis within `width`, in units of the font size. */
function endWithEllipsis(line: string, width: number, measure: (text: string) => number): string {
  const graphemes = graphemesOf(line);
  while (graphemes.length > 0 && measure(`${graphemes.join('')}…`) > width) graphemes.pop();
  return `${graphemes.join('').replace(/(?<![\s\p{P}])[\s\p{P}]+$/u, '')}…`;
}

/** Box of a text and range of font sizes, in pixels. */
interface TextBox {
  width: number;
  height: number;
  maxFontSize: number;
  minFontSize: number;
  /** Maximum number of lines at any size. */
  maxLines?: number;
}

/** Layout of a text: lines, font size and line height in pixels, and whether it was cut. */
export interface FittedText {
  lines: readonly string[];
  fontSize: number;
  lineHeight: number;
  isCut: boolean;
}

/**
 * Lays out a text in the largest size that fits its box, with lines of similar length. A text that is too long for
 * the smallest size ends in an ellipsis.
 * @param measure Width of a text in units of the font size.
 */
export function fitText(text: string, box: TextBox, measure: (text: string) => number): FittedText {
  const leading = tallScripts.test(text) ? 1.55 : 1.32;
  const pieces = splitPieces(text, measure);
  for (let size = box.maxFontSize; ; size = Math.max(box.minFontSize, size * 0.94)) {
    const lineHeight = size * leading;
    const room = Math.max(
      1,
      Math.min(box.maxLines ?? Infinity, Math.floor(box.height / lineHeight)),
    );
    const lines = breakLines(pieces, box.width / size, measure);
    const isTooWide = pieces.some(({ width }) => width * size > box.width);
    if (lines.length <= room && (!isTooWide || size === box.minFontSize)) {
      const width = evenWidth(
        box.width / size,
        (lineWidth) => breakLines(pieces, lineWidth, measure).length <= lines.length,
      );
      const even = lines.length <= 6 && !isTooWide ? breakLines(pieces, width, measure) : lines;
      return { lines: even, fontSize: size, lineHeight, isCut: false };
    }
    if (size === box.minFontSize) {
      const shownLines = lines.slice(0, room);
      shownLines[room - 1] = endWithEllipsis(shownLines[room - 1] ?? '', box.width / size, measure);
      return { lines: shownLines, fontSize: size, lineHeight, isCut: lines.length > room };
    }
  }
}

/** Finds the smallest fitting width by bisection. */
function evenWidth(widest: number, fits: (width: number) => boolean): number {
  let [low, high] = [widest * 0.4, widest];
  for (let step = 0; step < 7; step += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}
