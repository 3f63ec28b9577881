import { AudioData, AudioEncoder } from '@napi-rs/webcodecs';
import { EncodedPacket } from 'mediabunny';
import { makeTone, SAMPLE_RATE } from './tone.ts';

/** Samples of one AAC-LC packet (ISO/IEC 14496-3). */
const PACKET_SAMPLES = 1024;
/** Samples that the encoder puts before the first one; the muxer's edit list skips them. */
const PRIMING_SAMPLES = PACKET_SAMPLES;

/** What the muxer needs to know of the encoded sound. */
export type EncodedTone = { readonly packets: EncodedPacket[]; readonly config: ToneConfig };
export type ToneConfig = {
  readonly codec: string;
  readonly sampleRate: number;
  readonly numberOfChannels: number;
  readonly description: Uint8Array;
};

/**
 * Encodes the tone of a prompt and seed as AAC-LC, exactly as long as asked: the packets begin with
 * the encoder's priming before zero, and the last one is cut to the end.
 */
export async function encodeTone(
  prompt: string,
  seed: number,
  seconds: number,
): Promise<EncodedTone> {
  const samples = Math.round(seconds * SAMPLE_RATE);
  const planes = makeTone(prompt, seed, samples);
  const chunks: Uint8Array[] = [];
  const state: { config: ToneConfig | null; failure: Error | null } = {
    config: null,
    failure: null,
  };
  const encoder = new AudioEncoder({
    output: (chunk, metadata) => {
      const found = metadata?.decoderConfig;
      if (found?.description instanceof Uint8Array) {
        state.config ??= {
          codec: found.codec,
          sampleRate: SAMPLE_RATE,
          numberOfChannels: planes.length,
          description: found.description,
        };
      }
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      chunks.push(data);
    },
    error: (error) => {
      state.failure ??= error;
    },
  });
  encoder.configure({
    codec: 'mp4a.40.2',
    sampleRate: SAMPLE_RATE,
    numberOfChannels: planes.length,
    bitrate: 96_000,
  });
  for (let from = 0; from < samples; from += SAMPLE_RATE) {
    const parts = planes.map((plane) => plane.subarray(from, from + SAMPLE_RATE));
    const length = parts[0]?.length ?? 0;
    const data = new Float32Array(length * parts.length);
    for (const [index, part] of parts.entries()) data.set(part, index * length);
    const audio = new AudioData({
      format: 'f32-planar',
      sampleRate: SAMPLE_RATE,
      numberOfFrames: length,
      numberOfChannels: parts.length,
      timestamp: Math.round((from * 1e6) / SAMPLE_RATE),
      data,
    });
    encoder.encode(audio);
    audio.close();
  }
  await encoder.flush();
  encoder.close();
  if (state.failure !== null) throw state.failure;
  const { config } = state;
  if (config === null) throw new Error('the sound encoder gave no configuration');
  const packets = chunks.flatMap((data, index) => {
    const start = index * PACKET_SAMPLES - PRIMING_SAMPLES;
    const length = Math.min(PACKET_SAMPLES, samples - start);
    if (length <= 0) return [];
    return [new EncodedPacket(data, 'key', start / SAMPLE_RATE, length / SAMPLE_RATE)];
  });
  return { packets, config };
}
