import { open } from 'node:fs/promises';
import { cleanMp4 } from './cleanMp4.ts';
import { inspectAudioVideo } from './inspectAudioVideo.ts';
import type { MediaVerdict } from './mediaTask.ts';
import { sniffBytes, sniffMedia } from './sniffMedia.ts';

/** Cleans and marks a provider's MP4 in place, in the child process, and reads the result once more. */
export async function cleanVideo(path: string): Promise<MediaVerdict> {
  const file = await open(path, 'r+');
  try {
    const { buffer } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
    const sniffed = sniffMedia(buffer);
    if (sniffed?.mediaType !== 'video/mp4') {
      return { ok: false, reason: `${sniffed?.mediaType ?? 'unknown type'}, not video/mp4` };
    }
    await cleanMp4(file);
    return await inspectAudioVideo(path, 'video', sniffed);
  } finally {
    await file.close();
  }
}
