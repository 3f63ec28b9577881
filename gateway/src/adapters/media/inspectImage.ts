import { sharp } from './imageLoaders.ts';
import type { MediaVerdict } from './mediaTask.ts';
import type { SniffedMedia } from './sniffMedia.ts';

/**
 * Inspects a picture, in the child process: its head for type and size, then all of it, decoded small,
 * so that a file that is cut short or damaged is found here and not by a provider.
 */
export async function inspectImage(
  path: string,
  sniffed: SniffedMedia,
  maxPixels: number,
): Promise<MediaVerdict> {
  const options = { limitInputPixels: maxPixels, failOn: 'error' } as const;
  const { format, pages, autoOrient } = await sharp(path, options).metadata();
  const { width, height } = autoOrient;
  if (`image/${format}` !== sniffed.mediaType) return { ok: false, reason: `read as ${format}` };
  if ((pages ?? 1) > 1) return { ok: false, reason: 'an animated picture' };
  if (width * height > maxPixels) {
    return { ok: false, reason: `${width}x${height} is more than ${maxPixels} pixels` };
  }
  await sharp(path, options).resize(64, 64, { fit: 'inside' }).raw().toBuffer();
  const { mediaType, extension } = sniffed;
  return { ok: true, mediaType, extension, width, height };
}
