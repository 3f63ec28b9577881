import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { PixelSize } from '../spec.ts';
import { arrangeCards, cardRatio, drawCard, type Reference } from './cards.ts';
import { drawMark, drawText, markWidth, placeText, type TextArea } from './drawText.ts';
import { keepDrawable } from './fonts.ts';
import { choosePalette, css, type Palette } from './palette.ts';
import { between, seededRandom } from './random.ts';
import { makeScene } from './scenes.ts';
import { cleanPrompt, readsRightToLeft } from './text.ts';

/** Parts of a picture. Frames fill it; references are arranged on a scene. */
export interface Composition {
  prompt: string;
  seed: number;
  size: PixelSize;
  firstFrame: Canvas | null;
  lastFrame: Canvas | null;
  references: readonly Reference[];
}

/** Draws the picture at one moment: `seconds` since the start, `progress` 0 at the start and 1 at the end. */
export type DrawAt = (context: SKRSContext2D, seconds: number, progress: number) => void;

/** Scale of decoded frames relative to the picture, as reserve for zooming. */
export const zoom = 1.12;

/** Draws static parts (text, cards, mark) once and returns the function that draws a moment. */
export function composePicture(composition: Composition): DrawAt {
  const { prompt, seed, size, firstFrame, lastFrame, references } = composition;
  const text = keepDrawable(cleanPrompt(prompt));
  const random = seededRandom(prompt, seed, 'picture');
  const palette = choosePalette(random);
  const side = readsRightToLeft(text) ? 'left' : 'right';
  const scene = makeScene({ size, palette, random, side });
  const hasFrames = firstFrame !== null || lastFrame !== null;
  const drawCards = hasFrames ? null : layCards(references, size, palette);
  const overlay = createCanvas(size.width, size.height);
  drawOverlay(overlay.getContext('2d'), text, size, palette, hasFrames || references.length > 0);

  const drift = { x: between(random, -1, 1), y: between(random, -0.6, 0.6) };
  return (context, seconds, progress) => {
    if (firstFrame === null) scene(context, seconds);
    else drawZoomed(context, firstFrame, size, drift, progress);
    if (lastFrame !== null) {
      context.globalAlpha = smooth((progress - 0.3) / 0.4);
      // Reaches its full size at the last moment.
      if (context.globalAlpha > 0) drawZoomed(context, lastFrame, size, drift, 1 - progress);
      context.globalAlpha = 1;
    }
    drawCards?.(context, seconds);
    context.drawImage(overlay, 0, 0);
  };
}

/** Static overlay: shade, prompt and mark. */
function drawOverlay(
  context: SKRSContext2D,
  text: string,
  size: PixelSize,
  palette: Palette,
  isCaption: boolean,
): void {
  if (text !== '') {
    if (isCaption) drawCaption(context, text, size);
    else drawTitle(context, text, size, palette);
  }
  drawMark(context, size);
}

/** The prompt next to the light of a scene, as large as possible. */
function drawTitle(context: SKRSContext2D, text: string, size: PixelSize, palette: Palette): void {
  const { width, height } = size;
  const unit = Math.min(width, height) / 720;
  const isRightToLeft = readsRightToLeft(text);
  const isWide = width > height * 1.2;
  const margin = isWide ? 0.075 * width : 0.085 * width;
  const share = isWide ? 0.56 : 0.83;
  const narrow: TextArea = {
    x: isRightToLeft ? width - margin - width * share : margin,
    y: height * (isWide ? 0.12 : 0.1),
    width: width * share,
    height: height * (isWide ? 0.56 : 0.46),
    maxFontSize: 50 * unit,
    minFontSize: 26 * unit,
    anchor: 'middle',
  };
  let placed = placeText(context, text, narrow);
  const isCrowded = placed.isCut;
  if (isCrowded) {
    const whole = { x: margin, width: width - margin * 2, y: height * 0.08, height: height * 0.8 };
    placed = placeText(context, text, { ...narrow, ...whole, minFontSize: 15 * unit });
    context.fillStyle = css(palette.near, 0.62);
    context.fillRect(0, 0, width, height);
  } else {
    const [from, to] = isRightToLeft ? [width, width * 0.28] : [0, width * 0.72];
    const shade = context.createLinearGradient(from, 0, to, 0);
    shade.addColorStop(0, css(palette.near, 0.62));
    shade.addColorStop(0.6, css(palette.near, 0.36));
    shade.addColorStop(1, css(palette.near, 0));
    context.fillStyle = shade;
    context.fillRect(0, 0, width, height);
    const bar = { width: 44 * unit, height: 4 * unit };
    const x = isRightToLeft ? width - margin - bar.width : margin;
    context.fillStyle = css(palette.light, 0.9);
    context.beginPath();
    context.roundRect(x, placed.top - 22 * unit, bar.width, bar.height, bar.height / 2);
    context.fill();
  }
  drawText(context, placed);
}

