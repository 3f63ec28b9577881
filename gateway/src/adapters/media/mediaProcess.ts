import { open } from 'node:fs/promises';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import { sniffBytes, sniffMedia } from './sniffMedia.ts';

/**
 * The child process in which bytes of customers and providers are parsed: one task from the command
 * line, one verdict on standard output. Whatever a library throws over a file makes the file invalid;
 * a library that cannot be loaded is our fault and ends the child with an error.
 */
const work = await prepare(JSON.parse(process.argv[2] ?? '') as MediaTask);
const verdict = await work().catch((error: unknown): MediaVerdict => ({
  ok: false,
  reason: String(error).slice(0, 200),
}));
process.stdout.write(JSON.stringify(verdict));

/** Loads what the task needs and no more: starting is most of the time that a child takes. */
async function prepare(task: MediaTask): Promise<() => Promise<MediaVerdict>> {
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
  return () => inspectAudioVideo(path, type, sniffed);
}
