import { createHash } from 'node:crypto';
import * as codecs from '@napi-rs/webcodecs';
import {
  AdtsOutputFormat,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MkvOutputFormat,
  MovOutputFormat,
  Mp3OutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

/** One encoded packet; times in seconds. */
export interface Packet {
  data: Uint8Array;
  type: 'key' | 'delta';
  timestamp: number;
  duration: number;
  meta: codecs.EncodedVideoChunkMetadata | codecs.EncodedAudioChunkMetadata | undefined;
}

type Chunk = codecs.EncodedVideoChunk | codecs.EncodedAudioChunk;

const packetOf = (chunk: Chunk, meta: Packet['meta']): Packet => {
  const data = new Uint8Array(chunk.byteLength);
  chunk.copyTo(data);
  const { type, timestamp, duration } = chunk;
  return { data, type, timestamp: timestamp / 1e6, duration: (duration ?? 0) / 1e6, meta };
};

const videoCodecs = {
  avc: 'avc1.42001E',
  'avc high': 'avc1.64001E',
  hevc: 'hvc1.1.6.L93.B0',
  vp8: 'vp8',
} as const;
const fps = 24;

type Brightness = (row: number, frame: number) => number;

const movingStripes: Brightness = (row, frame) => ((row + frame) * 8) % 255;

/** Encodes moving stripes, or rows of other brightness (0 to 255), 24 frames a second. */
export async function encodeStripes(
  codec: keyof typeof videoCodecs,
  seconds: number,
  [width, height]: readonly [width: number, height: number] = [160, 90],
  brightness = movingStripes,
): Promise<Packet[]> {
  const packets: Packet[] = [];
  const encoder = new codecs.VideoEncoder({
    output: (chunk, meta) => packets.push(packetOf(chunk, meta)),
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({
    codec: videoCodecs[codec],
    width,
    height,
    bitrate: 200_000,
    framerate: fps,
    ...(codec.startsWith('avc') && { avc: { format: 'avc' as const } }),
    ...(codec === 'hevc' && { hevc: { format: 'hevc' as const } }),
  });
  for (let frame = 0; frame < seconds * fps; frame += 1) {
    const picture = new Uint8Array((width * height * 3) / 2).fill(128);
    for (let row = 0; row < height; row += 1) {
      picture.fill(brightness(row, frame), row * width, (row + 1) * width);
    }
    const data = new codecs.VideoFrame(picture, {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      timestamp: Math.round((frame * 1e6) / fps),
      duration: Math.round(1e6 / fps),
    });
    encoder.encode(data, { keyFrame: frame % fps === 0 });
    data.close();
  }
  await encoder.flush();
  return packets;
}

const audioCodecs = { aac: 'mp4a.40.2', mp3: 'mp3', 'pcm-s16': 'pcm-s16' } as const;
const sampleRate = 44_100;

/** Encodes a tone of 440 Hz, or with an amplitude of 0 silence, stereo, 44.1 kHz. */
export async function encodeTone(
  codec: keyof typeof audioCodecs,
  seconds: number,
  amplitude = 1,
): Promise<Packet[]> {
  const frames = Math.round(seconds * sampleRate);
  const wave = Float32Array.from(
    { length: frames },
    (_, place) => amplitude * Math.sin((place * 440 * 2 * Math.PI) / sampleRate),
  );
  if (codec === 'pcm-s16') {
    const data = new Int16Array(frames * 2);
    for (const [place, value] of wave.entries()) {
      data.fill(value * 30_000, place * 2, place * 2 + 2);
    }
    const config = { codec, sampleRate, numberOfChannels: 2 };
    return [
      {
        data: new Uint8Array(data.buffer),
        type: 'key',
        timestamp: 0,
        duration: seconds,
        meta: { decoderConfig: config },
      },
    ];
  }
  const packets: Packet[] = [];
  const encoder = new codecs.AudioEncoder({
    output: (chunk, meta) => packets.push(packetOf(chunk, meta)),
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({
    codec: audioCodecs[codec],
    sampleRate,
    numberOfChannels: 2,
    bitrate: 96_000,
  });
  const both = new Float32Array(frames * 2);
  both.set(wave);
  both.set(wave, frames);
  const data = new codecs.AudioData({
    format: 'f32-planar',
    sampleRate,
    numberOfFrames: frames,
    numberOfChannels: 2,
    timestamp: 0,
    data: both,
  });
  encoder.encode(data);
  data.close();
  await encoder.flush();
  return packets;
}

const formats = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  'mp4, moov last': () => new Mp4OutputFormat({ fastStart: false }),
  'mp4, fragmented': () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  mov: () => new MovOutputFormat(),
  webm: () => new WebMOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  mp3: () => new Mp3OutputFormat(),
  wav: () => new WavOutputFormat(),
  aac: () => new AdtsOutputFormat(),
} as const satisfies Record<string, () => OutputFormat>;

/** Containers written by `mux`. */
export type Container = keyof typeof formats;

/** Puts packets into a container, as a provider or a customer's tool would, with tags and track names. */
export async function mux(
  container: Container,
  tracks: {
    video?: { codec: 'avc' | 'hevc' | 'vp8'; packets: Packet[] };
    audio?: { codec: 'aac' | 'mp3' | 'pcm-s16'; packets: Packet[] };
  },
  tags: Record<string, string> = {},
): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: formats[container](), target });
  const named = Object.keys(tags).length > 0 ? { name: 'Secretvendor track' } : {};
  const video = tracks.video && new EncodedVideoPacketSource(tracks.video.codec);
  const audio = tracks.audio && new EncodedAudioPacketSource(tracks.audio.codec);
  if (video) output.addVideoTrack(video, { frameRate: fps, ...named });
  if (audio) output.addAudioTrack(audio, named);
  if (Object.keys(tags).length > 0) output.setMetadataTags(tags);
  await output.start();
  for (const { data, type, timestamp, duration, meta } of tracks.video?.packets ?? []) {
    const packet = new EncodedPacket(data, type, timestamp, duration || 1 / fps);
    await video?.add(packet, meta);
  }
  for (const { data, type, timestamp, duration, meta } of tracks.audio?.packets ?? []) {
    const packet = new EncodedPacket(data, type, timestamp, duration);
    await audio?.add(packet, meta as Parameters<EncodedAudioPacketSource['add']>[1]);
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}

/** Decodes all frames of an MP4 with H.264 or H.265; returns one digest each. */
export async function decodeFrames(file: Uint8Array): Promise<string[]> {
  using input = new Input({ formats: [MP4], source: new BufferSource(file) });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  if (!track || !config) throw new Error('no video');
  const frames: Promise<string>[] = [];
  const decoder = new codecs.VideoDecoder({
    output: (frame) => {
      const pixels = new Uint8Array(frame.allocationSize());
      const digest = frame.copyTo(pixels).then(() => {
        frame.close();
        return createHash('sha256').update(pixels).digest('hex');
      });
      frames.push(digest);
    },
    error: (error) => {
      throw error;
    },
  });
  decoder.configure(config as codecs.VideoDecoderConfig);
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const { type, data, timestamp, duration } = packet;
    const times = { timestamp: Math.round(timestamp * 1e6), duration: Math.round(duration * 1e6) };
    decoder.decode(new codecs.EncodedVideoChunk({ type, data, ...times }));
  }
  await decoder.flush();
  return await Promise.all(frames);
}
