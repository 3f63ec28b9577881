import type { SKRSContext2D } from '@napi-rs/canvas';
import type { PixelSize } from '../spec.ts';
import { fontFamiliesFor } from './fonts.ts';
import { type FittedText, fitText, readsRightToLeft } from './text.ts';

/** Position of a text and limits of its size, in pixels. */
export interface TextArea {
  x: number;
  y: number;
  width: number;
  height: number;
  maxFontSize: number;
  minFontSize: number;
  maxLines?: number;
  anchor: 'middle' | 'bottom';
}

/** A positioned text, ready for drawing. */
interface PlacedText extends FittedText {
  area: TextArea;
  font: string;
  isRightToLeft: boolean;
  /** Top of the first line, in pixels. */
  top: number;
}

/** Text with more lines uses a lighter weight and no shadow. */
const maxTitleLines = 12;
const titleWeight = 600;
const bodyWeight = 500;
/** Size at which text is measured before scaling, in pixels. */
const measuredPixels = 100;

const markLabel = 'preview';
/** By default a canvas draws letters in the forms of the machine's language. */
const language = 'en';
/** Minimum scale of the mark, at which its letters are 12 pixels high. */
const minMarkUnit = 0.75;

/** Lays out a clean text in a place. */
export function placeText(context: SKRSContext2D, text: string, area: TextArea): PlacedText {
  const families = fontFamiliesFor(text);
  context.lang = language;
  context.font = `${titleWeight} ${measuredPixels}px ${families}`;
  const widths = new Map<string, number>();
  const fitted = fitText(text, area, (candidate) => {
    const width = widths.get(candidate) ?? context.measureText(candidate).width / measuredPixels;
    widths.set(candidate, width);
    return width;
  });
  const used = fitted.lines.length * fitted.lineHeight;
  const spare = area.height - used;
  return {
    ...fitted,
    area,
    font: `${isTitle(fitted) ? titleWeight : bodyWeight} ${fitted.fontSize.toFixed(2)}px ${families}`,
    isRightToLeft: readsRightToLeft(text),
    top: area.y + (area.anchor === 'middle' ? spare / 2 : spare),
  };
}

/** Draws a placed text in white; a title has a soft shadow. */
export function drawText(context: SKRSContext2D, text: PlacedText): void {
  const { area, isRightToLeft, fontSize } = text;
  context.save();
  context.lang = language;
  context.font = text.font;
  context.fillStyle = 'rgba(255, 255, 255, 0.97)';
  context.shadowColor = isTitle(text) ? 'rgba(0, 0, 0, 0.45)' : 'transparent';
  context.shadowBlur = fontSize * 0.35;
  context.shadowOffsetY = fontSize * 0.04;
  context.textBaseline = 'alphabetic';
  context.direction = isRightToLeft ? 'rtl' : 'ltr';
  context.textAlign = isRightToLeft ? 'right' : 'left';
  const x = isRightToLeft ? area.x + area.width : area.x;
  for (const [index, line] of text.lines.entries()) {
    context.fillText(line, x, text.top + text.lineHeight * (index + 0.76), area.width);
  }
  context.restore();
}

function isTitle({ lines }: FittedText): boolean {
  return lines.length <= maxTitleLines;
}

/** Marks a frame or image as a preview, in the lower right corner. */
export function drawMark(context: SKRSContext2D, { width, height }: PixelSize): void {
  const unit = markUnit({ width, height });
  const [margin, padding, tall] = [20 * unit, 13 * unit, 32 * unit];
  context.save();
  context.font = `600 ${16 * unit}px ${fontFamiliesFor(markLabel)}`;
  context.letterSpacing = `${0.8 * unit}px`;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  const wide = context.measureText(markLabel).width + padding * 2;
  const [x, y] = [width - margin - wide, height - margin - tall];
  context.fillStyle = 'rgba(8, 10, 18, 0.46)';
  context.beginPath();
  context.roundRect(x, y, wide, tall, tall / 2);
  context.fill();
  context.fillStyle = 'rgba(255, 255, 255, 0.9)';
  context.fillText(markLabel, x + padding, y + tall * 0.67);
  context.restore();
}

/** Width of the mark with its margin, in pixels. */
export function markWidth(size: PixelSize): number {
  return 120 * markUnit(size);
}

function markUnit({ width, height }: PixelSize): number {
  return Math.max(minMarkUnit, Math.min(width, height) / 720);
}
