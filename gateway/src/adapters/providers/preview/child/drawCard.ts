import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { css, mix, type Palette } from './palette.ts';

/** A reference as it is shown: a decoded picture, or what it is when it is not decoded. */
export type Reference =
  { readonly media: 'image'; readonly picture: Canvas } | { readonly media: 'video' | 'audio' };

/** Ratio (width / height) of a reference's card; very long pictures are cut to stay recognisable. */
export function cardRatio(reference: Reference): number {
  if (reference.media !== 'image') return reference.media === 'video' ? 16 / 9 : 1;
  const { width, height } = reference.picture;
  return Math.min(2, Math.max(0.56, width / height));
}

/** A finished card with its shadow, and how far the shadow reaches beyond the card, pixels. */
export type Card = { readonly canvas: Canvas; readonly reach: number };

/** Draws one reference as a print with rounded corners; sizes in pixels, `unit` = short side / 720. */
export function drawCard(
  reference: Reference,
  size: { width: number; height: number },
  unit: number,
  palette: Palette,
): Card {
  const [reach, corner] = [26 * unit, 10 * unit];
  const { width, height } = size;
  const canvas = createCanvas(Math.ceil(width + reach * 2), Math.ceil(height + reach * 2));
  const context = canvas.getContext('2d');
  const outline = () => {
    context.beginPath();
    context.roundRect(reach, reach, width, height, corner);
  };
  context.shadowColor = 'rgba(0, 0, 0, 0.5)';
  context.shadowBlur = 18 * unit;
  context.shadowOffsetY = 6 * unit;
  context.fillStyle = css(mix(palette.near, palette.far, 0.4));
  outline();
  context.fill();
  context.shadowColor = 'transparent';

  context.save();
  outline();
  context.clip();
  context.translate(reach, reach);
  if (reference.media === 'image') drawCovering(context, reference.picture, size);
  else if (reference.media === 'video') drawVideoSign(context, size, palette);
  else drawAudioSign(context, size, palette);
  context.restore();

  context.strokeStyle = 'rgba(255, 255, 255, 0.22)';
  context.lineWidth = Math.max(1, 1.5 * unit);
  outline();
  context.stroke();
  return { canvas, reach };
}

function drawCovering(
  context: SKRSContext2D,
  picture: Canvas,
  { width, height }: { width: number; height: number },
): void {
  const scale = Math.max(width / picture.width, height / picture.height);
  const [wide, tall] = [picture.width * scale, picture.height * scale];
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, (width - wide) / 2, (height - tall) / 2, wide, tall);
}

/** A play sign in a ring: stands for a video, which is not decoded. */
function drawVideoSign(
  context: SKRSContext2D,
  { width, height }: { width: number; height: number },
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

/** A few bars: stands for a sound, which is not decoded. */
function drawAudioSign(
  context: SKRSContext2D,
  { width, height }: { width: number; height: number },
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
