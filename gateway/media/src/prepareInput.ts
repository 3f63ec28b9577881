import { copyFile, open, readFile, writeFile } from 'node:fs/promises';
import type { MediaFormat } from '@framegate/contract/mediaFormats';
import { readInBlocks } from './fileWindow.ts';
import type { InspectTask, MediaVerdict } from './mediaTask.ts';
import { writeAt } from './mp4File.ts';
import { isIsoMedia, requireFewParts, sniffFile } from './sniffMedia.ts';
import { isOfSystem, reasonOf } from './taskErrors.ts';

type Inspection = () => Promise<MediaVerdict>;

/**
 * Prepares a customer's file for a provider, from any source: checks it, and removes details about the person, the
 * place and the camera. Loads only the libraries that its type needs.
 * @returns Performs the task. An unusable file is refused with its kind.
 */
export async function prepareInput(
  task: InspectTask,
  sniffed: MediaFormat | null,
): Promise<Inspection> {
  const work = await workFor(task, sniffed);
  return async () => {
    const verdict = await work().catch((error: unknown): MediaVerdict => {
      if (isOfSystem(error)) throw error;
      return { ok: false, reason: reasonOf(error) };
    });
    if (verdict.ok) return verdict;
    const { wrongKindOf } = await import('./fileKind.ts');
    const actualKind = verdict.actualKind ?? wrongKindOf(task.path, task.type, sniffed);
    return actualKind === null ? verdict : { ...verdict, actualKind };
  };
}

async function workFor(task: InspectTask, sniffed: MediaFormat | null): Promise<Inspection> {
  if (!sniffed?.type.includes(task.type)) {
    const reason = `${sniffed?.mediaType ?? 'unknown type'}, not ${task.type}`;
    return async () => ({ ok: false, reason });
  }
  if (task.type === 'image') {
    const { prepareImage } = await import('./prepareImage.ts');
    return () => prepareImage(task, sniffed);
  }
  return prepareAudioVideo(task, task.type, sniffed);
}

async function prepareAudioVideo(
  { path, target, preview }: InspectTask,
  type: 'video' | 'audio',
  sniffed: MediaFormat,
): Promise<Inspection> {
  const { inspectAudioVideo } = await import('./inspectAudioVideo.ts');
  const clean = target === undefined ? null : await findCleaner(sniffed);
  const frames = type === 'video' && preview !== undefined ? await import('./frameTasks.ts') : null;
  return async () => {
    requireFewParts(path, sniffed);
    const isChanged = clean !== null && target !== undefined && (await clean(path, target));
    const result = isChanged ? target : path;
    const format = (isChanged && (await sniffFile(result))) || sniffed;
    const verdict = await inspectAudioVideo(result, type, format);
    if (!verdict.ok) return verdict;
    const hasPreview = (await frames?.makeVideoPreview(result, preview ?? '')) === true;
    return {
      ...verdict,
      ...(isChanged && { isPrepared: true }),
      ...(hasPreview && { hasPreview: true }),
    };
  };
}

/**
 * Writes a file at `target` with only the parts that playback needs.
 * @returns False if there is nothing to remove.
 */
type Cleaner = (path: string, target: string) => Promise<boolean>;

async function findCleaner(format: MediaFormat): Promise<Cleaner> {
  if (isIsoMedia(format)) {
    const { cleanMp4 } = await import('./cleanMp4.ts');
    return (path, target) => cleanMp4(path, target, false).then(() => true);
  }
  if (format.mediaType === 'video/webm') {
    const { cleanWebm } = await import('./cleanWebm.ts');
    return async (path, target) => {
      await copyFile(path, target);
      const changes = readInBlocks(path, (bytesAt, size) => [...cleanWebm(bytesAt, size)]);
      const file = await open(target, 'r+');
      try {
        for (const { offset, bytes } of changes) await writeAt(file, bytes, offset);
      } finally {
        await file.close();
      }
      return changes.length > 0;
    };
  }
  const { stripTags, stripWav } = await import('./stripAudio.ts');
  const strip = format.mediaType === 'audio/wav' ? stripWav : stripTags;
  return async (path, target) => {
    const bytes = await readFile(path);
    const stripped = strip(bytes);
    if (stripped === bytes) return false;
    await writeFile(target, stripped);
    return true;
  };
}
