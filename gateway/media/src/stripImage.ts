import { appendRange } from './appendRange.ts';

/**
 * Removes everything from a picture that is not needed to show it upright in sRGB, without touching its pixels: Exif,
 * XMP, IPTC, comments, thumbnails, manifests, colour profiles, and data after its end, such as the video or the second
 * picture of a phone.
 * @returns The same bytes if there is nothing to remove; null if the picture's parts cannot be followed to its end.
 */
export function stripImage(bytes: Buffer, mediaType: string): Buffer | null {
  const parts = partReaders[mediaType]?.(bytes) ?? null;
  if (parts === null) return null;
  const stripped = Buffer.concat(parts);
  return stripped.equals(bytes) ? bytes : stripped;
}

const partReaders: Readonly<Record<string, (bytes: Buffer) => Buffer[] | null>> = {
  'image/jpeg': jpegParts,
  'image/png': pngParts,
  'image/webp': webpParts,
};

const jfif = Buffer.from('JFIF\0');
const adobe = Buffer.from('Adobe');

/** The needed segments of a JPEG (ITU-T T.81, annex B), from its start to its first end. */
function jpegParts(bytes: Buffer): Buffer[] | null {
  const parts = [bytes.subarray(0, 2)];
  for (let offset = 2; ;) {
    if (bytes[offset] !== 0xff) return null;
    // Any number of fill bytes may stand before a marker.
    while (bytes[offset + 1] === 0xff) offset += 1;
    const marker = bytes[offset + 1];
    if (marker === undefined) return null;
    if (marker === 0xd9) {
      appendRange(parts, bytes, offset, offset + 2);
      return parts;
    }
    if (offset + 4 > bytes.length) return null;
    let end = offset + 2 + bytes.readUInt16BE(offset + 2);
    if (end > bytes.length || end < offset + 4) return null;
    // The start of a scan is followed by the coded picture.
    if (marker === 0xda) end = endOfScan(bytes, end);
    const segment = bytes.subarray(offset, end);
    const isApplication = (marker & 0xf0) === 0xe0;
    if (marker === 0xe0 && has(segment, jfif)) parts.push(withoutThumbnail(segment));
    // Names the transform of the colours.
    else if (marker === 0xee && has(segment, adobe)) appendRange(parts, bytes, offset, end);
    else if (!isApplication && marker !== 0xfe) appendRange(parts, bytes, offset, end);
    offset = end;
  }
}

const has = (segment: Buffer, name: Buffer) =>
  segment.subarray(4, 4 + name.length).equals(name) && segment.length >= 16;

function withoutThumbnail(segment: Buffer): Buffer {
  const head = Buffer.from(segment.subarray(0, 18));
  if (head.length < 18) return segment;
  head.writeUInt16BE(16, 2);
  head.writeUInt16BE(0, 16);
  return head;
}

/** The next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let offset = bytes.indexOf(0xff, from); offset >= 0;) {
    const next = bytes[offset + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next & 0xf8) !== 0xd0) return offset;
    offset = bytes.indexOf(0xff, offset + 1);
  }
  return bytes.length;
}

/** Chunks of a PNG (ISO/IEC 15948) that say how its pixels look. */
const pngChunks = [
  ...['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'pHYs'],
];

function pngParts(bytes: Buffer): Buffer[] | null {
  const parts = [bytes.subarray(0, 8)];
  for (let offset = 8; offset + 12 <= bytes.length;) {
    const end = offset + 12 + bytes.readUInt32BE(offset);
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    if (end > bytes.length) return null;
    if (pngChunks.includes(type)) appendRange(parts, bytes, offset, end);
    if (type === 'IEND') return parts;
    offset = end;
  }
  return null;
}

/** Flags of `VP8X` for a profile, Exif and XMP. */
const webpMetadata = 0x20 | 0x08 | 0x04;

/** The needed chunks of a still WebP (RFC 9649). */
function webpParts(bytes: Buffer): Buffer[] | null {
  const head = Buffer.from(bytes.subarray(0, 12));
  const parts = [head];
  const needed = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH']);
  const fileEnd = 8 + bytes.readUInt32LE(4);
  if (fileEnd > bytes.length) return null;
  for (let offset = 12; offset + 8 <= fileEnd;) {
    const size = bytes.readUInt32LE(offset + 4);
    const end = offset + 8 + size;
    if (end > fileEnd) return null;
    // A chunk of odd size is followed by a zero, which some writers leave out at the end.
    const chunk = Buffer.concat([bytes.subarray(offset, end), Buffer.alloc(size & 1)]);
    const type = chunk.toString('latin1', 0, 4);
    if (type === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~webpMetadata, 8);
    // Decoders use the first of each.
    if (needed.delete(type)) parts.push(chunk);
    offset = end + (size & 1);
  }
  const sum = parts.reduce((bytesSoFar, { length }) => bytesSoFar + length, 0);
  head.writeUInt32LE(sum - 8, 4);
  return parts;
}
