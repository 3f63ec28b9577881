import { createCanvas } from '@napi-rs/canvas';
import { FRAME_RATE, type VideoSpec } from '../renderSpec.ts';
import type { PixelSize } from '../videoSize.ts';
import type { DrawAt } from './composePicture.ts';
import { encodeFrames } from './encodeFrames.ts';
import { encodeTone } from './encodeTone.ts';
import { rgbaToI420 } from './i420.ts';
import { muxMp4 } from './muxMp4.ts';

/** Frames are drawn no larger than this on their short side, pixels; the encoder scales them up. */
const DRAWN_SHORT_SIDE = 720;

/** The size that frames of an asked size are drawn in: the same shape, both sides even. */
export function drawnSize({ width, height }: PixelSize): PixelSize {
  const scale = Math.min(1, DRAWN_SHORT_SIDE / Math.min(width, height));
  const even = (side: number) => Math.round((side * scale) / 2) * 2;
  return { width: even(width), height: even(height) };
}

/** Draws and encodes a whole video: the MP4's bytes. */
export async function renderVideo(spec: VideoSpec, drawAt: DrawAt): Promise<Uint8Array> {
  const size = { width: spec.width, height: spec.height };
  const drawn = drawnSize(size);
  const canvas = createCanvas(drawn.width, drawn.height);
  const context = canvas.getContext('2d', { alpha: false });
  const last = Math.max(1, spec.frames - 1);
  const boundSize = spec.inputs.some(({ file }) => file !== null);
  const frames = await encodeFrames(
    { drawn, encoded: size, frames: spec.frames, boundSize },
    (number, planes) => {
      drawAt(context, number / FRAME_RATE, number / last);
      rgbaToI420(canvas.data(), drawn.width, drawn.height, planes);
    },
  );
  const tone = spec.audio
    ? await encodeTone(spec.prompt, spec.seed, spec.frames / FRAME_RATE)
    : null;
  return muxMp4(size, frames, tone);
}
