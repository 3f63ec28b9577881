import './denyNetwork.ts';
import { open } from 'node:fs/promises';
import { requireFewParts } from './containerParts.ts';
import type { ChildAnswer, MediaTask, MediaVerdict } from './mediaTask.ts';
import { sniffBytes, sniffMedia } from './sniffMedia.ts';

/**
 * The child process in which bytes of customers and providers are parsed: one task from the command
 * line, one answer on standard output. Whatever a library throws over a file makes the file invalid; a
 * library that cannot be loaded, or a file that cannot be opened, is our fault.
 */
const answer = await prepare(JSON.parse(process.argv[2] ?? '') as MediaTask).then(
  (work) => work().catch((error: unknown): ChildAnswer => ({ ok: false, reason: told(error) })),
  (error: unknown): ChildAnswer => ({ fault: told(error) }),
);
process.stdout.write(JSON.stringify(answer));

function told(error: unknown): string {
  return String(error).slice(0, 200);
}

/** Loads what the task needs and no more: starting is most of the time that a child takes. */
async function prepare(task: MediaTask): Promise<() => Promise<MediaVerdict>> {
  // Libraries tell of a file's oddities there, as often as the file has them.
  const drop = () => undefined;
  Object.assign(console, { log: drop, info: drop, warn: drop, error: drop, debug: drop });
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
