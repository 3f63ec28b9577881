import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Canvas } from '@napi-rs/canvas';
import type { InputSpec, RenderSpec } from '../renderSpec.ts';
import type { PixelSize } from '../videoSize.ts';
import { composePicture, ZOOM, type DrawAt } from './composePicture.ts';
import { decodePicture } from './decodePicture.ts';
import type { Reference } from './drawCard.ts';
import { renderImage } from './renderImage.ts';
import { drawnSize, renderVideo } from './renderVideo.ts';

/** References are shown small: no more of them is kept than this, pixels. */
const REFERENCE_SIDE_MAX = 1280;

/**
 * Renders the request in a folder (`spec.json` and its inputs) and returns the names of the files that
 * it wrote to the output folder.
 *
 * @throws RenderFailure when an input cannot be drawn
 */
export async function renderRequest(folder: string, outputFolder: string): Promise<string[]> {
  const spec = JSON.parse(await readFile(path.join(folder, 'spec.json'), 'utf8')) as RenderSpec;
  const asked = { width: spec.width, height: spec.height };
  const size = spec.kind === 'video' ? drawnSize(asked) : asked;
  const compose = await readCompositions(spec, size, folder);
  const write = async (name: string, bytes: Uint8Array) => {
    await writeFile(path.join(outputFolder, name), bytes);
    return name;
  };
  if (spec.kind === 'video') {
    return [await write('video.mp4', await renderVideo(spec, compose(spec.seed)))];
  }
  const names: string[] = [];
  for (let index = 0; index < spec.count; index += 1) {
    const image = await renderImage(spec, compose(spec.seed + index));
    names.push(await write(`image-${String(index)}.${spec.format}`, image));
  }
  return names;
}

/** Decodes the inputs once and returns what composes a picture of them with a seed. */
async function readCompositions(
  spec: RenderSpec,
  size: PixelSize,
  folder: string,
): Promise<(seed: number) => DrawAt> {
  const frameSize = { width: Math.ceil(size.width * ZOOM), height: Math.ceil(size.height * ZOOM) };
  const cardSize = {
    width: Math.min(size.width, REFERENCE_SIDE_MAX),
    height: Math.min(size.height, REFERENCE_SIDE_MAX),
  };
  let firstFrame: Canvas | null = null;
  let lastFrame: Canvas | null = null;
  const references: Reference[] = [];
  for (const input of spec.inputs) {
    const bytes = await readInput(folder, input);
    if (bytes === null || input.media !== 'image') {
      references.push({ media: input.media === 'image' ? 'video' : input.media });
    } else if (input.role === 'reference') {
      references.push({ media: 'image', picture: await decodePicture(bytes, cardSize, 'inside') });
    } else {
      const picture = await decodePicture(bytes, frameSize, 'cover');
      if (input.role === 'first_frame') firstFrame = picture;
      else lastFrame = picture;
    }
  }
  return (seed) =>
    composePicture({ prompt: spec.prompt, seed, size, firstFrame, lastFrame, references });
}

async function readInput(folder: string, input: InputSpec): Promise<Uint8Array | null> {
  return input.file === null ? null : readFile(path.join(folder, input.file));
}
