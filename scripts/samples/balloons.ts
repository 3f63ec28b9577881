import type { SKRSContext2D } from '@napi-rs/canvas';
import {
  chance,
  type DrawFunction,
  fade,
  fillBelow,
  height,
  paintGlow,
  paintPixel,
  type Point,
  ridge,
  width,
} from './paint.ts';

/** Hot-air balloons over hills at dawn. */
export const paintBalloons: DrawFunction = (to) => {
  const next = chance(77);
  paintPixel(to, 0, height, [
    [0, '#7fb6dc'],
    [0.45, '#cfe0de'],
    [0.68, '#fbe3bd'],
    [0.8, '#f6c08d'],
    [1, '#d98f6c'],
  ]);
  paintGlow(to, [330, 452], 460, '255,236,190', 0.95);
  for (let band = 0; band < 26; band += 1) {
    to.fillStyle = `rgba(255,255,255,${0.05 + next() * 0.1})`;
    to.beginPath();
    to.ellipse(next() * width, 60 + next() * 300, 120 + next() * 220, 4 + next() * 8, 0, 0, 7);
    to.fill();
  }
  const layers = [
    ['#d9a98c', 486, 26],
    ['#b98277', 528, 34],
    ['#8e6468', 580, 38],
    ['#5d4a57', 640, 34],
  ] as const;
  for (const [place, [colour, base, relief]] of layers.entries()) {
    to.fillStyle = colour;
    fillBelow(to, ridge(60 + place * 17, base, relief, 0.46), height);
    // Mist in the valleys, thinner in the foreground.
    paintPixel(to, base, base + 90, [
      [0, 'rgba(255,226,190,0)'],
      [1, `rgba(255,226,190,${0.5 - place * 0.12})`],
    ]);
  }
  paintBalloon(to, [190, 250], 0.42, ['#e8b04a', '#f7e6c1']);
  paintBalloon(to, [1010, 330], 0.36, ['#4d87a8', '#eef2e6']);
  paintBalloon(to, [560, 130], 0.5, ['#8d5a97', '#f3d7c9']);
  paintBalloon(to, [1130, 150], 0.62, ['#3f8f86', '#f2e7c4']);
  paintBalloon(to, [790, 262], 1.25, ['#d1495b', '#f9e3b4', '#edae49']);
  paintBalloon(to, [390, 372], 0.78, ['#2f6690', '#f4efe0', '#81b1cc']);
};

/** A striped hot-air balloon, lit from the left; the position is the middle of its envelope. */
function paintBalloon(
  to: SKRSContext2D,
  [x, y]: Point,
  size: number,
  colours: readonly string[],
): void {
  const paintOutline = (half: number) => {
    to.beginPath();
    to.moveTo(x - half * 0.16, y + 128 * size);
    to.bezierCurveTo(x - half * 0.5, y + 96 * size, x - half, y + 50 * size, x - half, y);
    to.bezierCurveTo(x - half, y - 132 * size, x + half, y - 132 * size, x + half, y);
    to.bezierCurveTo(
      x + half,
      y + 50 * size,
      x + half * 0.5,
      y + 96 * size,
      x + half * 0.16,
      y + 128 * size,
    );
    to.closePath();
  };
  const stripes = 5;
  for (let stripe = 0; stripe < stripes; stripe += 1) {
    to.fillStyle = colours[stripe % colours.length] ?? '#d1495b';
    paintOutline(96 * size * Math.cos((stripe / stripes) * (Math.PI / 2)));
    to.fill();
  }
  paintOutline(96 * size);
  to.fillStyle = fade(
    to,
    [x - 96 * size, 0],
    [x + 96 * size, 0],
    [
      [0, 'rgba(255,246,214,0.42)'],
      [0.4, 'rgba(255,255,255,0.05)'],
      [1, 'rgba(40,16,44,0.42)'],
    ],
  );
  to.fill();
  to.strokeStyle = 'rgba(60,40,46,0.85)';
  to.lineWidth = 1.6 * size;
  to.beginPath();
  for (const side of [-1, 1]) {
    to.moveTo(x + side * 14 * size, y + 128 * size);
    to.lineTo(x + side * 11 * size, y + 156 * size);
  }
  to.stroke();
  to.fillStyle = '#6b4630';
  to.fillRect(x - 13 * size, y + 155 * size, 26 * size, 20 * size);
  to.fillStyle = '#8f6242';
  to.fillRect(x - 14 * size, y + 153 * size, 28 * size, 5 * size);
  paintGlow(to, [x, y + 136 * size], 20 * size, '255,210,120', 0.9);
}
