import { crc32 } from 'node:zlib';
import { parseSvg } from './svg.ts';

/** A checked picture for pages. */
export interface Logo {
  type: 'image/svg+xml' | 'image/png';
  bytes: Uint8Array;
  /** Width divided by height. */
  ratio: number;
}

/** Maximum size of a logo file, in bytes: every page loads it. */
export const maxLogoBytes = 64 * 1024;

/** Maximum width and height of a bitmap, in pixels. */
const maxPixels = 1024;

/** Widest and narrowest logo: a phone's header must have room next to it. */
const maxRatio = 6;
const minRatio = 0.5;

const signature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');

/**
 * Parses a logo file, PNG or SVG.
 * @returns The logo, or problems that complete "the file …".
 */
export function parseLogo(bytes: Uint8Array): Logo | { problems: readonly string[] } {
  if (bytes.length > maxLogoBytes) {
    return { problems: [`has ${bytes.length} bytes; the maximum is ${maxLogoBytes}`] };
  }
  const isPng = signature.equals(bytes.subarray(0, signature.length));
  const { ratio, problems } = isPng ? parsePng(Buffer.from(bytes)) : parseSvgBytes(bytes);
  if (problems.length > 0) return { problems };
  if (ratio === null) return { problems: ['has no viewBox with a width and a height'] };
  if (ratio > maxRatio || ratio < minRatio) {
    return {
      problems: [`must be at most ${maxRatio} times as wide as high, and twice as high as wide`],
    };
  }
  return { type: isPng ? 'image/png' : 'image/svg+xml', bytes, ratio };
}

function parseSvgBytes(bytes: Uint8Array): ReturnType<typeof parseSvg> {
  try {
    return parseSvg(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { ratio: null, problems: ['is neither PNG nor SVG in UTF-8'] };
  }
}

/** Checks the chunks of a PNG file. */
function parsePng(file: Buffer): ReturnType<typeof parseSvg> {
  const broken = { ratio: null, problems: ['is a damaged PNG'] };
  let at = signature.length;
  let size: { width: number; height: number } | null = null;
  for (let type = ''; type !== 'IEND';) {
    if (at + 12 > file.length) return broken;
    const length = file.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > file.length) return broken;
    type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return broken;
    if ((type === 'IHDR') !== (size === null)) return broken;
    if (type === 'IHDR') {
      size = { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) };
    }
    at = end + 4;
  }
  if (at !== file.length || size === null) return broken;
  const { width, height } = size;
  if (width > maxPixels || height > maxPixels) {
    const problem = `has ${width} × ${height} pixels; the maximum is ${maxPixels} × ${maxPixels}`;
    return { ratio: null, problems: [problem] };
  }
  return { ratio: width > 0 && height > 0 ? width / height : null, problems: [] };
}
