import { type EncodedVideoChunk, VideoEncoder, VideoFrame } from '@napi-rs/webcodecs';
import { EncodedPacket } from 'mediabunny';
import { frameRate, type PixelSize } from '../spec.ts';

/** BT.709 with limited range, which players expect for HD. */
export const colorSpace = {
  primaries: 'bt709',
  transfer: 'bt709',
  matrix: 'bt709',
  fullRange: false,
} as const;

/** Frames between key frames, to which players can seek. */
const framesPerKeyFrame = 2 * frameRate;
/** Maximum frames waiting for the encoder, which limits its memory. */
const maxQueuedFrames = 4;

/** 128, the chroma of grey, and a half for rounding, with 18 fraction bits. */
const chromaOffset = (128 << 18) + (1 << 17);

/** Encoded video with data for the muxer. */
export interface EncodedVideo {
  packets: EncodedPacket[];
  config: VideoConfig;
}

interface VideoConfig {
  codec: string;
  description: Uint8Array;
}

/**
 * Encodes frames as H.264. Frames are passed one by one in 4:2:0 at their drawn size; the encoder scales them to
 * the requested size.
 * @param draw Fills the planes of the frame with the given number.
 */
export async function encodeVideo(
  options: {
    drawn: PixelSize;
    encoded: PixelSize;
    frames: number;
    /** Whether a bitrate limits the file, because input pictures may be as detailed as noise. */
    limitsBitrate: boolean;
  },
  draw: (frame: number, planes: Uint8Array) => void,
): Promise<EncodedVideo> {
  const { drawn, encoded, frames, limitsBitrate } = options;
  const packets: EncodedPacket[] = [];
  const state: { config: VideoConfig | null; failure: Error | null } = {
    config: null,
    failure: null,
  };
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const decoderConfig = metadata?.decoderConfig;
      if (decoderConfig?.description) {
        state.config ??= {
          codec: decoderConfig.codec,
          description: asBytes(decoderConfig.description),
        };
      }
      packets.push(asPacket(chunk));
    },
    error: (error) => {
      state.failure ??= error;
    },
  });
  encoder.configure({
    codec: codecFor(encoded),
    ...encoded,
    framerate: frameRate,
    // Without inputs, quality is constant: the renderer's own calm scenes produce small files.
    ...(limitsBitrate
      ? { bitrateMode: 'variable', bitrate: bitrateFor(encoded) }
      : { bitrateMode: 'quantizer' }),
    latencyMode: 'quality',
    hardwareAcceleration: 'prefer-software',
    avc: { format: 'avc' },
  });
  const planes = new Uint8Array(i420Length(drawn.width, drawn.height));
  try {
    for (let number = 0; number < frames; number += 1) {
      draw(number, planes);
      const frame = new VideoFrame(planes, {
        format: 'I420',
        codedWidth: drawn.width,
        codedHeight: drawn.height,
        timestamp: microseconds(number),
        duration: microseconds(number + 1) - microseconds(number),
        colorSpace,
      });
      encoder.encode(frame, { keyFrame: number % framesPerKeyFrame === 0 });
      frame.close();
      do await waitForTurn();
      while (encoder.encodeQueueSize > maxQueuedFrames && state.failure === null);
      if (state.failure !== null) throw state.failure;
    }
    await encoder.flush();
    if (state.failure !== null) throw state.failure;
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
  const { config } = state;
  if (config === null || packets.length !== frames) {
    throw new Error(`the encoder made ${packets.length} of ${frames} frames`);
  }
  return { packets, config };
}

/** Sets exact times and durations: the encoder rounds times to microseconds and omits durations. */
function asPacket(chunk: EncodedVideoChunk): EncodedPacket {
  const data = new Uint8Array(chunk.byteLength);
  chunk.copyTo(data);
  const number = Math.round((chunk.timestamp * frameRate) / 1e6);
  return new EncodedPacket(data, chunk.type, number / frameRate, 1 / frameRate);
}

function microseconds(frame: number): number {
  return Math.round((frame * 1e6) / frameRate);
}

/** High profile at the lowest level that supports the frame (ITU-T H.264, table A-1, at 24 frames per second). */
function codecFor({ width, height }: PixelSize): string {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  const level =
    blocks <= 3600
      ? '1f'
      : blocks <= 5120
        ? '20'
        : blocks <= 8192
          ? '28'
          : blocks <= 22_080
            ? '32'
            : '33';
  return `avc1.6400${level}`;
}

/** Bits per second: 3 million at 720p, growing more slowly than the area, because scaled pictures are smooth. */
function bitrateFor({ width, height }: PixelSize): number {
  return Math.round(3_000_000 * ((width * height) / (1280 * 720)) ** 0.75);
}

function asBytes(source: ArrayBuffer | ArrayBufferView | SharedArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

function waitForTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Bytes of a 4:2:0 frame with even sides. */
export function i420Length(width: number, height: number): number {
  return (width * height * 3) / 2;
}

/**
 * Converts opaque RGBA pixels to planes of Y, U and V at 4:2:0 in BT.709 with limited range (ITU-R BT.709-6,
 * section 3: Y 16 to 235, chroma 16 to 240). Each chroma sample is the mean of four pixels. Integer arithmetic
 * with 16 fraction bits gives the same result on every machine.
 */
export function convertToI420(
  rgba: Uint8Array,
  width: number,
  height: number,
  into: Uint8Array,
): void {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const half = width >> 1;
  const uStart = width * height;
  const vStart = uStart + half * (height >> 1);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0, top = y * width, low = top + width; x < width; x += 2, top += 2, low += 2) {
      // Little endian: red is the lowest byte. Indices are in range, `?? 0` is for the compiler.
      const a = pixels[top] ?? 0;
      const b = pixels[top + 1] ?? 0;
      const c = pixels[low] ?? 0;
      const d = pixels[low + 1] ?? 0;
      into[top] = luma(a);
      into[top + 1] = luma(b);
      into[low] = luma(c);
      into[low + 1] = luma(d);
      const red = (a & 255) + (b & 255) + (c & 255) + (d & 255);
      const green = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
      const blue = ((a >> 16) & 255) + ((b >> 16) & 255) + ((c >> 16) & 255) + ((d >> 16) & 255);
      const place = (y >> 1) * half + (x >> 1);
      // The sums of four pixels take two of the fraction bits.
      into[uStart + place] = (-6596 * red - 22189 * green + 28785 * blue + chromaOffset) >> 18;
      into[vStart + place] = (28785 * red - 26145 * green - 2640 * blue + chromaOffset) >> 18;
    }
  }
}

function luma(pixel: number): number {
  return (
    (11966 * (pixel & 255) +
      40254 * ((pixel >> 8) & 255) +
      4064 * ((pixel >> 16) & 255) +
      (16 << 16) +
      (1 << 15)) >>
    16
  );
}
