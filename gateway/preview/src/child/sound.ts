import { AudioData, AudioEncoder } from '@napi-rs/webcodecs';
import { EncodedPacket } from 'mediabunny';
import { between, pick, seededRandom } from './random.ts';

/** Samples per second and channel. */
export const sampleRate = 48_000;
/** Samples of one AAC-LC packet (ISO/IEC 14496-3). */
const packetSamples = 1024;
/** Priming samples of the encoder, which the muxer's edit list skips. */
const primingSamples = packetSamples;

/** Consonant chords in semitones above the root. */
const chords: readonly [readonly number[], ...(readonly number[])[]] = [
  [0, 7, 12, 16],
  [0, 7, 12, 14],
  [0, 5, 12, 16],
  [0, 7, 15, 19],
];
/** A pentatonic scale, in which any two notes harmonise. */
const scale: readonly [number, ...number[]] = [0, 2, 4, 7, 9];

/** Fade at both ends, in seconds. */
const fadeSeconds = 0.6;

/** Encoded sound with data for the muxer. */
export interface EncodedSound {
  packets: EncodedPacket[];
  config: SoundConfig;
}

interface SoundConfig {
  codec: string;
  sampleRate: number;
  numberOfChannels: number;
  description: Uint8Array;
}

/**
 * Generates the sound of a prompt and seed and encodes it as AAC-LC with exactly the requested length. The packets
 * start with the encoder's priming before zero, and the last one is shortened.
 */
export async function encodeSound(
  prompt: string,
  seed: number,
  seconds: number,
): Promise<EncodedSound> {
  const samples = Math.round(seconds * sampleRate);
  const planes = makeTone(prompt, seed, samples);
  const chunks: Uint8Array[] = [];
  const state: { config: SoundConfig | null; failure: Error | null } = {
    config: null,
    failure: null,
  };
  const encoder = new AudioEncoder({
    output: (chunk, metadata) => {
      const decoderConfig = metadata?.decoderConfig;
      if (decoderConfig?.description instanceof Uint8Array) {
        state.config ??= {
          codec: decoderConfig.codec,
          sampleRate,
          numberOfChannels: planes.length,
          description: decoderConfig.description,
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
    sampleRate,
    numberOfChannels: planes.length,
    bitrate: 96_000,
  });
  for (let from = 0; from < samples; from += sampleRate) {
    const parts = planes.map((plane) => plane.subarray(from, from + sampleRate));
    const length = parts[0]?.length ?? 0;
    const data = new Float32Array(length * parts.length);
    for (const [index, part] of parts.entries()) data.set(part, index * length);
    const audio = new AudioData({
      format: 'f32-planar',
      sampleRate,
      numberOfFrames: length,
      numberOfChannels: parts.length,
      timestamp: Math.round((from * 1e6) / sampleRate),
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
    const start = index * packetSamples - primingSamples;
    const length = Math.min(packetSamples, samples - start);
    if (length <= 0) return [];
    return [new EncodedPacket(data, 'key', start / sampleRate, length / sampleRate)];
  });
  return { packets, config };
}

/**
 * A soft stereo chord with a few bell notes, derived from the prompt's seed: two planes of samples from -1 to 1,
 * at most about -14 dB.
 */
export function makeTone(
  prompt: string,
  seed: number,
  samples: number,
): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
  const random = seededRandom(prompt, seed, 'tone');
  const root = 110 * 2 ** (Math.floor(between(random, 0, 8)) / 12);
  const voices = pick(random, chords).map((step) => ({
    turn: (2 * Math.PI * root * 2 ** (step / 12)) / sampleRate,
    sway: (2 * Math.PI * between(random, 0.08, 0.22)) / sampleRate,
    phase: between(random, 0, 2 * Math.PI),
    pan: between(random, 0.3, 0.7),
    loud: 0.03 / (1 + step / 12),
  }));
  const planes: [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] = [
    new Float32Array(samples),
    new Float32Array(samples),
  ];
  const [left, right] = planes;
  for (const { turn, sway, phase, pan, loud } of voices) {
    for (let at = 0; at < samples; at += 1) {
      const value = Math.sin(at * turn) * loud * (0.72 + 0.28 * Math.sin(at * sway + phase));
      left[at] = (left[at] ?? 0) + value * (1 - pan);
      right[at] = (right[at] ?? 0) + value * pan;
    }
  }
  addBells(planes, root * 4, random);
  const fade = Math.min(fadeSeconds * sampleRate, samples / 2);
  for (const plane of planes) {
    for (let at = 0; at < samples; at += 1) {
      const near = Math.min(1, (at + 1) / fade, (samples - at) / fade);
      plane[at] = (plane[at] ?? 0) * (0.5 - 0.5 * Math.cos(Math.PI * near));
    }
  }
  return planes;
}

function addBells(
  [left, right]: readonly [Float32Array, Float32Array],
  root: number,
  random: () => number,
): void {
  const every = Math.round(between(random, 0.9, 1.3) * sampleRate);
  const length = Math.round(1.8 * sampleRate);
  for (let start = Math.round(0.35 * sampleRate); start < left.length; start += every) {
    const turn = (2 * Math.PI * root * 2 ** (pick(random, scale) / 12)) / sampleRate;
    const pan = between(random, 0.2, 0.8);
    for (let at = 0; at < length && start + at < left.length; at += 1) {
      const strike = Math.min(1, at / 480) * Math.exp(-at / (0.38 * sampleRate));
      const value = (Math.sin(at * turn) + 0.2 * Math.sin(at * turn * 2)) * strike * 0.028;
      left[start + at] = (left[start + at] ?? 0) + value * (1 - pan);
      right[start + at] = (right[start + at] ?? 0) + value * pan;
    }
  }
}
