import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Numbers of tables in the directory of a WOFF2 file. */
const cmap = 0;
const glyf = 10;
const loca = 11;
const named = 63;

/**
 * Reads the code points of a WOFF2 file (https://www.w3.org/TR/WOFF2/) from its table `cmap`. Style sheets do not give
 * them: their ranges include characters that the file lacks.
 * @throws Error if the table has another format than 4, 12 or 14.
 */
export function charactersOf(file: string): ReadonlySet<number> {
  const font = readFileSync(file);
  let at = 48;
  let offset = 0;
  let cmapOffset = 0;
  const readLength = (value = 0): number => {
    const byte = font.readUInt8(at++);
    const longer = value * 128 + (byte & 127);
    return byte < 128 ? longer : readLength(longer);
  };
  for (let left = font.readUInt16BE(12); left > 0; left -= 1) {
    const flags = font.readUInt8(at++);
    const table = flags & 63;
    if (table === named) at += 4;
    if (table === cmap) cmapOffset = offset;
    const length = readLength();
    // Outlines are transformed in version 0, other tables in any other version.
    const isTransformed = (flags >> 6 === 0) === (table === glyf || table === loca);
    offset += isTransformed ? readLength() : length;
  }
  const tables = brotliDecompressSync(font.subarray(at, at + font.readUInt32BE(20)));
  return parseMap(tables.subarray(cmapOffset));
}

function parseMap(table: Buffer): Set<number> {
  const codePoints = new Set<number>();
  for (let left = table.readUInt16BE(2), at = 8; left > 0; left -= 1, at += 8) {
    const subtable = table.subarray(table.readUInt32BE(at));
    const format = subtable.readUInt16BE(0);
    if (format === 4) parseSegments(subtable, codePoints);
    else if (format === 12) parseGroups(subtable, codePoints);
    // Format 14 lists variants of characters that another subtable has.
    else if (format !== 14) throw new Error(`cmap format ${format} is not supported`);
  }
  return codePoints;
}

/** Format 4: four lists of words, one entry for each segment. Glyph 0 is the box. */
function parseSegments(subtable: Buffer, codePoints: Set<number>): void {
  const bytes = subtable.readUInt16BE(6);
  for (let at = 14; at < 14 + bytes; at += 2) {
    const [startAt, deltaAt, offsetAt] = [at + 2 + bytes, at + 2 + 2 * bytes, at + 2 + 3 * bytes];
    const first = subtable.readUInt16BE(startAt);
    const offset = subtable.readUInt16BE(offsetAt);
    for (let code = first; code <= subtable.readUInt16BE(at); code += 1) {
      const glyph =
        offset === 0
          ? code + subtable.readUInt16BE(deltaAt)
          : subtable.readUInt16BE(offsetAt + offset + (code - first) * 2);
      if ((glyph & 0xffff) !== 0) codePoints.add(code);
    }
  }
}

/** Format 12: groups of the first code point, the last one, and a glyph. */
function parseGroups(subtable: Buffer, codePoints: Set<number>): void {
  for (let left = subtable.readUInt32BE(12), at = 16; left > 0; left -= 1, at += 12) {
    const last = subtable.readUInt32BE(at + 4);
    for (let code = subtable.readUInt32BE(at); code <= last; code += 1) codePoints.add(code);
  }
}
