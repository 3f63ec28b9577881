import { copyFile, open, readFile, writeFile } from 'node:fs/promises';
import type { MediaFormat } from '@framegate/contract/mediaFormats';
import type { cleanMp4 } from './cleanMp4.ts';
import { cleanWebm } from './cleanWebm.ts';
import { wrongKindOf } from './fileKind.ts';
import type { InspectedMedia, InspectTask, MediaVerdict } from './mediaTask.ts';
import { readInBlocks, requireFewParts, scanBoxes, sniffFile } from './sniffMedia.ts';
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
    if (!clean && made !== 'not needed' && saysSomething(path, sniffed)) {
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

/**
 * Boxes and tracks of ISO media files that say something about the person, the place or the device; `\xa9xyz` is within
 * `udta`.
 */
const personal = ['udta', 'meta', 'uuid', 'mebx', 'gpmd', 'camm', 'text', 'tx3g'];

/**
 * Whether a file that could not be cleaned says anything: one whose parts a cleaner cannot follow is taken as it is if
 * none of them could.
 */
function saysSomething(path: string, sniffed: MediaFormat): boolean {
  if (!isIso(sniffed)) return true;
  const types = new Set<string>();
  readInBlocks(path, (bytesAt) => {
    scanBoxes(
      bytesAt,
      () => undefined,
      (type) => types.add(type),
    );
  });
  return personal.some((type) => types.has(type));
}

/** Cleans a copy of an MP4 or MOV like a result. */
async function writeCleanMp4(path: string, target: string, clean: CleanMp4): Promise<Made> {
  await copyFile(path, target);
  const file = await open(target, 'r+');
  try {
    const { buffer: brand } = await file.read(Buffer.alloc(4), 0, 4, 8);
    await clean(file, false);
    if (keptBrand.test(brand.toString('latin1'))) await file.write(brand, 0, 4, 8);
    return 'written';
  } catch (error) {
    if (isOfSystem(error)) throw error;
    return 'impossible';
  } finally {
    await file.close();
  }
}

async function writeCleanWebm(path: string, target: string): Promise<Made> {
  const changes = readInBlocks(path, (bytesAt) => [...cleanWebm(bytesAt)]);
  if (changes.length === 0) return 'not needed';
  await copyFile(path, target);
  const file = await open(target, 'r+');
  try {
    for (const { offset, bytes } of changes) await file.write(bytes, 0, bytes.length, offset);
  } finally {
    await file.close();
  }
  return 'written';
}
