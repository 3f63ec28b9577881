import sharp, { type OutputInfo, type Sharp } from 'sharp';
import type { MediaFormat } from '@framegate/contract/mediaFormats';
import { aiMarkXmp } from './aiMark.ts';
import type { InvalidMedia, MediaTask, MediaVerdict, PosterTarget } from './mediaTask.ts';
import { measurePixels, type PictureMeasures } from './pictureMeasures.ts';

/*
 * Restricts libvips to the three accepted kinds of picture, from files. No SVG, PDF, TIFF, ImageMagick or other
 * loader, regardless of the claimed type.
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
): Promise<MediaVerdict> {
  // Reads only the header, to count the pixels.
  const { format, pages, autoOrient } = await sharp(path, {
    limitInputPixels: false,
    failOn: 'error',
  }).metadata();
  const { width, height } = autoOrient;
  if (`image/${format}` !== sniffed.mediaType) return { ok: false, reason: `read as ${format}` };
  if ((pages ?? 1) > 1) return { ok: false, reason: 'an animated image', actualKind: 'animated' };
  const pixels = width * height;
  if (pixels > maxPixels) return tooManyPixels({ width, height }, maxPixels);
  const options = { limitInputPixels: maxPixels, failOn: 'error' } as const;
  await sharp(path, options).resize(64, 64, { fit: 'inside' }).raw().toBuffer();
  const { mediaType, extension } = sniffed;
  return { ok: true, mediaType, extension, width, height };
}

/** The verdict on a picture with too many pixels. */
export function tooManyPixels(
  { width, height }: { width: number; height: number },
  max: number,
  isTransparentWebp = false,
): InvalidMedia {
  const reason = `${width}x${height} is more than ${max} pixels`;
  return { ok: false, reason, tooManyPixels: { pixels: width * height, max, isTransparentWebp } };
}

/** Background of a picture that loses its transparency: white, like paper. */
const background = '#fff';

/** A picture without transparency, as it looks on white. */
const opaque = (picture: Sharp): Sharp => picture.flatten({ background });

/** Encoding of each format: near the quality of models, without growing several-fold. */
const qualities = {
  png: { compressionLevel: 6 },
  jpeg: { quality: 92, chromaSubsampling: '4:4:4' },
  webp: { quality: 92 },
} as const;

const previewPixels = 320;

/** Draws the WebP preview that pages show of a file. */
export async function drawPreview(source: Sharp, target: string): Promise<void> {
  await opaque(source)
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

type EncodeTask = Extract<MediaTask, { task: 'encodeImage' }>;

const sizeOf = ({ width, height, channels }: OutputInfo) => ({ width, height, channels });

/**
 * Re-encodes a provider's picture, in the child process: only pixels, upright, in sRGB, without the source's
 * metadata, with our mark.
 */
async function encodeImage(task: EncodeTask, picture: Sharp): Promise<MediaVerdict> {
  const encodable = task.format === 'jpeg' ? opaque(picture) : picture;
  const { format, width, height } = await encodable
    .withXmp(aiMarkXmp)
    .toFormat(task.format, qualities[task.format])
    .toFile(task.target);
  if (format !== task.format) return { ok: false, reason: `encoded as ${format}` };
  const extension = task.format === 'jpeg' ? 'jpg' : task.format;
  return { ok: true, mediaType: `image/${task.format}`, extension, width, height };
}

/** Pixels of the largest picture that stays in memory for its posters: at most 80 MB. */
const maxKeptPixels = 20_000_000;

/**
 * Re-encodes a provider's picture, measures its pixels, and then draws its posters from them. A larger picture is
 * decoded again for its posters, and not measured.
 */
export function encodeWithPosters(
  task: EncodeTask,
  targets: readonly PosterTarget[] = [],
): (() => Promise<MediaVerdict>) & { drawPosters?: () => Promise<unknown> } {
  let open = () => openPicture(task.path, task.maxPixels);
  let measures: PictureMeasures | undefined;
  const encode = async () => {
    const { width, height } = await sharp(task.path, {
      limitInputPixels: task.maxPixels,
    }).metadata();
    if (width * height <= maxKeptPixels) {
      const { data, info } = await open().raw().toBuffer({ resolveWithObject: true });
      open = () => sharp(data, { raw: sizeOf(info) });
      measures = measurePixels(data, info.channels);
    }
    const verdict = await encodeImage(task, open());
    return verdict.ok && measures ? { ...verdict, measures } : verdict;
  };
  return targets.length === 0
    ? encode
    : Object.assign(encode, { drawPosters: () => writePosters(open(), targets) });
}

/**
 * Draws the posters of a result, in the child process: only pixels and our mark. More effort takes twice the time
 * and makes them 3 to 6 % smaller.
 * @returns The size of the largest.
 */
export async function writePosters(
  source: Sharp,
  targets: readonly PosterTarget[],
): Promise<{ width: number; height: number }> {
  // The largest first, because the others are made from it.
  const [largest, ...smaller] = targets.toSorted((a, b) => b.width - a.width);
  if (!largest) throw new Error('no target');
  const { data, info } = await opaque(source)
    .resize({ width: largest.width, withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (const target of [largest, ...smaller]) {
    await sharp(data, { raw: sizeOf(info) })
      .resize({ width: target.width, withoutEnlargement: true })
      .withXmp(aiMarkXmp)
      .webp({ quality: 70, effort: 2 })
      .toFile(target.path);
  }
  return { width: info.width, height: info.height };
}
