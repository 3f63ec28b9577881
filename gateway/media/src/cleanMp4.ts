import { copyFile, type FileHandle, link, open, rm } from 'node:fs/promises';
import { aiMarkXmp } from './aiMark.ts';
import { InvalidMp4Error } from './mp4Boxes.ts';
import { clearAt, readAt, writeAt } from './mp4File.ts';
import type { Sample } from './mp4Tracks.ts';
import { rewriteSei } from './rewriteSei.ts';
import { type FileBox, type Mp4Survey, surveyMp4 } from './surveyMp4.ts';

/** Top-level boxes that playback needs; everything else becomes free space. */
const needed = ['ftyp', 'styp', 'moov', 'moof', 'mdat', 'mfra', 'sidx', 'ssix'];

/** Brands that name a format; any other could identify a person. */
const neutralBrand =
  /^(isom|iso[2-9a-c]|mp4[12]|avc1|hvc1|hev1|av01|dash|cmfc|msdh|msix|M4V |3gp\d)$/;

/** Brands that tell readers the format of a customer's MOV or M4A. */
const inputBrand = /^(qt  |M4A )$/;
const isNeutral = (brand: string, isOurs: boolean) =>
  neutralBrand.test(brand) || (!isOurs && inputBrand.test(brand));

/** XMP in ISO media files: a `uuid` box with this id (XMP specification part 3, 1.1). */
const xmpUuid = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/**
 * Turns an MP4 or QuickTime file into an MP4, and removes everything from it that playback does not need: metadata,
 * unknown boxes, names, times, other tracks; user data that encoders write between pictures (SEI of H.264 and H.265);
 * bytes of `mdat` that belong to no sample. Then appends our mark as XMP. Data inside other units, such as AV1 metadata
 * or the name of an AAC encoder in its first frame, stays.
 *
 * A file in the usual order is cleaned in place, so that no offset changes, and then linked at `target`; any other is
 * rewritten there. Nothing is written before all samples are found.
 * @param isOurs False for a customer's file, which keeps its format, such as MOV, and gets no mark.
 * @returns The corrections, in words for logs.
 * @throws InvalidMp4Error if samples are missing or cannot be found.
 */
export async function cleanMp4(path: string, target: string, isOurs = true): Promise<string[]> {
  const file = await open(path, 'r+');
  try {
    const survey = await surveyMp4(file);
    let damaged: number;
    if (isSequential(survey)) {
      damaged = await cleanInPlace(file, survey, isOurs);
      await linkOrCopy(path, target);
    } else if (survey.isFragmented) {
      throw new InvalidMp4Error('no ftyp box at the start');
    } else {
      damaged = await cleanRewritten(file, survey, target, isOurs);
    }
    return damaged > 0 ? [...survey.oddities, `damaged pictures: ${damaged}`] : survey.oddities;
  } finally {
    await file.close();
  }
}

async function cleanRewritten(
  file: FileHandle,
  survey: Mp4Survey,
  target: string,
  isOurs: boolean,
): Promise<number> {
  const { layOutMp4 } = await import('./layOutMp4.ts');
  const output = await open(target, 'w+');
  try {
    return await cleanInPlace(output, await layOutMp4(file, survey, output), isOurs);
  } finally {
    await output.close();
  }
}

/** Gives a file a second path, or copies it where the file system has no links. */
async function linkOrCopy(path: string, target: string): Promise<void> {
  await rm(target, { force: true });
  await link(path, target).catch(() => copyFile(path, target));
}

/** Whether the file begins with `ftyp`, free space aside, and players find `moov` before the samples. */
function isSequential({ boxes, samples, isFragmented }: Mp4Survey): boolean {
  const neededBoxes = boxes.filter(({ type }) => needed.includes(type));
  if (neededBoxes[0]?.type !== 'ftyp') return false;
  const mdats = neededBoxes.filter(({ type }) => type === 'mdat');
  if (isFragmented || mdats.length === 0) return true;
  if (
    neededBoxes.findIndex(({ type }) => type === 'moov') > neededBoxes.indexOf(mdats[0] as FileBox)
  ) {
    return false;
  }
  let index = 0;
  return samples.every(({ offset, size }) => {
    while (index < mdats.length && offset >= boxEnd(mdats[index])) index += 1;
    const box = mdats[index];
    return (
      size === 0 || (box && offset >= box.offset + box.headBytes && offset + size <= boxEnd(box))
    );
  });
}

const boxEnd = (box: FileBox | undefined) => (box ? box.offset + box.size : 0);

/** @returns The number of damaged pictures. */
async function cleanInPlace(file: FileHandle, survey: Mp4Survey, isOurs: boolean): Promise<number> {
  const { samples, size, moov } = survey;
  const boxes = await bringToFront(file, survey.boxes);
  for (const box of boxes) {
    const isSecond = box.type === 'moov' && box.head !== moov;
    if (isSecond || !needed.includes(box.type)) await clear(file, box);
    else if (box.type === 'ftyp' || box.type === 'styp') await cleanBrands(file, box, isOurs);
    else if (box.head) await writeAt(file, box.head.bytes, box.offset);
  }
  await cleanMediaData(file, boxes, samples);
  const damaged = await cleanUnits(file, samples);
  await file.truncate(size);
  await closeLast(file, boxes);
  if (isOurs) await writeAt(file, mark, size);
  return damaged;
}

