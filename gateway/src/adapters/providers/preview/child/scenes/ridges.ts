import { css, mix } from '../palette.ts';
import { between } from '../seededRandom.ts';
import { drawLight, drawSky, makeWaves, type Scene, type SceneSetting } from './sceneParts.ts';

const LAYERS = 5;

/** Hills behind hills in haze, drifting by at their distance's pace, under a slowly rising light. */
export function makeRidges(setting: SceneSetting): Scene {
  const { random, palette, side } = setting;
  const { width, height } = setting.size;
  const unit = Math.min(width, height);
  const horizon = height * between(random, 0.6, 0.66);
  const lightX =
    width * (side === 'right' ? between(random, 0.7, 0.82) : between(random, 0.18, 0.3));
  const lightRadius = unit * between(random, 0.055, 0.085);
  const layers = Array.from({ length: LAYERS }, (_, index) => {
    const nearness = index / (LAYERS - 1);
    return {
      line: makeWaves(random, [unit * (0.5 + nearness), unit * 0.32, unit * 0.13]),
      base: horizon + (height - horizon) * (nearness * 0.82 - 0.02),
      swell: unit * (0.045 + nearness * 0.05),
      pace: unit * (0.006 + nearness ** 1.6 * 0.035),
      color: mix(mix(palette.skyLow, palette.far, 0.35), palette.near, nearness ** 0.8),
      haze: mix(palette.skyLow, palette.light, 0.25),
      hazeShare: 0.34 * (1 - nearness),
    };
  });
  return (context, seconds) => {
    drawSky(context, setting, horizon * 1.08);
    const rise = horizon - lightRadius * (1.1 + seconds * 0.09);
    drawLight(context, setting, { x: lightX, y: rise, radius: lightRadius });
    for (const { line, base, swell, pace, color, haze, hazeShare } of layers) {
      context.beginPath();
      context.moveTo(0, height);
      const step = Math.max(2, width / 240);
      for (let x = 0; x <= width + step; x += step) {
        context.lineTo(x, base - line(x + seconds * pace) * swell);
      }
      context.lineTo(width, height);
      context.closePath();
      const fill = context.createLinearGradient(0, base - swell, 0, base + swell * 2.6);
      fill.addColorStop(0, css(color));
      fill.addColorStop(1, css(mix(color, haze, hazeShare)));
      context.fillStyle = fill;
      context.fill();
    }
  };
}
