import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { PixelSize } from '../spec.ts';
import { css, mix, type Palette } from './palette.ts';

/** A displayed reference: a decoded picture, or a symbol for other media. */
export type Reference = { media: 'image'; picture: Canvas } | { media: 'video' | 'audio' };

/** Ratio (width / height) of a reference's card; very long pictures are cropped. */
export function cardRatio(reference: Reference): number {
  if (reference.media !== 'image') return reference.media === 'video' ? 16 / 9 : 1;
  const { width, height } = reference.picture;
  return Math.min(2, Math.max(0.56, width / height));
}

/** A finished card, and the extent of its shadow beyond the card in pixels. */
interface Card {
  canvas: Canvas;
  reach: number;
}

/** Draws one reference as a print with rounded corners; sizes in pixels, `unit` = short side / 720. */
export function drawCard(
  reference: Reference,
  size: PixelSize,
  unit: number,
  palette: Palette,
): Card {
  const [reach, corner] = [26 * unit, 10 * unit];
  const { width, height } = size;
  const canvas = createCanvas(Math.ceil(width + reach * 2), Math.ceil(height + reach * 2));
  const context = canvas.getContext('2d');
  const paintOutline = () => {
    context.beginPath();
    context.roundRect(reach, reach, width, height, corner);
  };
  context.shadowColor = 'rgba(0, 0, 0, 0.5)';
  context.shadowBlur = 18 * unit;
  context.shadowOffsetY = 6 * unit;
  context.fillStyle = css(mix(palette.near, palette.far, 0.4));
  paintOutline();
  context.fill();
  context.shadowColor = 'transparent';

  context.save();
  paintOutline();
  context.clip();
  context.translate(reach, reach);
  if (reference.media === 'image') drawCovering(context, reference.picture, size);
  else if (reference.media === 'video') drawVideoSign(context, size, palette);
  else drawAudioSign(context, size, palette);
  context.restore();

  context.strokeStyle = 'rgba(255, 255, 255, 0.22)';
  context.lineWidth = Math.max(1, 1.5 * unit);
  paintOutline();
  context.stroke();
  return { canvas, reach };
}

function drawCovering(context: SKRSContext2D, picture: Canvas, { width, height }: PixelSize): void {
  const scale = Math.max(width / picture.width, height / picture.height);
  const [wide, tall] = [picture.width * scale, picture.height * scale];
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, (width - wide) / 2, (height - tall) / 2, wide, tall);
}

/** The symbol of a video: a play sign in a ring. */
function drawVideoSign(
  context: SKRSContext2D,
  { width, height }: PixelSize,
  palette: Palette,
): void {
  const radius = Math.min(width, height) * 0.2;
  context.translate(width / 2, height / 2);
  context.strokeStyle = css(palette.light, 0.85);
  context.fillStyle = css(palette.light, 0.85);
  context.lineWidth = radius * 0.09;
  context.beginPath();
  context.arc(0, 0, radius, 0, Math.PI * 2);
  context.stroke();
  context.beginPath();
  context.moveTo(radius * 0.46, 0);
  context.lineTo(-radius * 0.28, radius * 0.42);
  context.lineTo(-radius * 0.28, -radius * 0.42);
  context.closePath();
  context.fill();
}

/** The symbol of a sound: a few bars. */
function drawAudioSign(
  context: SKRSContext2D,
  { width, height }: PixelSize,
  palette: Palette,
): void {
  const bars = [0.3, 0.62, 0.44, 1, 0.72, 0.5, 0.84, 0.36, 0.22];
  const whole = Math.min(width, height) * 0.52;
  const step = whole / bars.length;
  context.fillStyle = css(palette.light, 0.85);
  for (const [index, share] of bars.entries()) {
    const tall = whole * 0.62 * share;
    const x = width / 2 - whole / 2 + index * step;
    context.beginPath();
    context.roundRect(x, height / 2 - tall / 2, step * 0.5, tall, step * 0.25);
    context.fill();
  }
}

/** A rectangle, pixels. */
interface Rectangle extends PixelSize {
  x: number;
  y: number;
}

/**
 * Arranges pictures of given ratios (width / height) in centred rows in a box, in order, with the number of rows
 * that shows them largest.
 */
export function arrangeCards(ratios: readonly number[], box: Rectangle, gap: number): Rectangle[] {
  let best: { rows: number[][]; height: number } = { rows: [], height: 0 };
  for (let count = 1; count <= ratios.length; count += 1) {
    const rows = splitEvenly(ratios, count);
    const perRow = (box.height - gap * (count - 1)) / count;
    const height = Math.min(
      perRow,
      ...rows.map((row) => (box.width - gap * (row.length - 1)) / sum(row)),
    );
    if (height > best.height) best = { rows, height };
  }
  const { rows, height } = best;
  const used = rows.length * height + gap * (rows.length - 1);
  return rows.flatMap((row, rowIndex) => {
    let x = box.x + (box.width - sum(row) * height - gap * (row.length - 1)) / 2;
    const y = box.y + (box.height - used) / 2 + rowIndex * (height + gap);
    return row.map((ratio) => {
      const card = { x, y, width: ratio * height, height };
      x += card.width + gap;
      return card;
    });
  });
}

/** Splits a list into rows whose lengths differ by at most one, longer rows first. */
function splitEvenly(ratios: readonly number[], count: number): number[][] {
  const rows: number[][] = [];
  for (let row = 0, from = 0; row < count; row += 1) {
    const length = Math.ceil((ratios.length - from) / (count - row));
    rows.push(ratios.slice(from, from + length));
    from += length;
  }
  return rows;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
