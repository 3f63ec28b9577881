import type { SKRSContext2D } from '@napi-rs/canvas';
import { readsRightToLeft } from './cleanPrompt.ts';
import { fitText, type FittedText } from './fitText.ts';
import { fontFamiliesFor } from './fonts.ts';

/** Where a text goes, pixels, and how large it may be. */
export type TextPlace = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly largest: number;
  readonly smallest: number;
  readonly linesMax?: number;
  readonly anchor: 'middle' | 'bottom';
};

/** A text ready to be drawn in its place. */
export type PlacedText = FittedText & {
  readonly place: TextPlace;
  readonly font: string;
  readonly rightToLeft: boolean;
  /** Top of the first line, pixels. */
  readonly top: number;
};

const WEIGHT = 600;
/** Lines of more than this many are read, not looked at: lighter, and without a shadow. */
const TITLE_LINES_MAX = 12;
/** Text is measured once at this size and scaled, pixels. */
const MEASURED_AT = 100;

/** Lays a clean text out in a place. */
export function placeText(context: SKRSContext2D, text: string, place: TextPlace): PlacedText {
  const families = fontFamiliesFor(`${text}…`);
  context.font = `${String(WEIGHT)} ${String(MEASURED_AT)}px ${families}`;
  const widths = new Map<string, number>();
  const fitted = fitText(text, place, (measured) => {
    const known = widths.get(measured) ?? context.measureText(measured).width / MEASURED_AT;
    widths.set(measured, known);
    return known;
  });
  const used = fitted.lines.length * fitted.lineHeight;
  const spare = place.height - used;
  return {
    ...fitted,
    place,
    font: `${isTitle(fitted) ? '600' : '500'} ${fitted.fontSize.toFixed(2)}px ${families}`,
    rightToLeft: readsRightToLeft(text),
    top: place.y + (place.anchor === 'middle' ? spare / 2 : spare),
  };
}

/** Draws a placed text in white on whatever is there, with a soft shadow. */
export function drawText(context: SKRSContext2D, text: PlacedText): void {
  const { place, rightToLeft, fontSize } = text;
  context.save();
  context.font = text.font;
  context.fillStyle = 'rgba(255, 255, 255, 0.97)';
  context.shadowColor = isTitle(text) ? 'rgba(0, 0, 0, 0.45)' : 'transparent';
  context.shadowBlur = fontSize * 0.35;
  context.shadowOffsetY = fontSize * 0.04;
  context.textBaseline = 'alphabetic';
  context.direction = rightToLeft ? 'rtl' : 'ltr';
  context.textAlign = rightToLeft ? 'right' : 'left';
  const x = rightToLeft ? place.x + place.width : place.x;
  for (const [index, line] of text.lines.entries()) {
    context.fillText(line, x, text.top + text.lineHeight * (index + 0.76), place.width);
  }
  context.restore();
}

function isTitle({ lines }: FittedText): boolean {
  return lines.length <= TITLE_LINES_MAX;
}
