import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { maxLogoBytes, parseLogo } from './logo.ts';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), ...parts]);
}

const svg = (box: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}"/>`);

test.each([
  ['a PNG', png(96, 48), { type: 'image/png', ratio: 2 }],
  ['an SVG', svg('0 0 30 20'), { type: 'image/svg+xml', ratio: 1.5 }],
])('%s is known by its content', (_name, bytes, logo) => {
  expect(parseLogo(bytes)).toMatchObject(logo);
});

const whole = png(8, 8);
const changed = Buffer.from(whole);
changed.set([0], 45);

test.each([
  ['a large file', Buffer.alloc(maxLogoBytes + 1), 'has 65537 bytes; the maximum is 65536'],
  ['a large picture', png(2000, 8), 'has 2000 × 8 pixels; the maximum is 1024 × 1024'],
  ['half a PNG', whole.subarray(0, 40), 'is a damaged PNG'],
  ['a changed PNG', changed, 'is a damaged PNG'],
  ['a PNG with more behind it', Buffer.concat([whole, svg('0 0 1 1')]), 'is a damaged PNG'],
  [
    'a PNG without a header',
    Buffer.concat([whole.subarray(0, 8), whole.subarray(33)]),
    'is a damaged PNG',
  ],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'is neither PNG nor SVG in UTF-8'],
  ['SVG in UTF-16', Buffer.from('\uFEFF<svg/>', 'utf16le'), 'is neither PNG nor SVG in UTF-8'],
  ['a drawing without a size', svg('none'), 'has no viewBox with a width and a height'],
  [
    'a banner',
    svg('0 0 70 10'),
    'must be at most 6 times as wide as high, and twice as high as wide',
  ],
  [
    'a tower',
    svg('0 0 10 21'),
    'must be at most 6 times as wide as high, and twice as high as wide',
  ],
])('%s is refused', (_name, bytes, problem) => {
  expect(parseLogo(bytes)).toEqual({ problems: [problem] });
});
