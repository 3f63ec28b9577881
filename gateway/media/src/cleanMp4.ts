import type { FileHandle } from 'node:fs/promises';
import { aiMarkXmp } from './aiMark.ts';
import { cleanBoxes } from './cleanBoxes.ts';
import {
  InvalidMp4,
  parseBoxHead,
  listFragmentSamples,
  listSamples,
  maxSamples,
  parseTracks,
  type BoxHead,
  type Sample,
  type Track,
} from './readMp4.ts';
import { rewriteSei } from './rewriteSei.ts';

/** A top-level box at its offset in the file. */
interface FileBox extends BoxHead {
  offset: number;
}

/** Top-level boxes that playback needs; everything else becomes free space. */
const needed = ['ftyp', 'styp', 'moov', 'moof', 'mdat', 'mfra', 'sidx', 'ssix'];

/** Brands that name a format; any other could identify a person. */
const neutralBrand =
  /^(isom|iso[2-9a-c]|mp4[12]|avc1|hvc1|hev1|av01|dash|cmfc|msdh|msix|M4V |3gp\d)$/;

/** Maximum bytes of one `moov` or `moof`; a valid one of an hour has far fewer. */
const maxHeadBytes = 32_000_000;
/** Maximum bytes of one picture, which is read into memory: a valid one in 4K has some 10 MB at most. */
const maxSampleBytes = 32_000_000;
const stepBytes = 1_048_576;

/** XMP in ISO media files: a `uuid` box with this id (XMP specification part 3, 1.1). */
const xmpUuid = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/**
 * Removes everything from an MP4 that playback does not need, in place, so that no offset changes: metadata, unknown
 * boxes, names, times, other tracks; user data that encoders write between pictures (SEI of H.264 and H.265); bytes of
 * `mdat` that belong to no sample. Then appends our mark as XMP. Data inside other units, such as AV1 metadata or the
 * name of an AAC encoder in its first frame, stays.
 * @param file Open for reading and writing.
 * @param isOurs False for a customer's file, which gets no mark.
 * @throws InvalidMp4 if the file is not an MP4 or is truncated.
 */
export async function cleanMp4(file: FileHandle, isOurs = true): Promise<void> {
  const { size } = await file.stat();
  const boxes = await readFileBoxes(file, size);
  const samples: Sample[] = [];
  let tracks: Track[] | null = null;
  for (const box of boxes) {
    if (!needed.includes(box.type)) await blank(file, box);
    else if (box.type === 'ftyp' || box.type === 'styp') await cleanBrands(file, box);
    else if (box.type === 'moov') {
      if (tracks) throw new InvalidMp4('two moov boxes');
      const { bytes, root } = await cleanHead(file, box);
      tracks = parseTracks(bytes, root);
      for (const track of tracks) addSamples(samples, listSamples(bytes, track), size);
    } else if (box.type === 'moof') {
      const { bytes, root } = await cleanHead(file, box);
      addSamples(samples, listFragmentSamples(bytes, root, box.offset, tracks ?? []), size);
    }
  }
  if (!tracks) throw new InvalidMp4('no moov box');
  await cleanMediaData(file, boxes, samples);
  await cleanUnits(file, samples);
  if (isOurs) await appendMark(file, boxes);
}

/**
 * Reads the top-level boxes, which must fill the file except for less than a head. The last may have an open
 * size.
 */
async function readFileBoxes(file: FileHandle, fileSize: number): Promise<FileBox[]> {
  const boxes: FileBox[] = [];
  for (let offset = 0; fileSize - offset >= 8;) {
    const head = parseBoxHead(await read(file, offset, Math.min(16, fileSize - offset)));
    const size = head.size === 0 ? fileSize - offset : head.size;
    if (size < head.headBytes || offset + size > fileSize) {
      throw new InvalidMp4(`box ${head.type} does not fit into the file`);
    }
    boxes.push({ ...head, size, offset });
    offset += size;
    if (boxes.length > 100_000) throw new InvalidMp4('too many boxes');
  }
  if (boxes[0]?.type !== 'ftyp') throw new InvalidMp4('no ftyp box at the start');
  return boxes;
}

/** Reads a box with its children, cleans it, and writes it back. */
async function cleanHead(file: FileHandle, { type, offset, size, headBytes }: FileBox) {
  if (size > maxHeadBytes) throw new InvalidMp4(`box ${type} is too large`);
  const bytes = await read(file, offset, size);
  const root = { type, start: 0, body: headBytes, end: size };
  cleanBoxes(bytes, root);
  await write(file, bytes, offset);
  return { bytes, root };
}

