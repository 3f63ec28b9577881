import { aiMarkXmp } from './aiMark.ts';
import { drawPreview, openPicture } from './imageTasks.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import { videoFrame } from './videoFrame.ts';

/**
 * Writes a picture of a result as a JPEG in full size, in the child process: pixels only, with our mark, as
 * the result itself has it.
 */
export async function takeFrame({
  path,
  which,
  target,
  preview,
  maxPixels,
}: Extract<MediaTask, { task: 'takeFrame' }>): Promise<MediaVerdict> {
  const frame = await videoFrame(path, which);
  const { width, height } = await frame
    .withXmp(aiMarkXmp)
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toFile(target);
  await drawPreview(openPicture(target, maxPixels).withXmp(aiMarkXmp), preview);
  const type = { mediaType: 'image/jpeg', extension: 'jpg' };
  return { ok: true, ...type, width, height, preview: true };
}

/** Draws a small picture of a video's first one. @returns false where that cannot be decoded. */
export async function previewVideo(path: string, target: string): Promise<boolean> {
  try {
    await drawPreview(await videoFrame(path, 'first'), target);
    return true;
  } catch {
    // The video may be good all the same: of H.264 alone there are pictures.
    return false;
  }
}
