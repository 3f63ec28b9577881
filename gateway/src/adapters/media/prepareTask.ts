import { open } from 'node:fs/promises';
import { requireFewParts } from './containerParts.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import { sniffBytes, sniffMedia } from './sniffMedia.ts';

/**
 * Loads what a task needs and no more: starting is most of the time that a child takes.
 * @throws when a library cannot be loaded, or the file cannot be opened.
 * @returns what does the task; it throws whatever a library throws over a file.
 */
export async function prepareTask(task: MediaTask): Promise<() => Promise<MediaVerdict>> {
  switch (task.task) {
    case 'cleanVideo': {
      const { cleanVideo } = await import('./cleanVideo.ts');
      return () => cleanVideo(task.path);
    }
    case 'encodeImage': {
      const { encodeImage } = await import('./encodeImage.ts');
      return () => encodeImage(task);
    }
    case 'inspect':
      return prepareInspection(task);
  }
}

async function prepareInspection(
  task: Extract<MediaTask, { task: 'inspect' }>,
): Promise<() => Promise<MediaVerdict>> {
  const { path, type, maxPixels } = task;
  const handle = await open(path);
  const { buffer } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
  await handle.close();
  const sniffed = sniffMedia(buffer);
  if (!sniffed?.type.includes(type)) {
    const reason = `${sniffed?.mediaType ?? 'unknown type'}, not ${type}`;
    return async () => ({ ok: false, reason });
  }
  if (type === 'image') {
    const { inspectImage } = await import('./inspectImage.ts');
    return () => inspectImage(path, sniffed, maxPixels);
  }
  const { inspectAudioVideo } = await import('./inspectAudioVideo.ts');
  return async () => {
    requireFewParts(path, sniffed);
    return inspectAudioVideo(path, type, sniffed);
  };
}
