import { css, mix } from '../palette.ts';
import { between } from '../seededRandom.ts';
import { drawLight, drawSky, type Scene, type SceneSetting } from './sceneParts.ts';

const RINGS = 4;
const STARS = 90;

/** Fine rings around a light, with small bodies on their way, before a deep sky of stars. */
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
  const rings = Array.from({ length: RINGS }, (_, index) => ({
    reach: radius * (2.3 + index * between(random, 1.35, 1.75)),
    start: between(random, 0, Math.PI * 2),
    pace: between(random, 0.2, 0.3) / (1 + index * 0.55),
    body: unit * between(random, 0.008, 0.021),
    color: mix(palette.far, palette.light, between(random, 0.25, 0.75)),
  }));
  const stars = Array.from({ length: STARS }, () => ({
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
    for (const { reach, start, pace, body, color } of rings) {
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
      shade.addColorStop(0, css(mix(color, palette.light, 0.5)));
      shade.addColorStop(1, css(mix(color, palette.near, 0.25)));
      context.fillStyle = shade;
      context.beginPath();
      context.arc(x, y, size, 0, Math.PI * 2);
      context.fill();
    }
  };
}