/** Swaps `ftyp` and the boxes before it, which playback does not need. */
async function bringToFront(file: FileHandle, boxes: readonly FileBox[]): Promise<FileBox[]> {
  const index = boxes.findIndex(({ type }) => type === 'ftyp');
  const ftyp = boxes[index];
  if (!ftyp || index <= 0) return [...boxes];
  const before = ftyp.offset;
  await writeAt(file, await readAt(file, before, ftyp.size), 0);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(before);
  await writeAt(file, head, ftyp.size);
  const free: FileBox = { type: 'free', offset: ftyp.size, size: before, headBytes: 8 };
  return [{ ...ftyp, offset: 0 }, free, ...boxes.slice(index + 1)];
}

/** Keeps the brands of known formats and zeroes the version of the writing program. */
async function cleanBrands(file: FileHandle, box: FileBox, isOurs: boolean): Promise<void> {
  if (box.size > 4096) throw new InvalidMp4Error('too many brands');
  const bytes = await readAt(file, box.offset, box.size);
  for (let offset: number = box.headBytes; offset + 4 <= bytes.length; offset += 4) {
    if (offset === box.headBytes + 4) {
      bytes.writeUInt32BE(0, offset);
    } else if (!isNeutral(bytes.toString('latin1', offset, offset + 4), isOurs)) {
      bytes.write('isom', offset, 'latin1');
    }
  }
  await writeAt(file, bytes, box.offset);
}

async function clear(file: FileHandle, { offset, size, headBytes }: FileBox): Promise<void> {
  await writeAt(file, Buffer.from('free', 'latin1'), offset + 4);
  await clearAt(file, offset + headBytes, offset + size);
}

/** Zeroes all bytes of `mdat` boxes between the samples. */
async function cleanMediaData(
  file: FileHandle,
  boxes: readonly FileBox[],
  samples: readonly Sample[],
): Promise<void> {
  let next = 0;
  for (const box of boxes) {
    if (box.type !== 'mdat') continue;
    const end = box.offset + box.size;
    let offset = box.offset + box.headBytes;
    for (; next < samples.length; next += 1) {
      const sample = samples[next];
      if (!sample || sample.offset >= end) break;
      if (sample.offset > offset) await clearAt(file, offset, sample.offset);
      offset = Math.max(offset, sample.offset + sample.size);
    }
    if (offset < end) await clearAt(file, offset, end);
  }
}

/** One damaged picture per this number is tolerated, and always one: players conceal it. More make the file invalid. */
const picturesPerDamaged = 50;

/**
 * Rewrites the SEI units of all pictures. A unit that claims more bytes than its picture has gets the rest of them.
 * @returns The number of pictures with such a unit.
 * @throws InvalidMp4Error if they are too many.
 */
async function cleanUnits(file: FileHandle, samples: readonly Sample[]): Promise<number> {
  const pictures = samples.filter(({ units }) => units !== null).length;
  let damaged = 0;
  for (const { offset, size, units } of samples) {
    if (!units) continue;
    const bytes = await readAt(file, offset, size);
    let isChanged = false;
    for (let unitOffset = 0; unitOffset + units.lengthBytes < size;) {
      let length = bytes.readUIntBE(unitOffset, units.lengthBytes);
      unitOffset += units.lengthBytes;
      if (length === 0) continue;
      if (unitOffset + length > size) {
        damaged += 1;
        if (damaged > 1 + pictures / picturesPerDamaged) {
          throw new InvalidMp4Error('pictures are cut short');
        }
        length = size - unitOffset;
        bytes.writeUIntBE(length, unitOffset - units.lengthBytes, units.lengthBytes);
        isChanged = true;
      }
      const first = bytes[unitOffset] ?? 0;
      const isSei =
        units.codec === 'h264' ? (first & 0x1f) === 6 : [39, 40].includes((first >> 1) & 0x3f);
      if (isSei) {
        const headBytes = units.codec === 'h264' ? 1 : 2;
        isChanged =
          rewriteSei(bytes.subarray(unitOffset, unitOffset + length), headBytes) || isChanged;
      }
      unitOffset += length;
    }
    if (isChanged) await writeAt(file, bytes, offset);
  }
  return damaged;
}

/** Gives a last box of open size its actual size, so that another box can follow. */
async function closeLast(file: FileHandle, boxes: readonly FileBox[]): Promise<void> {
  const last = boxes.at(-1);
  if (!last) throw new InvalidMp4Error('no boxes');
  const actual = Buffer.alloc(last.headBytes === 8 ? 4 : 8);
  if (last.headBytes === 8) actual.writeUInt32BE(last.size);
  else actual.writeBigUInt64BE(BigInt(last.size));
  await writeAt(file, actual, last.headBytes === 8 ? last.offset : last.offset + 8);
}

/** Our mark as a box. */
const mark = boxOfMark();

function boxOfMark(): Buffer {
  const body = Buffer.concat([xmpUuid, Buffer.from(aiMarkXmp)]);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write('uuid', 4, 'latin1');
  return Buffer.concat([head, body]);
}