/** Keeps the brands of known formats and zeroes the version of the writing program. */
async function cleanBrands(file: FileHandle, box: FileBox): Promise<void> {
  if (box.size > 4096) throw new InvalidMp4('too many brands');
  const bytes = await read(file, box.offset, box.size);
  for (let place: number = box.headBytes; place + 4 <= bytes.length; place += 4) {
    if (place === box.headBytes + 4) bytes.writeUInt32BE(0, place);
    else if (!neutralBrand.test(bytes.toString('latin1', place, place + 4))) {
      bytes.write('isom', place, 'latin1');
    }
  }
  await write(file, bytes, box.offset);
}

async function blank(file: FileHandle, { offset, size, headBytes }: FileBox): Promise<void> {
  await write(file, Buffer.from('free', 'latin1'), offset + 4);
  await zero(file, offset + headBytes, offset + size);
}

/** Collects samples, which must lie within the file and the limits on reading them. */
function addSamples(samples: Sample[], found: Iterable<Sample>, fileSize: number): void {
  let bytes = 0;
  for (const sample of found) {
    bytes += sample.size;
    if (sample.size > maxSampleBytes) throw new InvalidMp4('a sample is too large');
    if (sample.offset + sample.size > fileSize) throw new InvalidMp4('a sample is cut short');
    if (samples.length >= maxSamples || bytes > fileSize) throw new InvalidMp4('too many samples');
    samples.push(sample);
  }
}

/** Zeroes all bytes of `mdat` boxes between the samples. */
async function cleanMediaData(
  file: FileHandle,
  boxes: readonly FileBox[],
  samples: Sample[],
): Promise<void> {
  samples.sort((a, b) => a.offset - b.offset);
  let next = 0;
  for (const box of boxes) {
    if (box.type !== 'mdat') continue;
    const end = box.offset + box.size;
    let place = box.offset + box.headBytes;
    for (; next < samples.length; next += 1) {
      const sample = samples[next];
      if (!sample || sample.offset >= end) break;
      if (sample.offset > place) await zero(file, place, sample.offset);
      place = Math.max(place, sample.offset + sample.size);
    }
    if (place < end) await zero(file, place, end);
  }
}

/** Rewrites the SEI units of all pictures. */
async function cleanUnits(file: FileHandle, samples: readonly Sample[]): Promise<void> {
  for (const { offset, size, units } of samples) {
    if (!units) continue;
    const bytes = await read(file, offset, size);
    let changed = false;
    for (let place = 0; place + units.lengthBytes < size;) {
      const length = bytes.readUIntBE(place, units.lengthBytes);
      place += units.lengthBytes;
      if (length === 0) continue;
      if (place + length > size) throw new InvalidMp4('a picture is cut short');
      const first = bytes[place] ?? 0;
      const isSei =
        units.codec === 'h264' ? (first & 0x1f) === 6 : [39, 40].includes((first >> 1) & 0x3f);
      if (isSei) {
        const headBytes = units.codec === 'h264' ? 1 : 2;
        changed = rewriteSei(bytes.subarray(place, place + length), headBytes) || changed;
      }
      place += length;
    }
    if (changed) await write(file, bytes, offset);
  }
}

/** Closes a last box of open size, and appends the mark. */
async function appendMark(file: FileHandle, boxes: readonly FileBox[]): Promise<void> {
  const last = boxes.at(-1);
  if (!last) throw new InvalidMp4('no boxes');
  if (last.headBytes === 8) {
    const actual = Buffer.alloc(4);
    actual.writeUInt32BE(last.size);
    await write(file, actual, last.offset);
  }
  const mark = Buffer.from(aiMarkXmp);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + xmpUuid.length + mark.length);
  head.write('uuid', 4, 'latin1');
  await write(file, Buffer.concat([head, xmpUuid, mark]), last.offset + last.size);
}

async function zero(file: FileHandle, from: number, to: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(stepBytes, to - from));
  for (let place = from; place < to; place += stepBytes) {
    await write(file, zeros.subarray(0, Math.min(stepBytes, to - place)), place);
  }
}

async function read(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await file.read(bytes, done, size - done, offset + done);
    if (bytesRead === 0) throw new InvalidMp4('the file is cut short');
    done += bytesRead;
  }
  return bytes;
}

async function write(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}
