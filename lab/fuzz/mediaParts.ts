/** A part of a file in its format's terms: a box, an element, a chunk or a segment. */
export interface Part {
  start: number;
  /** Offset and length of its size field; length 0 if there is none. */
  sizeAt: number;
  sizeBytes: number;
  body: number;
  end: number;
}

const parents = [
  ...['moov', 'trak', 'edts', 'mdia', 'minf', 'dinf', 'stbl', 'mvex', 'moof', 'traf', 'udta'],
];

/** Every box of an ISO media file, parents before their children. */
export function boxesOf(file: Buffer, from = 0, to = file.length): Part[] {
  const parts: Part[] = [];
  for (let start = from; start + 8 <= to;) {
    const size = file.readUInt32BE(start);
    const end = start + size;
    if (size < 8 || end > to) break;
    const type = file.toString('latin1', start + 4, start + 8);
    parts.push({ start, sizeAt: start, sizeBytes: 4, body: start + 8, end });
    if (parents.includes(type)) parts.push(...boxesOf(file, start + 8, end));
    if (type === 'stsd') parts.push(...boxesOf(file, start + 16, end));
    start = end;
  }
  return parts;
}

const masters = new Set([
  ...[0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1f43b675, 0x1c53bb6b, 0xbb],
  ...[0x114d9b74, 0x4dbb, 0xb7, 0xa0],
]);

/** Every element of an EBML file (WebM), parents before their children. */
export function elementsOf(file: Buffer, from = 0, to = file.length): Part[] {
  const parts: Part[] = [];
  for (let start = from; start < to;) {
    const idBytes = Math.clz32(file[start] ?? 0) - 23;
    const sizeAt = start + idBytes;
    const sizeBytes = Math.clz32(file[sizeAt] ?? 0) - 23;
    const body = sizeAt + sizeBytes;
    if (idBytes > 4 || sizeBytes > 8 || body > to) break;
    const id = file.readUIntBE(start, idBytes);
    let size = (file[sizeAt] ?? 0) & (0xff >> sizeBytes);
    for (let at = sizeAt + 1; at < body; at += 1) size = size * 256 + (file[at] ?? 0);
    const end = Math.min(to, body + size);
    parts.push({ start, sizeAt, sizeBytes, body, end });
    if (masters.has(id)) parts.push(...elementsOf(file, body, end));
    start = end;
  }
  return parts;
}

/** The chunks of a PNG. */
export function chunksOf(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let start = 8; start + 12 <= file.length;) {
    const end = start + 12 + file.readUInt32BE(start);
    parts.push({ start, sizeAt: start, sizeBytes: 4, body: start + 8, end });
    start = end;
  }
  return parts;
}

/** The segments of a JPEG up to its first scan, which is the last part. */
export function segmentsOf(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let start = 2; start + 4 <= file.length;) {
    const isScan = file[start + 1] === 0xda;
    const end = isScan ? file.length : start + 2 + file.readUInt16BE(start + 2);
    parts.push({ start, sizeAt: start + 2, sizeBytes: 2, body: start + 4, end });
    start = end;
  }
  return parts;
}

/** The chunks of a WebP or WAV. */
export function riffOf(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let start = 12; start + 8 <= file.length;) {
    const size = file.readUInt32LE(start + 4);
    const end = Math.min(file.length, start + 8 + size + (size & 1));
    parts.push({ start, sizeAt: start + 4, sizeBytes: 4, body: start + 8, end });
    start = end;
  }
  return parts;
}
