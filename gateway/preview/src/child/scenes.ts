import type { SKRSContext2D } from '@napi-rs/canvas';
import type { PixelSize } from '../spec.ts';
import { css, mix, type Palette } from './palette.ts';
import { between, pick, type Random } from './random.ts';

/** Draws a background; `seconds` is the time since the start. */
type Scene = (context: SKRSContext2D, seconds: number) => void;

/** Parameters of every scene. The light is on `side`; the other side is for text. */
interface SceneSetting {
  size: PixelSize;
  palette: Palette;
  random: Random;
  side: 'left' | 'right';
}

const layerCount = 5;
const glintCount = 46;
const ringCount = 4;
const starCount = 90;

/** One of three scenes, chosen at random. */
export function makeScene(setting: SceneSetting): Scene {
  return pick(setting.random, [makeRidges, makeShore, makeOrbits])(setting);
}

/** Sky of every scene: a static gradient from top to horizon. */
function drawSky(
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
function drawLight(
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

/** A gentle line of a few waves: height at a position, about -1 to 1. */
function makeWaves(random: Random, lengths: readonly number[]): (at: number) => number {
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

/** Layers of hazy hills that drift at a speed according to distance, under a slowly rising light. */
export function makeRidges(setting: SceneSetting): Scene {
  const { random, palette, side } = setting;
  const { width, height } = setting.size;
  const unit = Math.min(width, height);
  const horizon = height * between(random, 0.6, 0.66);
  const lightX =
    width * (side === 'right' ? between(random, 0.7, 0.82) : between(random, 0.18, 0.3));
  const lightRadius = unit * between(random, 0.055, 0.085);
  const layers = Array.from({ length: layerCount }, (_, index) => {
    const nearness = index / (layerCount - 1);
    return {
      line: makeWaves(random, [unit * (0.5 + nearness), unit * 0.32, unit * 0.13]),
      base: horizon + (height - horizon) * (nearness * 0.82 - 0.02),
      swell: unit * (0.045 + nearness * 0.05),
      pace: unit * (0.006 + nearness ** 1.6 * 0.035),
      colour: mix(mix(palette.skyLow, palette.far, 0.35), palette.near, nearness ** 0.8),
      haze: mix(palette.skyLow, palette.light, 0.25),
      hazeShare: 0.34 * (1 - nearness),
    };
  });
  return (context, seconds) => {
    drawSky(context, setting, horizon * 1.08);
    const rise = horizon - lightRadius * (1.1 + seconds * 0.09);
    drawLight(context, setting, { x: lightX, y: rise, radius: lightRadius });
    for (const { line, base, swell, pace, colour, haze, hazeShare } of layers) {
      context.beginPath();
      context.moveTo(0, height);
      const step = Math.max(2, width / 240);
      for (let x = 0; x <= width + step; x += step) {
        context.lineTo(x, base - line(x + seconds * pace) * swell);
      }
      context.lineTo(width, height);
      context.closePath();
      const fill = context.createLinearGradient(0, base - swell, 0, base + swell * 2.6);
      fill.addColorStop(0, css(colour));
      fill.addColorStop(1, css(mix(colour, haze, hazeShare)));
      context.fillStyle = fill;
      context.fill();
    }
  };
}

/** A low light over calm water, its reflection in moving glints, and a dark headland. */
export function makeShore(setting: SceneSetting): Scene {
  const { random, palette, side } = setting;
  const { width, height } = setting.size;
  const unit = Math.min(width, height);
  const horizon = height * between(random, 0.64, 0.7);
  const lightX =
    width * (side === 'right' ? between(random, 0.68, 0.8) : between(random, 0.2, 0.32));
  const lightRadius = unit * between(random, 0.07, 0.1);
  const headland = makeWaves(random, [unit * 0.6, unit * 0.22, unit * 0.09]);
  const glints = Array.from({ length: glintCount }, () => ({
    depth: random(),
    place: between(random, -1, 1),
    phase: between(random, 0, Math.PI * 2),
    pace: between(random, 0.5, 1.3),
  }));
  return (context, seconds) => {
    drawSky(context, setting, horizon);
    drawLight(context, setting, {
      x: lightX,
      y: horizon - lightRadius * (0.9 + seconds * 0.06),
      radius: lightRadius,
    });

    const water = context.createLinearGradient(0, horizon, 0, height);
    water.addColorStop(0, css(mix(palette.skyLow, palette.far, 0.55)));
    water.addColorStop(0.4, css(mix(palette.far, palette.near, 0.5)));
    water.addColorStop(1, css(palette.near));
    context.fillStyle = water;
    context.fillRect(0, horizon, width, height - horizon);

    for (const { depth, place, phase, pace } of glints) {
      const near = depth ** 1.5;
      const reach = lightRadius * (0.7 + near * 2.6);
      const sway = Math.sin(seconds * pace + phase);
      const x = lightX + place * reach * 0.7 + sway * lightRadius * 0.12;
      const y = horizon + unit * 0.008 + near * (height - horizon) * 0.86;
      const half = lightRadius * (0.25 + near * 0.65) * (0.75 + 0.25 * sway);
      context.fillStyle = css(palette.light, (0.42 - near * 0.3) * (0.7 + 0.3 * sway));
      context.beginPath();
      context.ellipse(x, y, half, Math.max(0.8, unit * (0.0016 + near * 0.003)), 0, 0, Math.PI * 2);
      context.fill();
    }

    // The headland is on the side without the light and thins out towards it.
    context.beginPath();
    const reach = width * 0.46;
    const from = side === 'right' ? 0 : width;
    const towards = side === 'right' ? 1 : -1;
    context.moveTo(from, horizon + 1);
    for (let step = 0; step <= 120; step += 1) {
      const along = step / 120;
      const rise = (0.06 + 0.02 * headland(along * reach + unit)) * unit * (1 - along) ** 0.8;
      context.lineTo(from + towards * along * reach, horizon + 1 - rise);
    }
    context.lineTo(from + towards * reach, horizon + 1);
    context.closePath();
    context.fillStyle = css(mix(palette.far, palette.near, 0.62));
    context.fill();
  };
}

/** Fine rings around a light with small orbiting bodies, in front of a starry sky. */
export function makeOrbits(setting: SceneSetting): Scene {
  const { random, palette, side } = setting;
  const { width, height } = setting.size;
  const unit = Math.min(width, height);
  const centre = {
    x: width * (side === 'right' ? between(random, 0.74, 0.84) : between(random, 0.16, 0.26)),
    y: height * between(random, 0.66, 0.76),
  };
  const radius = unit * between(random, 0.06, 0.085);
  const tilt = between(random, -0.35, 0.35);
  const flatness = between(random, 0.34, 0.5);
  const rings = Array.from({ length: ringCount }, (_, index) => ({
    reach: radius * (2.3 + index * between(random, 1.35, 1.75)),
    start: between(random, 0, Math.PI * 2),
    pace: between(random, 0.2, 0.3) / (1 + index * 0.55),
    body: unit * between(random, 0.008, 0.021),
    colour: mix(palette.far, palette.light, between(random, 0.25, 0.75)),
  }));
  const stars = Array.from({ length: starCount }, () => ({
    x: random() * width,
    y: random() ** 1.3 * height,
    size: unit * between(random, 0.0007, 0.0019),
    phase: between(random, 0, Math.PI * 2),
  }));
  return (context, seconds) => {
    drawSky(context, setting, height * 1.15);
    for (const { x, y, size, phase } of stars) {
      context.fillStyle = css(palette.light, 0.32 + 0.2 * Math.sin(seconds * 0.9 + phase));
      context.beginPath();
      context.arc(x, y, size, 0, Math.PI * 2);
      context.fill();
    }
    drawLight(context, setting, { ...centre, radius });
    for (const { reach, start, pace, body, colour } of rings) {
      context.strokeStyle = css(palette.light, 0.28);
      context.lineWidth = Math.max(0.8, unit * 0.0016);
      context.beginPath();
      context.ellipse(centre.x, centre.y, reach, reach * flatness, tilt, 0, Math.PI * 2);
      context.stroke();
      const angle = start + seconds * pace;
      const [along, across] = [Math.cos(angle) * reach, Math.sin(angle) * reach * flatness];
      const x = centre.x + along * Math.cos(tilt) - across * Math.sin(tilt);
      const y = centre.y + along * Math.sin(tilt) + across * Math.cos(tilt);
      const size = body * (1 + 0.3 * Math.sin(angle));
      const shade = context.createRadialGradient(x - size * 0.3, y - size * 0.3, 0, x, y, size);
      shade.addColorStop(0, css(mix(colour, palette.light, 0.5)));
      shade.addColorStop(1, css(mix(colour, palette.near, 0.25)));
      context.fillStyle = shade;
      context.beginPath();
      context.arc(x, y, size, 0, Math.PI * 2);
      context.fill();
    }
  };
}
