import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import {
  frameRate,
  type ImageSpec,
  type PixelSize,
  type RenderSpec,
  type VideoSpec,
} from '../spec.ts';
import type { Reference } from './cards.ts';
import { composePicture, type DrawAt, zoom } from './composePicture.ts';
import { decodePicture } from './decodePicture.ts';
import { muxMp4 } from './mp4.ts';
import { encodeSound } from './sound.ts';
import { convertToI420, encodeVideo } from './video.ts';

/** Maximum short side of drawn frames, in pixels; the encoder scales them up. */
const maxShortSidePixels = 720;
/** Maximum decoded size of references, which are shown small, in pixels. */
const maxReferenceSidePixels = 1280;
/** Moment of a scene in an image, in seconds. */
const imageMomentSeconds = 2;

/**
 * Renders the request in a folder (`spec.json` and its inputs) and returns the names of the files in the output folder.
 * @throws RenderError if an input cannot be drawn.
 */
export async function render(folder: string, outputFolder: string): Promise<string[]> {
  const spec = JSON.parse(await readFile(join(folder, 'spec.json'), 'utf8')) as RenderSpec;
  const compose = await decodeInputs(spec, folder);
  const write = async (name: string, bytes: Uint8Array) => {
    await writeFile(join(outputFolder, name), bytes);
    return name;
  };
  if (spec.kind === 'video') {
    return [await write('video.mp4', await renderVideo(spec, compose(spec.seed)))];
  }
  const names: string[] = [];
  for (let index = 0; index < spec.count; index += 1) {
    const image = await renderImage(spec, compose(spec.seed + index));
    names.push(await write(`image-${index}.${spec.format}`, image));
  }
  return names;
}

/** Decodes the inputs once and returns the function that composes a picture with a seed. */
async function decodeInputs(spec: RenderSpec, folder: string): Promise<(seed: number) => DrawAt> {
  const size = spec.kind === 'video' ? drawnSize(spec) : { width: spec.width, height: spec.height };
  const frameSize = { width: Math.ceil(size.width * zoom), height: Math.ceil(size.height * zoom) };
  const cardSize = {
    width: Math.min(size.width, maxReferenceSidePixels),
    height: Math.min(size.height, maxReferenceSidePixels),
  };
  let firstFrame: Canvas | null = null;
  let lastFrame: Canvas | null = null;
  const references: Reference[] = [];
  for (const { role, media, file } of spec.inputs) {
    if (file === null || media !== 'image') {
      references.push({ media: media === 'image' ? 'video' : media });
      continue;
    }
    const bytes = await readFile(join(folder, file));
    if (role === 'reference') {
      references.push({ media, picture: await decodePicture(bytes, cardSize, 'inside') });
    } else {
      const picture = await decodePicture(bytes, frameSize, 'cover');
      if (role === 'first_frame') firstFrame = picture;
      else lastFrame = picture;
    }
  }
  return (seed) =>
    composePicture({ prompt: spec.prompt, seed, size, firstFrame, lastFrame, references });
}

/** Size of drawn frames: the same aspect ratio, with even sides. */
function drawnSize({ width, height }: PixelSize): PixelSize {
  const scale = Math.min(1, maxShortSidePixels / Math.min(width, height));
  const even = (side: number) => Math.round((side * scale) / 2) * 2;
  return { width: even(width), height: even(height) };
}

/** Draws and encodes a video. @returns The bytes of the MP4. */
async function renderVideo(spec: VideoSpec, drawAt: DrawAt): Promise<Uint8Array> {
  const size = { width: spec.width, height: spec.height };
  const drawn = drawnSize(size);
  const canvas = createCanvas(drawn.width, drawn.height);
  const context = canvas.getContext('2d', { alpha: false });
  const last = Math.max(1, spec.frames - 1);
  const limitsBitrate = spec.inputs.some(({ file }) => file !== null);
  const video = await encodeVideo(
    { drawn, encoded: size, frames: spec.frames, limitsBitrate },
    (number, planes) => {
      drawAt(context, number / frameRate, number / last);
      convertToI420(canvas.data(), drawn.width, drawn.height, planes);
    },
  );
  const sound = spec.audio
    ? await encodeSound(spec.prompt, spec.seed, spec.frames / frameRate)
    : null;
  return muxMp4(size, video, sound);
}

/** Draws one image and encodes it in the format of the spec. */
async function renderImage(spec: ImageSpec, drawAt: DrawAt): Promise<Uint8Array> {
  const { width, height } = spec;
  const canvas = createCanvas(width, height);
  drawAt(canvas.getContext('2d', { alpha: false }), imageMomentSeconds, 0.5);
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
