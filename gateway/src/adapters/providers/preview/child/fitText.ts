import { breakLines, endWithEllipsis, splitPieces } from './breakLines.ts';

/** Where text goes, pixels, and the sizes that it may take. */
export type TextBox = {
  readonly width: number;
  readonly height: number;
  readonly largest: number;
  readonly smallest: number;
  /** The most lines, however small. */
  readonly linesMax?: number;
};

/** Text laid out: its lines, font size and line height in pixels, and whether it had to be cut. */
export type FittedText = {
  readonly lines: readonly string[];
  readonly fontSize: number;
  readonly lineHeight: number;
  readonly cut: boolean;
};

/** Scripts with marks above and below need more air between the lines. */
const TALL =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}]/u;

/**
 * The largest type in which a text fits its box, with lines of even length; a text too long for the
 * smallest type is cut with an ellipsis.
 *
 * @param measure width of a text in units of the font size
 */
export function fitText(text: string, box: TextBox, measure: (text: string) => number): FittedText {
  const leading = TALL.test(text) ? 1.55 : 1.32;
  const pieces = splitPieces(text, measure);
  for (let size = box.largest; ; size = Math.max(box.smallest, size * 0.94)) {
    const lineHeight = size * leading;
    const room = Math.max(
      1,
      Math.min(box.linesMax ?? Infinity, Math.floor(box.height / lineHeight)),
    );
    const lines = breakLines(pieces, box.width / size, measure);
    const longestWord = pieces.some(({ width }) => width * size > box.width);
    if (lines.length <= room && (!longestWord || size === box.smallest)) {
      const width = evenWidth(
        box.width / size,
        (tried) => breakLines(pieces, tried, measure).length <= lines.length,
      );
      const even = lines.length <= 6 && !longestWord ? breakLines(pieces, width, measure) : lines;
      return { lines: even, fontSize: size, lineHeight, cut: false };
    }
    if (size === box.smallest) {
      const kept = lines.slice(0, room);
      kept[room - 1] = endWithEllipsis(kept[room - 1] ?? '', box.width / size, measure);
      return { lines: kept, fontSize: size, lineHeight, cut: lines.length > room };
    }
  }
}

/** The narrowest width that still fits, found by halving. */
function evenWidth(widest: number, fits: (width: number) => boolean): number {
  let [low, high] = [widest * 0.4, widest];
  for (let step = 0; step < 7; step += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}
