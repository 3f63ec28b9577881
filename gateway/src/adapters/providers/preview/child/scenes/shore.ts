import { css, mix } from '../palette.ts';
import { between } from '../seededRandom.ts';
import { drawLight, drawSky, makeWaves, type Scene, type SceneSetting } from './sceneParts.ts';

const GLINTS = 46;

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
  const glints = Array.from({ length: GLINTS }, () => ({
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

    // The headland stands on the side without the light and thins out towards it.
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
