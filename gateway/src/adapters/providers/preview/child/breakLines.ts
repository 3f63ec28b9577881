/** A piece of text that is never broken, unless it is wider than a whole line. */
export type Piece = {
  readonly text: string;
  /** Width in units of the font size. */
  readonly width: number;
  /** Width of the blank before it when it does not begin a line, in units of the font size. */
  readonly gap: number;
  /** Whether it begins a paragraph. */
  readonly opensParagraph: boolean;
};

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Scripts written without blanks between words, where a line may break between any two words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Never at the start of a line. */
const CLOSING =
  /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}\u30fc\u3005\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\p{M}]/u;
/** Never at the end of a line. */
const OPENING = /[\p{Ps}\p{Pi}]$/u;
/** A line may break after these inside a word. */
const HYPHEN = /[-\u2010\u2013\u2014/]$/u;

/**
 * Splits clean text into pieces between which a line may break: at blanks, after hyphens, and between
 * the words of scripts that have no blanks (found by the runtime's dictionary).
 *
 * @param measure width of a text in units of the font size
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
  for (const { segment } of WORDS.segment(word)) {
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
  if (CLOSING.test(after) || OPENING.test(before)) return false;
  if (HYPHEN.test(before) && before.length > 1) return true;
  const last = [...before].at(-1) ?? '';
  const first = [...after][0] ?? '';
  return UNSPACED.test(first) || UNSPACED.test(last);
}

/**
 * Lays pieces out in lines no wider than `width`, which is in units of the font size as well. A piece
 * wider than a line is cut between two characters as a reader sees them (graphemes).
 *
 * @param measure width of a text in units of the font size
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
    for (const { segment } of GRAPHEMES.segment(piece.text)) {
      const segmentWidth = measure(segment);
      if (line !== '' && filled + segmentWidth > width) close();
      line += segment;
      filled += segmentWidth;
    }
  }
  close();
  return lines;
}

/** Cuts a line so that it ends in an ellipsis within `width`, in units of the font size. */
export function endWithEllipsis(
  line: string,
  width: number,
  measure: (text: string) => number,
): string {
  const graphemes = [...GRAPHEMES.segment(line)].map(({ segment }) => segment);
  while (graphemes.length > 0 && measure(`${graphemes.join('')}…`) > width) graphemes.pop();
  return `${graphemes.join('').replace(/[\s\p{P}]+$/u, '')}…`;
}
