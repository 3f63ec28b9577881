import sharp, { type Sharp } from 'sharp';
import { aiMarkXmp } from './aiMark.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import type { MediaFormat } from '@framegate/contract/mediaFormats';

/*
 * Restricts libvips to the three accepted kinds of picture, from files. No SVG, PDF, TIFF, ImageMagick or other
 * loader, whatever a file claims to be.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
});
sharp.cache(false);
// The process handles a single picture.
sharp.concurrency(1);

/**
 * Inspects a picture, in the child process: its header for type and size, then all of it, decoded at a small
 * size, so that a truncated or damaged file is detected here and not by a provider.
 */
export async function inspectImage(
  path: string,
  sniffed: MediaFormat,
  maxPixels: number,
  maxTransparentWebp = maxPixels,
): Promise<MediaVerdict> {
  // Reads only the header, to count the pixels.
  const { format, pages, autoOrient, hasAlpha } = await sharp(path, {
    limitInputPixels: false,
    failOn: 'error',
  }).metadata();
  const { width, height } = autoOrient;
  if (`image/${format}` !== sniffed.mediaType) return { ok: false, reason: `read as ${format}` };
  if ((pages ?? 1) > 1) return { ok: false, reason: 'an animated picture' };
  const pixels = width * height;
  const isTransparentWebp = format === 'webp' && hasAlpha;
  const most = isTransparentWebp ? Math.min(maxPixels, maxTransparentWebp) : maxPixels;
  if (pixels > most) {
    const reason = `${width}x${height} is more than ${most} pixels`;
    return { ok: false, reason, tooManyPixels: { pixels, most, isTransparentWebp } };
  }
  const options = { limitInputPixels: maxPixels, failOn: 'error' } as const;
  await sharp(path, options).resize(64, 64, { fit: 'inside' }).raw().toBuffer();
  const { mediaType, extension } = sniffed;
  return { ok: true, mediaType, extension, width, height };
}

/** Encoding of each format: near the quality of models, without growing several-fold. */
const qualities = {
  png: { compressionLevel: 6 },
  jpeg: { quality: 92, chromaSubsampling: '4:4:4' },
  webp: { quality: 92 },
} as const;

/** Encoding of a customer's own picture: fast, and about as large as the original. */
const ownQualities = {
  png: { compressionLevel: 3 },
  jpeg: { quality: 90 },
  webp: { quality: 90, effort: 2 },
} as const;
const previewPixels = 320;

/**
 * Inspects a customer's picture and re-encodes it in its own format, in the child process: only pixels,
 * upright, in sRGB. Its location and camera data stay with the customer.
 */
export async function cleanPicture(
  of: Extract<MediaTask, { task: 'cleanPicture' }>,
  sniffed: MediaFormat,
): Promise<MediaVerdict> {
  const verdict = await inspectImage(of.path, sniffed, of.maxPixels, of.maxTransparentWebp);
  if (!verdict.ok) return verdict;
  const format = verdict.extension === 'jpg' ? 'jpeg' : (verdict.extension as 'png' | 'webp');
  const { width, height } = await openPicture(of.path, of.maxPixels)
    .toFormat(format, ownQualities[format])
    .toFile(of.target);
  await drawPreview(openPicture(of.target, of.maxPixels), of.preview);
  const { mediaType, extension } = verdict;
  return { ok: true, mediaType, extension, width, height, preview: true };
}

/** Draws the WebP preview that pages show of a file. */
export async function drawPreview(source: Sharp, target: string): Promise<void> {
  await source
    .resize(previewPixels, previewPixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 70 })
    .toFile(target);
}

/** Opens a picture upright and in sRGB, in the child process. */
export function openPicture(path: string, maxPixels: number): Sharp {
  return sharp(path, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb');
}

/**
 * Re-encodes a provider's picture, in the child process: only pixels, upright, in sRGB, without the source's
 * metadata, with our mark.
 */
export async function encodeImage(
  of: Extract<MediaTask, { task: 'encodeImage' }>,
): Promise<MediaVerdict> {
  const { format, width, height } = await openPicture(of.path, of.maxPixels)
    .withXmp(aiMarkXmp)
    .toFormat(of.format, qualities[of.format])
    .toFile(of.target);
  if (format !== of.format) return { ok: false, reason: `encoded as ${format}` };
  const extension = of.format === 'jpeg' ? 'jpg' : of.format;
  return { ok: true, mediaType: `image/${of.format}`, extension, width, height };
}
