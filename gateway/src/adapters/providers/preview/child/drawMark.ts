import type { SKRSContext2D } from '@napi-rs/canvas';
import type { PixelSize } from '../videoSize.ts';
import { fontFamiliesFor } from './fonts.ts';

const LABEL = 'preview';
/** The mark does not shrink below what can be read: letters of 12 pixels. */
const SMALLEST_UNIT = 0.75;

/** Says in the lower right corner that this is a preview: every frame and image carries it. */
export function drawMark(context: SKRSContext2D, { width, height }: PixelSize): void {
  const unit = markUnit({ width, height });
  const [margin, padding, tall] = [20 * unit, 13 * unit, 32 * unit];
  context.save();
  context.font = `600 ${String(16 * unit)}px ${fontFamiliesFor(LABEL)}`;
  context.letterSpacing = `${String(0.8 * unit)}px`;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  const wide = context.measureText(LABEL).width + padding * 2;
  const [x, y] = [width - margin - wide, height - margin - tall];
  context.fillStyle = 'rgba(8, 10, 18, 0.46)';
  context.beginPath();
  context.roundRect(x, y, wide, tall, tall / 2);
  context.fill();
  context.fillStyle = 'rgba(255, 255, 255, 0.9)';
  context.fillText(LABEL, x + padding, y + tall * 0.67);
  context.restore();
}

/** How much of the lower edge the mark takes, with its margin, pixels. */
export function markWidth(size: PixelSize): number {
  return 120 * markUnit(size);
}

function markUnit({ width, height }: PixelSize): number {
  return Math.max(SMALLEST_UNIT, Math.min(width, height) / 720);
}
