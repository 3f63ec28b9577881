import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { messageOf } from '@framegate/contract/text';
import { type PixelSize, RenderError } from '../spec.ts';

/** Maximum area of an input, in pixels. */
const maxPixels = 40_000_000;
/** Time limit for decoding, in seconds: regular pictures take far less. */
const maxDecodeSeconds = 20;
/** Background of transparent pictures. */
const backdrop = { r: 24, g: 28, b: 38 };

// Only the decoders of JPEG, PNG, WebP, GIF and HEIF: no SVG, PDF, ImageMagick or other loaders.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes a picture upright to at most `size`: `cover` fills the size and crops, `inside` keeps the whole
 * picture. For animations, decodes the first frame.
 * @throws RenderError (`input_invalid`) if it is not a picture, damaged, or over 40 megapixels.
 */
export async function decodePicture(
  bytes: Uint8Array,
  size: PixelSize,
  fit: 'cover' | 'inside',
): Promise<Canvas> {
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      pages: 1,
    })
      .autoOrient()
      .resize({ ...size, fit, withoutEnlargement: fit === 'inside' })
      .flatten({ background: backdrop })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .timeout({ seconds: maxDecodeSeconds })
      .toBuffer({ resolveWithObject: true });
    const canvas = createCanvas(info.width, info.height);
    const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
    canvas.getContext('2d').putImageData(new ImageData(pixels, info.width, info.height), 0, 0);
    return canvas;
  } catch (error) {
    throw new RenderError('input_invalid', `a picture cannot be decoded: ${messageOf(error)}`);
  }
}
