import { aiMarkXmp } from './aiMark.ts';
import { drawPreview, openPicture, writePosters } from './imageTasks.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import { readVideoFrame } from './readVideoFrame.ts';

/** Draws the posters of a finished result, in the child process. */
export async function drawPosters({
  path,
  type,
  targets,
  maxPixels,
}: Extract<MediaTask, { task: 'drawPosters' }>): Promise<MediaVerdict> {
  const source =
    type === 'video' ? await readVideoFrame(path, 'first') : openPicture(path, maxPixels);
  const { width, height } = await writePosters(source, targets);
  return { ok: true, mediaType: 'image/webp', extension: 'webp', width, height };
}

/** Writes a frame of a result as a full-size JPEG, in the child process: only pixels and our mark. */
export async function drawFrame({
  path,
  which,
  target,
  preview,
  maxPixels,
}: Extract<MediaTask, { task: 'drawFrame' }>): Promise<MediaVerdict> {
  const frame = await readVideoFrame(path, which);
  const { width, height } = await frame
    .withXmp(aiMarkXmp)
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toFile(target);
  await drawPreview(openPicture(target, maxPixels).withXmp(aiMarkXmp), preview);
  const type = { mediaType: 'image/jpeg', extension: 'jpg' };
  return { ok: true, ...type, width, height, hasPreview: true, isPrepared: true };
}

/** Draws a preview from a video's first frame. @returns False if it cannot be decoded. */
export async function makeVideoPreview(path: string, target: string): Promise<boolean> {
  try {
    await drawPreview(await readVideoFrame(path, 'first'), target);
    return true;
  } catch {
    // The video may still be valid: only H.264 can be decoded.
    return false;
  }
}
