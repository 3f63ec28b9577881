import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import type { ImageSpec } from '../renderSpec.ts';
import type { DrawAt } from './composePicture.ts';

/** The moment of a scene that an image shows, seconds. */
const MOMENT = 2;

/** Draws one image and encodes it in the format of the spec. */
export async function renderImage(spec: ImageSpec, drawAt: DrawAt): Promise<Uint8Array> {
  const { width, height } = spec;
  const canvas = createCanvas(width, height);
  drawAt(canvas.getContext('2d', { alpha: false }), MOMENT, 0.5);
  const raw = sharp(canvas.data(), { raw: { width, height, channels: 4 } }).removeAlpha();
  switch (spec.format) {
    case 'png':
      return raw.png({ compressionLevel: 6 }).toBuffer();
    case 'jpeg':
      return raw.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer();
    case 'webp':
      return raw.webp({ quality: 92 }).toBuffer();
  }
}
