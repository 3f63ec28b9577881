import { describe, expect, test } from '@jest/globals';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { composePicture, type Composition, zoom } from './composePicture.ts';

const usualSize = { width: 640, height: 360 };
const plain: Composition = {
  prompt: 'A paper boat',
  seed: 7,
  size: usualSize,
  firstFrame: null,
  lastFrame: null,
  references: [],
};

type Pixels = { at: (x: number, y: number) => number[]; bytes: Buffer };

function draw(composition: Partial<Composition>, seconds: number, progress: number): Pixels {
  const size = composition.size ?? usualSize;
  const canvas = createCanvas(size.width, size.height);
  const drawAt = composePicture({ ...plain, ...composition });
  drawAt(canvas.getContext('2d', { alpha: false }), seconds, progress);
  const bytes = canvas.data();
  return {
    bytes,
    at: (x, y) => [...bytes.subarray((y * size.width + x) * 4, (y * size.width + x) * 4 + 3)],
  };
}

/** A frame as returned by the decoder: slightly larger than the picture, of one colour. */
function frame(colour: string): Canvas {
  const canvas = createCanvas(
    Math.ceil(usualSize.width * zoom),
    Math.ceil(usualSize.height * zoom),
  );
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Number of nearly white pixels in a part of the picture. */
function whites({ at }: Pixels, part: { x: number; y: number; width: number; height: number }) {
  let count = 0;
  for (let y = part.y; y < part.y + part.height; y += 1) {
    for (let x = part.x; x < part.x + part.width; x += 1) {
      if (at(x, y).every((channel) => channel > 215)) count += 1;
    }
  }
  return count;
}

describe('each moment of each picture', () => {
  test.each([
    ['from text', {}],
    ['without text', { prompt: '' }],
    ['from a first frame', { firstFrame: frame('#205020') }],
    ['from two frames', { firstFrame: frame('#205020'), lastFrame: frame('#502020') }],
    ['from references', { references: [{ media: 'video' }, { media: 'audio' }] }],
  ] as const)('%s carries the mark', (_, composition) => {
    const corner = { x: usualSize.width - 85, y: usualSize.height - 39, width: 70, height: 24 };
    for (const progress of [0, 0.5, 1]) {
      const pixels = draw(composition, progress * 5, progress);
      expect(whites(pixels, corner)).toBeGreaterThan(40);
    }
  });
});

describe('the prompt', () => {
  const half = { y: 30, width: usualSize.width / 2 - 20, height: 200 };

  test('starts on the side where reading begins', () => {
    const [latin, hebrew] = [draw({}, 0, 0), draw({ prompt: 'סירת נייר' }, 0, 0)];
    expect(whites(latin, { ...half, x: 0 })).toBeGreaterThan(300);
    expect(whites(hebrew, { ...half, x: usualSize.width / 2 + 20 })).toBeGreaterThan(300);
    expect(whites(hebrew, { ...half, x: 0, width: 100 })).toBe(0);
  });

  test('of 5,000 characters still leaves the corner of the mark free', () => {
    const pixels = draw({ prompt: 'lorem ipsum '.repeat(416) }, 0, 0);
    expect(whites(pixels, { x: 520, y: 320, width: 30, height: 36 })).toBe(0);
  });
});

describe('a video', () => {
  test('moves, and is identical for the same seed', () => {
    const start = draw({}, 0, 0).bytes;
    expect(draw({}, 0, 0).bytes.equals(start)).toBe(true);
    expect(draw({}, 2, 0.4).bytes.equals(start)).toBe(false);
    expect(draw({ seed: 8 }, 0, 0).bytes.equals(start)).toBe(false);
  });

  test('begins with the first frame and ends with the last', () => {
    const frames = { firstFrame: frame('#ff0000'), lastFrame: frame('#0000ff') };
    expect(draw(frames, 0, 0).at(320, 60)).toEqual([255, 0, 0]);
    expect(draw(frames, 5, 1).at(320, 60)).toEqual([0, 0, 255]);
    const [red = 0, , blue = 0] = draw(frames, 2.5, 0.5).at(320, 60);
    expect(Math.min(red, blue)).toBeGreaterThan(100);
  });

  test('from one frame moves across it, never beyond its edge', () => {
    const firstFrame = frame('#ffffff');
    const context = firstFrame.getContext('2d');
    context.fillStyle = '#ff0000';
    context.fillRect(0, 0, firstFrame.width / 2, firstFrame.height);
    const [start, end] = [draw({ firstFrame }, 0, 0), draw({ firstFrame }, 5, 1)];
    expect(end.bytes.equals(start.bytes)).toBe(false);
    expect(start.at(0, 0)).toEqual([255, 0, 0]);
    expect(end.at(0, 0)).toEqual([255, 0, 0]);
    expect(end.at(usualSize.width - 1, 0)).toEqual([255, 255, 255]);
  });
});
