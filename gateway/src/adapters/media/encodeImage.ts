import { open } from 'node:fs/promises';
import { sharp } from './imageLoaders.ts';
import { aiMarkXmp } from './aiMark.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import { sniffBytes, sniffMedia } from './sniffMedia.ts';

/** How each format is written: near the quality that models give, without growing several-fold. */
const qualities = {
  png: { compressionLevel: 6 },
  jpeg: { quality: 92, chromaSubsampling: '4:4:4' },
  webp: { quality: 92 },
} as const;

/**
 * Encodes a provider's picture anew, in the child process: pixels only, upright, in sRGB, without any
 * metadata of the source, with our mark.
 */
export async function encodeImage(
  of: Extract<MediaTask, { task: 'encodeImage' }>,
): Promise<MediaVerdict> {
  const handle = await open(of.path);
  const { buffer } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
  await handle.close();
  const sniffed = sniffMedia(buffer);
  if (sniffed?.type !== 'image') return { ok: false, reason: 'not a picture' };
  const picture = sharp(of.path, { limitInputPixels: of.maxPixels, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb')
    .withXmp(aiMarkXmp);
  const { format, width, height } = await picture
    .toFormat(of.format, qualities[of.format])
    .toFile(of.target);
  if (format !== of.format) return { ok: false, reason: `encoded as ${format}` };
  const extension = of.format === 'jpeg' ? 'jpg' : of.format;
  return { ok: true, mediaType: `image/${of.format}`, extension, width, height };
}
