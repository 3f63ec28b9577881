import type { SKRSContext2D } from '@napi-rs/canvas';
import {
  chance,
  type DrawFunction,
  fade,
  fillBelow,
  height,
  paintGlow,
  paintPixel,
  paintReflection,
  paintShape,
  type Point,
  ridge,
  width,
} from './paint.ts';

/** A lake under snowy mountains, on a bright morning. */
export const paintLake: DrawFunction = (to) => {
  const shore = 470;
  const next = chance(31);
  paintPixel(to, 0, shore, [
    [0, '#3f7fbf'],
    [0.5, '#8fbfe0'],
    [0.85, '#d9e9ee'],
    [1, '#f6eedd'],
  ]);
  paintGlow(to, [250, 120], 330, '255,248,220', 0.9);
  for (const [x, y, size] of [
    [800, 112, 0.95],
    [1090, 168, 0.62],
    [500, 92, 0.55],
  ] as const) {
    paintCloud(to, [x, y], size);
  }
  paintRange(to, ['#8fa9c4', '#b7c8d8'], shore, [
    ...([
      [90, 232, 300],
      [420, 196, 330],
      [700, 250, 280],
      [980, 186, 360],
      [1240, 240, 280],
    ] as const),
  ]);
  paintRange(to, ['#4c6a88', '#7592ad'], shore, [
    ...([
      [-40, 262, 300],
      [235, 292, 250],
      [590, 226, 340],
      [860, 306, 220],
      [1150, 244, 320],
    ] as const),
  ]);
  paintPixel(to, 330, shore, [
    [0, 'rgba(240,240,228,0)'],
    [1, 'rgba(240,240,228,0.6)'],
  ]);
  to.fillStyle = '#4d7d6a';
  fillBelow(to, ridge(8, 436, 22, 0.5), shore);
  for (let tree = 0; tree < 210; tree += 1) {
    paintPine(to, [next() * width, shore + 3 - next() * 16], 20 + next() * 40, next());
  }
  paintReflection(to, shore, 1.08, 'rgba(24,70,92,0.26)');
  for (let ripple = 0; ripple < 130; ripple += 1) {
    to.fillStyle = `rgba(255,255,255,${0.06 + next() * 0.16})`;
    to.fillRect(next() * width, shore + 6 + next() ** 1.5 * 235, 30 + next() * 110, 1.4);
  }
  for (let flower = 0; flower < 900; flower += 1) paintMeadow(to, next);
  for (const [x, size] of [
    [58, 250],
    [132, 190],
    [1236, 290],
    [1158, 210],
  ] as const) {
    paintPine(to, [x, 722], size, 0.02);
  }
};

/** A heap of round puffs on a flat base. */
function paintCloud(to: SKRSContext2D, [x, y]: Point, size: number): void {
  const puffs = [
    [-92, 0, 30],
    [-52, -20, 42],
    [0, -34, 54],
    [52, -16, 44],
    [94, 0, 30],
  ] as const;
  for (const [colour, drop] of [
    ['rgba(203,221,236,0.9)', 5],
    ['rgba(255,255,255,0.95)', 0],
  ] as const) {
    to.save();
    to.beginPath();
    to.rect(0, 0, width, y + (8 + drop) * size);
    to.clip();
    to.fillStyle = colour;
    to.beginPath();
    for (const [dx, dy, radius] of puffs) {
      to.moveTo(x + dx * size, y + (dy + drop) * size);
      to.arc(x + dx * size, y + (dy + drop) * size, radius * size, 0, 7);
    }
    to.fill();
    to.restore();
  }
}

/** Mountains by position of the summit and half width; lit from the left, with snow on top. */
function paintRange(
  to: SKRSContext2D,
  [dark, light]: readonly [string, string],
  bottom: number,
  tops: readonly (readonly [number, number, number])[],
): void {
  for (const [place, [x, y, half]] of tops.entries()) {
    const next = chance(1000 + place * 7 + y);
    const tall = bottom - y;
    const left = flank(next, [x, y], [x - half, bottom]);
    const right = flank(next, [x, y], [x + half, bottom]);
    const spine = flank(next, [x, y], [x + half * 0.16, bottom], 26);
    to.fillStyle = fade(
      to,
      [0, y],
      [0, bottom],
      [
        [0, dark],
        [1, '#7f9aa8'],
      ],
    );
    paintShape(to, [...left, ...right.toReversed()]);
    to.fillStyle = fade(
      to,
      [0, y],
      [0, bottom],
      [
        [0, light],
        [1, '#93abb4'],
      ],
    );
    paintShape(to, [...left, ...spine.toReversed()]);
    const edge = y + tall * 0.36;
    to.fillStyle = 'rgba(214,228,242,0.96)';
    paintSnow(to, next, spine, right, edge);
    to.fillStyle = '#ffffff';
    paintSnow(to, next, left, spine, edge);
  }
}

/** A rugged line from a summit to its foot. */
function flank(next: () => number, [x1, y1]: Point, [x2, y2]: Point, sway = 13): Point[] {
  const steps = 18;
  return Array.from({ length: steps + 1 }, (_, step): Point => {
    const part = step / steps;
    const off = step === 0 ? 0 : (next() - 0.5) * sway * Math.min(1, part * 4);
    return [x1 + (x2 - x1) * part ** 1.06 + off, y1 + (y2 - y1) * part];
  });
}

/** Snow between two lines, from the summit down to a jagged edge. */
function paintSnow(
  to: SKRSContext2D,
  next: () => number,
  from: readonly Point[],
  until: readonly Point[],
  edge: number,
): void {
  const above = (line: readonly Point[]) => line.filter(([, y]) => y <= edge);
  const [start, end] = [above(from), above(until)];
  const [x1 = 0, x2 = 0] = [start.at(-1)?.[0], end.at(-1)?.[0]];
  const teeth = Array.from({ length: 7 }, (_, tooth): Point => {
    const drop = tooth % 2 === 0 ? 22 + next() * 20 : -14 + next() * 12;
    return [x1 + ((x2 - x1) * (tooth + 1)) / 8, edge + drop];
  });
  paintShape(to, [...start, ...teeth, ...end.toReversed()]);
}

function paintPine(to: SKRSContext2D, [x, y]: Point, tall: number, shade: number): void {
  const green = 46 + Math.floor(shade * 38);
  to.fillStyle = `rgb(${Math.floor(green * 0.5)},${green + 16},${Math.floor(green * 0.95)})`;
  for (let tier = 0; tier < 6; tier += 1) {
    const top = y - tall + tier * tall * 0.15;
    const half = tall * (0.075 + tier * 0.036);
    paintShape(to, [
      [x, top],
      [x + half, top + tall * 0.26],
      [x - half, top + tall * 0.26],
    ]);
  }
}

function paintMeadow(to: SKRSContext2D, next: () => number): void {
  const x = next() * width;
  const bank = 668 + Math.sin(x * 0.006) * 22;
  const y = bank + next() * (height - bank);
  to.strokeStyle = `rgba(${40 + Math.floor(next() * 50)},${96 + Math.floor(next() * 60)},62,0.9)`;
  to.lineWidth = 2.4;
  to.beginPath();
  to.moveTo(x, y + 26);
  to.quadraticCurveTo(x + 2, y + 6, x + (next() - 0.5) * 18, y - 8);
  to.stroke();
  if (next() < 0.16) {
    to.fillStyle = ['#f7d354', '#ffffff', '#e06d8a', '#b58be0'][Math.floor(next() * 4)] ?? '#fff';
    to.beginPath();
    to.arc(x, y - 6, 3 + next() * 2.4, 0, 7);
    to.fill();
  }
}
