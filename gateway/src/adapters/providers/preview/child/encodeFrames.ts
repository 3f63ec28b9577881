import { VideoEncoder, VideoFrame, type EncodedVideoChunk } from '@napi-rs/webcodecs';
import { EncodedPacket } from 'mediabunny';
import { FRAME_RATE } from '../renderSpec.ts';
import type { PixelSize } from '../videoSize.ts';
import { i420Length } from './i420.ts';

/** BT.709 with limited range, what every player expects of HD. */
export const COLOR_SPACE = {
  primaries: 'bt709',
  transfer: 'bt709',
  matrix: 'bt709',
  fullRange: false,
} as const;

/** A frame that can be sought to, every two seconds. */
const KEY_FRAME_EVERY = 2 * FRAME_RATE;
/** Frames that may wait for the encoder: bounds the memory. */
const WAITING_MAX = 4;

/** What the muxer needs to know of the encoded stream. */
export type EncodedFrames = { readonly packets: EncodedPacket[]; readonly config: DecoderConfig };
type DecoderConfig = { readonly codec: string; readonly description: Uint8Array };

/**
 * Encodes frames as H.264. They are handed over one by one in 4:2:0 at the size that they were drawn
 * in; the encoder scales them to the size that was asked for.
 *
 * @param draw fills the planes of the frame with the given number
 */
export async function encodeFrames(
  options: {
    readonly drawn: PixelSize;
    readonly encoded: PixelSize;
    readonly frames: number;
    /** Pictures of others may be as busy as noise: their size is bounded by a bitrate. */
    readonly boundSize: boolean;
  },
  draw: (frame: number, planes: Uint8Array) => void,
): Promise<EncodedFrames> {
  const { drawn, encoded, frames, boundSize } = options;
  const packets: EncodedPacket[] = [];
  const state: { config: DecoderConfig | null; failure: Error | null } = {
    config: null,
    failure: null,
  };
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const found = metadata?.decoderConfig;
      if (found?.description) {
        state.config ??= { codec: found.codec, description: asBytes(found.description) };
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
    framerate: FRAME_RATE,
    // Else the quality is held: our own calm scenes make small files that way.
    ...(boundSize
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
        colorSpace: COLOR_SPACE,
      });
      encoder.encode(frame, { keyFrame: number % KEY_FRAME_EVERY === 0 });
      frame.close();
      do await nextTurn();
      while (encoder.encodeQueueSize > WAITING_MAX && state.failure === null);
      if (state.failure !== null) throw state.failure;
    }
    await encoder.flush();
    if (state.failure !== null) throw state.failure;
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
  const { config } = state;
  if (config === null || packets.length !== frames) {
    throw new Error(`the encoder made ${String(packets.length)} of ${String(frames)} frames`);
  }
  return { packets, config };
}

/** The encoder rounds times to microseconds and forgets durations: both are given exactly here. */
function asPacket(chunk: EncodedVideoChunk): EncodedPacket {
  const data = new Uint8Array(chunk.byteLength);
  chunk.copyTo(data);
  const number = Math.round((chunk.timestamp * FRAME_RATE) / 1e6);
  return new EncodedPacket(data, chunk.type, number / FRAME_RATE, 1 / FRAME_RATE);
}

function microseconds(frame: number): number {
  return Math.round((frame * 1e6) / FRAME_RATE);
}

/** High profile at the lowest level that holds the frame (ITU-T H.264, table A-1, at 24 frames a second). */
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

/** Bits per second: 3 million at 720p, growing slower than the picture, as scaled pictures are smooth. */
function bitrateFor({ width, height }: PixelSize): number {
  return Math.round(3_000_000 * ((width * height) / (1280 * 720)) ** 0.75);
}

function asBytes(source: ArrayBuffer | ArrayBufferView | SharedArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
