import sharp, { type Sharp } from 'sharp';
import { aiMarkXmp } from './aiMark.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';
import type { SniffedMedia } from './sniffMedia.ts';

/*
 * What libvips may read: the three kinds of picture that are taken, from files. No SVG, PDF, TIFF,
 * ImageMagick or other loader, whatever a file claims to be.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
});
sharp.cache(false);
// One picture in a process that ends with it.
sharp.concurrency(1);

/**
 * Inspects a picture, in the child process: its head for type and size, then all of it, decoded small,
 * so that a file that is cut short or damaged is found here and not by a provider.
 */
export async function inspectImage(
  path: string,
  sniffed: SniffedMedia,
  maxPixels: number,
  maxTransparentWebp = maxPixels,
): Promise<MediaVerdict> {
  // The head alone: its pixels are counted here.
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

/** How each format is written: near the quality that models give, without growing several-fold. */
const qualities = {
  png: { compressionLevel: 6 },
  jpeg: { quality: 92, chromaSubsampling: '4:4:4' },
  webp: { quality: 92 },
} as const;

/** Of a customer's own picture: fast, and as large as what was given. */
const ownQualities = {
  png: { compressionLevel: 3 },
  jpeg: { quality: 90 },
  webp: { quality: 90, effort: 2 },
} as const;
const previewPixels = 320;

/**
 * Inspects a customer's picture and encodes it anew in its own format, in the child process: pixels only,
 * upright, in sRGB. Where it was taken and with what stays with the customer.
 */
export async function cleanPicture(
  of: Extract<MediaTask, { task: 'cleanPicture' }>,
  sniffed: SniffedMedia,
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

/** Draws the small WebP that pages show of a file. */
export async function drawPreview(source: Sharp, target: string): Promise<void> {
  await source
    .resize(previewPixels, previewPixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 70 })
    .toFile(target);
}

/** Opens a picture, in the child process: upright and in sRGB. */
export function openPicture(path: string, maxPixels: number): Sharp {
  return sharp(path, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb');
}

/**
 * Encodes a provider's picture anew, in the child process: pixels only, upright, in sRGB, without any
 * metadata of the source, with our mark.
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
