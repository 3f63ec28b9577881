import type { SKRSContext2D } from '@napi-rs/canvas';
import {
  chance,
  type DrawFunction,
  fade,
  fillBelow,
  paintGlow,
  paintPixel,
  paintReflection,
  paintShape,
  type Point,
  ridge,
  width,
} from './paint.ts';

/** A harbour town at dusk, with boats and a lighthouse. */
export const paintHarbour: DrawFunction = (to) => {
  const waterline = 452;
  const next = chance(11);
  paintPixel(to, 0, waterline, [
    [0, '#23264f'],
    [0.35, '#5a3f77'],
    [0.62, '#c0607d'],
    [0.82, '#f2926b'],
    [1, '#ffcf87'],
  ]);
  paintGlow(to, [905, 428], 420, '255,214,150', 0.85);
  to.fillStyle = '#fff0c9';
  to.beginPath();
  to.arc(905, 424, 34, 0, 7);
  to.fill();
  for (let cloud = 0; cloud < 34; cloud += 1) {
    const y = 90 + next() * 270;
    to.fillStyle = `rgba(255,${150 + Math.floor(next() * 60)},150,${0.05 + next() * 0.1})`;
    to.beginPath();
    to.ellipse(next() * width, y, 90 + next() * 240, 3 + next() * 9, 0, 0, 7);
    to.fill();
  }
  for (let star = 0; star < 70; star += 1) {
    to.fillStyle = `rgba(255,255,255,${0.15 + next() * 0.55})`;
    to.fillRect(next() * width, next() ** 1.7 * 200, 1.6, 1.6);
  }
  to.fillStyle = '#7d4a72';
  fillBelow(to, ridge(5, 398, 30, 0.5), waterline);
  to.fillStyle = '#56345f';
  fillBelow(to, ridge(23, 428, 20, 0.5), waterline);
  paintHouses(to, waterline, next);
  paintLighthouse(to, waterline);
  paintReflection(to, waterline, 1.05, 'rgba(38,24,62,0.34)');
  for (let glint = 0; glint < 240; glint += 1) {
    const y = waterline + 4 + next() ** 1.4 * 250;
    const spread = 24 + (y - waterline) * 0.42;
    to.fillStyle = `rgba(255,222,160,${0.12 + next() * 0.4})`;
    to.fillRect(905 + (next() + next() - 1) * spread, y, 12 + next() * 34, 1.6);
  }
  paintBoat(to, [300, 560], 1.35, '#7c2f3f', '#f1e3cf');
  paintBoat(to, [640, 516], 0.85, '#23466b', '#e9d9c3');
  paintBoat(to, [1085, 600], 1.6, '#2d5b5a', '#f4e6d0');
};

function paintHouses(to: SKRSContext2D, waterline: number, next: () => number): void {
  const walls = ['#8e3f4f', '#a65a48', '#c47f52', '#6b3f63', '#4f4570', '#94605f'];
  for (let x = -20; x < 780;) {
    const wide = 44 + next() * 40;
    const tall = 52 + next() * 62;
    const top = waterline - tall;
    to.fillStyle = walls[Math.floor(next() * walls.length)] ?? '#8e3f4f';
    to.fillRect(x, top, wide, tall);
    to.fillStyle = '#3a2446';
    paintShape(to, [
      [x - 4, top],
      [x + wide / 2, top - 20 - next() * 20],
      [x + wide + 4, top],
    ]);
    for (let row = top + 12; row < waterline - 16; row += 22) {
      for (let column = x + 8; column < x + wide - 12; column += 17) {
        to.fillStyle = next() < 0.55 ? '#ffd58a' : 'rgba(40,24,52,0.55)';
        to.fillRect(column, row, 8, 11);
      }
    }
    x += wide + 1;
  }
  to.fillStyle = '#2e1e3c';
  to.fillRect(0, waterline - 7, 800, 7);
  for (let x = 40; x < 800; x += 118) paintGlow(to, [x, waterline - 20], 34, '255,220,150', 0.95);
}

function paintLighthouse(to: SKRSContext2D, waterline: number): void {
  to.fillStyle = '#3b2749';
  paintShape(to, [
    [1080, waterline],
    [1120, waterline - 16],
    [1230, waterline - 20],
    [1290, waterline],
  ]);
  const tower = fade(
    to,
    [1160, 0],
    [1196, 0],
    [
      [0, '#f3d9c0'],
      [1, '#8c5a70'],
    ],
  );
  to.fillStyle = tower;
  paintShape(to, [
    [1160, waterline - 18],
    [1166, 300],
    [1190, 300],
    [1196, waterline - 18],
  ]);
  to.fillStyle = '#b8434a';
  for (const y of [322, 362, 402]) {
    paintShape(to, [
      [1165, y],
      [1191, y],
      [1193, y + 18],
      [1163, y + 18],
    ]);
  }
  to.fillStyle = '#2e1e3c';
  to.fillRect(1162, 292, 32, 8);
  paintShape(to, [
    [1164, 272],
    [1178, 258],
    [1192, 272],
  ]);
  to.fillStyle = '#ffe9b0';
  to.fillRect(1168, 272, 20, 20);
  const beam = fade(
    to,
    [1178, 0],
    [700, 0],
    [
      [0, 'rgba(255,236,180,0.5)'],
      [1, 'rgba(255,236,180,0)'],
    ],
  );
  to.fillStyle = beam;
  paintShape(to, [
    [1176, 280],
    [1176, 286],
    [700, 250],
    [700, 172],
  ]);
  paintGlow(to, [1178, 282], 90, '255,236,180', 0.95);
}

/** A small moored boat, seen from the side; `x` is its middle, `y` the water line. */
function paintBoat(
  to: SKRSContext2D,
  [x, y]: Point,
  size: number,
  hull: string,
  cabin: string,
): void {
  const at = (dx: number, dy: number): Point => [x + dx * size, y + dy * size];
  for (let row = 0; row < 26 * size; row += 2) {
    const part = row / (26 * size);
    const sway = Math.sin(row * 0.9) * 4;
    to.fillStyle = row < 19 * size ? hull : cabin;
    to.globalAlpha = 0.42 * (1 - part);
    to.fillRect(x - 44 * size + sway, y + row, 92 * size - part * 26 * size, 2);
  }
  to.globalAlpha = 1;
  to.fillStyle = hull;
  paintShape(to, [at(-50, -17), at(58, -21), at(44, 0), at(-42, 0)]);
  to.fillStyle = 'rgba(255,235,205,0.75)';
  paintShape(to, [at(-50, -17), at(58, -21), at(56, -18), at(-49, -14)]);
  to.fillStyle = cabin;
  paintShape(to, [at(-22, -34), at(12, -34), at(16, -19), at(-25, -17)]);
  to.fillStyle = '#ffd58a';
  for (const window of [-17, -7, 3]) {
    paintShape(to, [at(window, -30), at(window + 6, -30), at(window + 6, -24), at(window, -24)]);
  }
  to.strokeStyle = '#2a1d2b';
  to.lineWidth = 2.2 * size;
  to.beginPath();
  to.moveTo(...at(20, -20));
  to.lineTo(...at(20, -122));
  to.stroke();
  to.lineWidth = 0.9 * size;
  to.beginPath();
  for (const end of [at(58, -21), at(-48, -17), at(-22, -34)]) {
    to.moveTo(...at(20, -118));
    to.lineTo(...end);
  }
  to.stroke();
  paintGlow(to, at(20, -122), 26 * size, '255,214,140', 0.9);
}
