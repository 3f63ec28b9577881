import sharp from 'sharp';
import { aiMarkXmp } from './aiMark.ts';
import { openPicture } from './imageTasks.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import { videoFrame } from './videoFrame.ts';

/**
 * Draws the small pictures of a result, in the child process: pixels only, with our mark, as the result
 * itself has it.
 */
export async function drawPosters({
  path,
  type,
  targets,
  maxPixels,
}: Extract<MediaTask, { task: 'drawPosters' }>): Promise<MediaVerdict> {
  const source = type === 'video' ? await videoFrame(path, 'first') : openPicture(path, maxPixels);
  // The largest first: the others are made of it.
  const [largest, ...smaller] = targets.toSorted((a, b) => b.width - a.width);
  if (!largest) return { ok: false, reason: 'no target' };
  const { data, info } = await source
    .resize({ width: largest.width, withoutEnlargement: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  for (const target of [largest, ...smaller]) {
    await sharp(data, { raw: { width, height, channels } })
      .resize({ width: target.width, withoutEnlargement: true })
      .withXmp(aiMarkXmp)
      .webp({ quality: 70, effort: 3 })
      .toFile(target.path);
  }
  return { ok: true, mediaType: 'image/webp', extension: 'webp', width, height };
}
