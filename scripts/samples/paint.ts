import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

/** Size of the pictures, in pixels. */
export const width = 1280;
export const height = 720;

/** Draws one picture. */
export type DrawFunction = (to: SKRSContext2D) => void;
/** Colours of a gradient by position from 0 to 1. */
export type ColourStops = readonly (readonly [number, string])[];
/** A position in the picture. */
export type Point = readonly [number, number];

/** A reproducible random generator from 0 (inclusive) to 1 (exclusive). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A gradient from one position to another. */
export function fade(to: SKRSContext2D, [x1, y1]: Point, [x2, y2]: Point, stops: ColourStops) {
  const gradient = to.createLinearGradient(x1, y1, x2, y2);
  for (const [place, colour] of stops) gradient.addColorStop(place, colour);
  return gradient;
}

/** Paints a gradient over the whole width, between two heights. */
export function paintPixel(
  to: SKRSContext2D,
  top: number,
  bottom: number,
  stops: ColourStops,
): void {
  to.fillStyle = fade(to, [0, top], [0, bottom], stops);
  to.fillRect(0, top, width, bottom - top);
}

/** A round light; the colour is red, green and blue from 0 to 255. */
export function paintGlow(
  to: SKRSContext2D,
  [x, y]: Point,
  radius: number,
  colour: string,
  power = 1,
): void {
  const light = to.createRadialGradient(x, y, 0, x, y, radius);
  light.addColorStop(0, `rgba(${colour},${power})`);
  light.addColorStop(0.25, `rgba(${colour},${power * 0.45})`);
  light.addColorStop(1, `rgba(${colour},0)`);
  to.fillStyle = light;
  to.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

/** Fills a polygon. */
export function paintShape(to: SKRSContext2D, points: readonly Point[]): void {
  to.beginPath();
  for (const [x, y] of points) to.lineTo(x, y);
  to.closePath();
  to.fill();
}

/** Outline of hills or mountains: layers of increasingly fine zigzag. */
export function ridge(
  seed: number,
  base: number,
  relief: number,
  roughness: number,
): (x: number) => number {
  const next = chance(seed);
  const waves = Array.from({ length: 7 }, (_, octave) => ({
    length: 620 / 1.9 ** octave,
    share: roughness ** octave,
    shift: next() * 10,
  }));
  return (x) =>
    waves.reduce((y, { length, share, shift }) => {
      const turn = x / length + shift;
      const saw = Math.abs((turn % 2) - 1) * 2 - 1;
      return y - (saw * 0.7 + Math.sin(turn * 2.3) * 0.3) * relief * share;
    }, base);
}

/** Fills the area between a line and a height. */
export function fillBelow(to: SKRSContext2D, line: (x: number) => number, bottom: number): void {
  const points: Point[] = [];
  for (let x = -2; x <= width + 2; x += 2) points.push([x, line(x)]);
  paintShape(to, [...points, [width + 2, bottom], [-2, bottom]]);
}

/** Mirrors the area above the water line below it, distorted by ripples. */
export function paintReflection(
  to: SKRSContext2D,
  waterline: number,
  depth: number,
  tint: string,
): void {
  const above = createCanvas(width, waterline);
  above.getContext('2d').drawImage(to.canvas, 0, 0);
  const next = chance(99);
  for (let y = 0; y < height - waterline; y += 2) {
    const from = Math.max(0, waterline - 2 - y * depth);
    const sway = Math.sin(y * 0.55 + next()) * (1 + y * 0.035) + (next() - 0.5) * (1 + y * 0.02);
    // Slightly wider than the picture, so that ripples reveal no edge.
    to.drawImage(above, 0, from, width, 2, sway - 20, waterline + y, width + 40, 2);
  }
  to.fillStyle = tint;
  to.fillRect(0, waterline, width, height - waterline);
}
