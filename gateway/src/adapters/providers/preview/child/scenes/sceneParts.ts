import type { SKRSContext2D } from '@napi-rs/canvas';
import type { PixelSize } from '../../videoSize.ts';
import { css, mix, type Palette } from '../palette.ts';
import { between, type Random } from '../seededRandom.ts';

/** Draws a whole background; `seconds` is the time since the start. */
export type Scene = (context: SKRSContext2D, seconds: number) => void;

/** What every scene is made from. `side` is where the light stands, so that text keeps the other. */
export type SceneSetting = {
  readonly size: PixelSize;
  readonly palette: Palette;
  readonly random: Random;
  readonly side: 'left' | 'right';
};

/** The sky of every scene: a still gradient from top to horizon. */
export function drawSky(
  context: SKRSContext2D,
  { size: { width, height }, palette }: SceneSetting,
  horizon: number,
): void {
  const sky = context.createLinearGradient(0, 0, 0, horizon);
  sky.addColorStop(0, css(palette.skyTop));
  sky.addColorStop(0.55, css(mix(palette.skyTop, palette.skyLow, 0.42)));
  sky.addColorStop(1, css(palette.skyLow));
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
}

/** A disc of light with a wide glow. */
export function drawLight(
  context: SKRSContext2D,
  { palette }: SceneSetting,
  disc: { x: number; y: number; radius: number },
): void {
  const { x, y, radius } = disc;
  const glow = context.createRadialGradient(x, y, radius * 0.6, x, y, radius * 5);
  glow.addColorStop(0, css(palette.light, 0.5));
  glow.addColorStop(0.35, css(palette.light, 0.16));
  glow.addColorStop(1, css(palette.light, 0));
  context.fillStyle = glow;
  context.fillRect(x - radius * 5, y - radius * 5, radius * 10, radius * 10);
  context.fillStyle = css(palette.light, 0.96);
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fill();
}

/** A gentle line made of a few waves: height at a place, about -1 to 1. */
export function makeWaves(random: Random, lengths: readonly number[]): (at: number) => number {
  const waves = lengths.map((length) => ({
    turn: (Math.PI * 2) / (length * between(random, 0.8, 1.25)),
    phase: between(random, 0, Math.PI * 2),
    share: between(random, 0.6, 1) * length,
  }));
  const whole = waves.reduce((sum, { share }) => sum + share, 0);
  return (at) =>
    waves.reduce((sum, { turn, phase, share }) => sum + Math.sin(at * turn + phase) * share, 0) /
    whole;
}