/** The prompt as a caption under pictures, left of the mark, on a shade no higher than it needs. */
function drawCaption(context: SKRSContext2D, text: string, size: PixelSize): void {
  const { width, height } = size;
  const unit = Math.min(width, height) / 720;
  const margin = 30 * unit;
  const markRoom = markWidth(size) + 20 * unit;
  const placed = placeText(context, text, {
    x: margin,
    width: width - margin * 2 - markRoom,
    y: height * 0.72,
    height: height * 0.28 - 18 * unit,
    maxFontSize: 30 * unit,
    minFontSize: 19 * unit,
    maxLines: 5,
    anchor: 'bottom',
  });
  const top = placed.top - 90 * unit;
  const shade = context.createLinearGradient(0, top, 0, height);
  shade.addColorStop(0, 'rgba(6, 8, 14, 0)');
  shade.addColorStop(0.5, 'rgba(6, 8, 14, 0.46)');
  shade.addColorStop(1, 'rgba(6, 8, 14, 0.76)');
  context.fillStyle = shade;
  context.fillRect(0, top, width, height - top);
  drawText(context, placed);
}

/** References as prints above the caption, with a slight animation. */
function layCards(
  references: readonly Reference[],
  { width, height }: PixelSize,
  palette: Palette,
): ((context: SKRSContext2D, seconds: number) => void) | null {
  if (references.length === 0) return null;
  const unit = Math.min(width, height) / 720;
  const box = { x: width * 0.06, y: height * 0.07, width: width * 0.88, height: height * 0.64 };
  const cards = arrangeCards(references.map(cardRatio), box, 20 * unit).flatMap((place, index) => {
    const reference = references[index];
    return reference ? [{ place, card: drawCard(reference, place, unit, palette) }] : [];
  });
  return (context, seconds) => {
    context.fillStyle = css(palette.near, 0.42);
    context.fillRect(0, 0, width, height);
    for (const [index, { place, card }] of cards.entries()) {
      const float = Math.sin(seconds * 0.9 + index * 1.1) * 3.5 * unit;
      context.drawImage(card.canvas, place.x - card.reach, place.y - card.reach + float);
    }
  };
}

/** A frame that fills the picture: complete at 0, zoomed in and shifted at 1. */
function drawZoomed(
  context: SKRSContext2D,
  frame: Canvas,
  { width, height }: PixelSize,
  drift: { x: number; y: number },
  amount: number,
): void {
  const scale = 1 / (1 + (zoom - 1) * smooth(amount));
  const [wide, tall] = [frame.width * scale, frame.height * scale];
  const x = ((frame.width - wide) / 2) * (1 + drift.x);
  const y = ((frame.height - tall) / 2) * (1 + drift.y);
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'medium';
  context.drawImage(frame, x, y, wide, tall, 0, 0, width, height);
}

/** Eases from 0 to 1; constant outside that range. */
function smooth(value: number): number {
  const held = Math.min(1, Math.max(0, value));
  return held * held * (3 - 2 * held);
}
