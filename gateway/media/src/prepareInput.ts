import { copyFile, open, readFile, stat, writeFile, type FileHandle } from 'node:fs/promises';
import type { MediaFormat } from '@framegate/contract/mediaFormats';
import type { cleanMp4 } from './cleanMp4.ts';
import { cleanWebm } from './cleanWebm.ts';
import { wrongKindOf } from './fileKind.ts';
import type { InspectedMedia, InspectTask, MediaVerdict } from './mediaTask.ts';
import { readInBlocks, requireFewParts, scanBoxes, sniffFile, type SeenBox } from './sniffMedia.ts';
import { stripTags, stripWave } from './stripSound.ts';

type Work = () => Promise<MediaVerdict>;

/**
 * Prepares a customer's file for a provider, whatever door it came through: checks it, and takes out what it says about
 * the person, the place and the camera. Loads only the libraries that its type needs.
 * @returns Performs the task. A file that cannot be used is told by what it is.
 */
export async function prepareInput(task: InspectTask, sniffed: MediaFormat | null): Promise<Work> {
  const work = await workFor(task, sniffed);
  return async () => {
    const verdict = await work().catch((error: unknown): MediaVerdict => {
      if (isOfSystem(error)) throw error;
      return { ok: false, reason: String(error).slice(0, 200) };
    });
    if (verdict.ok) return verdict;
    const is = verdict.is ?? wrongKindOf(task.path, task.type);
    return is === null ? verdict : { ...verdict, is };
  };
}

/** Whether an error is the system's, such as a full disk, and no verdict on the file. */
export const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

async function workFor(task: InspectTask, sniffed: MediaFormat | null): Promise<Work> {
  if (!sniffed?.type.includes(task.type)) {
    const reason = `${sniffed?.mediaType ?? 'unknown type'}, not ${task.type}`;
    return async () => ({ ok: false, reason });
  }
  if (task.type === 'image') {
    const { preparePicture } = await import('./preparePicture.ts');
    return () => preparePicture(task, sniffed);
  }
  return prepareAudioVideo(task, task.type, sniffed);
}

async function prepareAudioVideo(
  { path, target, preview }: InspectTask,
  type: 'video' | 'audio',
  sniffed: MediaFormat,
): Promise<Work> {
  const { inspectAudioVideo } = await import('./inspectAudioVideo.ts');
  const cleaner = isIso(sniffed) ? (await import('./cleanMp4.ts')).cleanMp4 : null;
  const frames = type === 'video' && preview !== undefined ? await import('./frameTasks.ts') : null;
  return async () => {
    requireFewParts(path, sniffed);
    const made =
      target === undefined ? 'not needed' : await writeClean(path, target, sniffed, cleaner);
    const inspect = (file: string, format: MediaFormat) => inspectAudioVideo(file, type, format);
    const clean = made === 'written' ? await inspectClean(target ?? '', sniffed, inspect) : null;
    const verdict = clean ?? (await inspect(path, sniffed));
    if (!verdict.ok) return verdict;
    if (!clean && made !== 'not needed') {
      return { ok: false, reason: 'what it says about its origin cannot be removed' };
    }
    const hasPreview = (await frames?.previewVideo(path, preview ?? '')) === true;
    return {
      ...verdict,
      ...(clean && { prepared: true as const }),
      ...(hasPreview && { preview: true as const }),
    };
  };
}

/** Inspects a cleaned file. @returns Null if it cannot be read: then the file as it came decides. */
async function inspectClean(
  path: string,
  sniffed: MediaFormat,
  inspect: (path: string, format: MediaFormat) => Promise<MediaVerdict>,
): Promise<InspectedMedia | null> {
  const verdict = await inspect(path, (await sniffFile(path)) ?? sniffed).catch(() => null);
  return verdict?.ok === true ? verdict : null;
}

type CleanMp4 = typeof cleanMp4;
type Made = 'written' | 'not needed' | 'impossible';

/** Writes the file without what playback does not need, unless it has nothing else. */
async function writeClean(
  path: string,
  target: string,
  { mediaType }: MediaFormat,
  clean: CleanMp4 | null,
): Promise<Made> {
  if (clean) return writeCleanMp4(path, target, clean);
  if (mediaType === 'video/webm') return writeCleanWebm(path, target);
  const bytes = await readFile(path);
  const stripped = mediaType === 'audio/wav' ? stripWave(bytes) : stripTags(bytes);
  if (stripped === bytes) return 'not needed';
  await writeFile(target, stripped);
  return 'written';
}

const isIso = ({ mediaType }: MediaFormat) =>
  ['video/mp4', 'video/quicktime', 'audio/mp4'].includes(mediaType);

/** Major brands that say how the rest is to be read, and nothing about anybody. */
const keptBrand = /^(qt  |M4A )$/;

/** Boxes of ISO media files that say something about the person, the place or the device; `\xa9xyz` is within `udta`. */
const personalBoxes = ['udta', 'meta', 'uuid'];
/** Tracks of phones and cameras with the places of a way. */
const personalTracks = ['mebx', 'gpmd', 'camm'];

/**
 * Cleans a copy of an MP4 or MOV like a result. In one whose parts the cleaner cannot follow, the boxes that say
 * something become free space.
 */
async function writeCleanMp4(path: string, target: string, clean: CleanMp4): Promise<Made> {
  const isClean = await changeCopy(path, target, async (file) => {
    const { buffer: brand } = await file.read(Buffer.alloc(4), 0, 4, 8);
    await clean(file, false);
    if (keptBrand.test(brand.toString('latin1'))) await file.write(brand, 0, 4, 8);
    return true;
  }).catch((error: unknown) => {
    if (isOfSystem(error)) throw error;
    return false;
  });
  return isClean ? 'written' : writeWithoutBoxes(path, target);
}

async function writeWithoutBoxes(path: string, target: string): Promise<Made> {
  const { size } = await stat(path);
  const seen: SeenBox[] = [];
  readInBlocks(path, (bytesAt) => {
    scanBoxes(
      bytesAt,
      () => undefined,
      (box) => seen.push(box),
    );
  });
  if (seen.some(({ type }) => personalTracks.includes(type))) return 'impossible';
  const found = seen.filter(({ type, end }) => personalBoxes.includes(type) && end <= size);
  if (found.length === 0) return 'not needed';
  await changeCopy(path, target, async (file) => {
    for (const { start, body, end } of found) {
      await file.write(Buffer.from('free'), 0, 4, start + 4);
      await file.write(Buffer.alloc(Math.max(0, end - body)), 0, null, body);
    }
  });
  return 'written';
}

/** Changes a copy of a file in place. */
async function changeCopy<T>(
  path: string,
  target: string,
  change: (file: FileHandle) => Promise<T>,
): Promise<T> {
  await copyFile(path, target);
  const file = await open(target, 'r+');
  try {
    return await change(file);
  } finally {
    await file.close();
  }
}

async function writeCleanWebm(path: string, target: string): Promise<Made> {
  const changes = readInBlocks(path, (bytesAt) => [...cleanWebm(bytesAt)]);
  if (changes.length === 0) return 'not needed';
  await changeCopy(path, target, async (file) => {
    for (const { offset, bytes } of changes) await file.write(bytes, 0, bytes.length, offset);
  });
  return 'written';
}
