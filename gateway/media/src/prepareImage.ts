import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import type { MediaFormat } from '@framegate/contract/mediaFormats';
import { isSrgbProfile } from './colourProfile.ts';
import { drawPreview, inspectImage, openPicture, tooManyPixels } from './imageTasks.ts';
import type { InspectTask, MediaVerdict } from './mediaTask.ts';
import { stripImage } from './stripImage.ts';

/**
 * Inspects a customer's picture and, with a `target`, prepares it for a provider: upright, in sRGB with 8 bits, without
 * metadata. A picture that is already upright and in sRGB is not re-encoded; it only loses its metadata.
 */
export async function prepareImage(
  { path, target, preview, maxPixels, maxTransparentWebpPixels = maxPixels }: InspectTask,
  sniffed: MediaFormat,
): Promise<MediaVerdict> {
  const inspected = await inspectImage(path, sniffed, maxPixels);
  if (!inspected.ok) return inspected;
  let verdict = inspected;
  if (target !== undefined) {
    const about = await sharp(path, { limitInputPixels: maxPixels }).metadata();
    const stripped = mustBeReencoded(about)
      ? null
      : await readFile(path).then((bytes) => strip(bytes, sniffed.mediaType));
    if (stripped === null) {
      const { width = 0, height = 0 } = inspected;
      if (about.format === 'webp' && about.hasAlpha && width * height > maxTransparentWebpPixels) {
        return tooManyPixels({ width, height }, maxTransparentWebpPixels, true);
      }
      await encode(path, target, sniffed, maxPixels);
    } else if (stripped !== 'unchanged') {
      await writeFile(target, stripped);
    }
    if (stripped !== 'unchanged') verdict = { ...inspected, isPrepared: true };
  }
  if (preview === undefined) return verdict;
  const source = verdict.isPrepared === true && target !== undefined ? target : path;
  await drawPreview(openPicture(source, maxPixels), preview);
  return { ...verdict, hasPreview: true };
}

/** Whether the pixels must be re-encoded: the picture is rotated, or in another colour space. */
function mustBeReencoded({ orientation = 1, space, depth, icc }: Metadata): boolean {
  const isPlain = depth === 'uchar' && ['srgb', 'b-w'].includes(space);
  return orientation > 1 || !isPlain || (icc !== undefined && !isSrgbProfile(icc));
}

function strip(bytes: Buffer, mediaType: string): Buffer | 'unchanged' | null {
  const stripped = stripImage(bytes, mediaType);
  return stripped === bytes ? 'unchanged' : stripped;
}

/** Encoding of each format: fast, and about as large as the original. */
const qualities = {
  png: { compressionLevel: 3 },
  jpeg: { quality: 90 },
  webp: { quality: 90, effort: 2 },
} as const;

async function encode(
  path: string,
  target: string,
  { extension }: MediaFormat,
  maxPixels: number,
): Promise<void> {
  const format = extension === 'jpg' ? 'jpeg' : (extension as 'png' | 'webp');
  await openPicture(path, maxPixels).toFormat(format, qualities[format]).toFile(target);
}
