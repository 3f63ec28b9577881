import { join } from 'node:path';
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import sharp from 'sharp';

/** An ordered film. */
export interface OrderedFilm {
  width: number;
  height: number;
  seconds: number;
  sound: boolean;
  /** Whether its track has no sound. */
  isSilent?: boolean;
}

/** An order with a model's defaults, and the default size of a picture. */
export const usualFilm: OrderedFilm = { width: 1280, height: 720, seconds: 5, sound: false };
export const usualSide = 1024;

const fps = 24;

const films = new Map<string, Promise<Buffer>>();
const pictures = new Map<string, Promise<Buffer>>();

/**
 * A small MP4 of this size, length and sound, by default as ordered by a model's defaults: the frames of
 * sampleVideo.mp4 over and over, under their own header.
 */
export function sampleFilm(order = usualFilm): Promise<Buffer> {
  return madeOnce(films, JSON.stringify(order), () => muxFilm(order));
}

/** A picture of this size, two colours side by side; by default as ordered by a model's defaults. */
export function samplePicture(width = usualSide, height = width): Promise<Buffer> {
  const background = { r: 40, g: 90, b: 120 };
  const left = {
    width: Math.ceil(width / 2),
    height,
    channels: 3,
    background: { ...background, r: 200 },
  } as const;
  return madeOnce(pictures, `${width}x${height}`, () =>
    sharp({ create: { width, height, channels: 3, background } })
      .composite([{ input: { create: left }, left: 0, top: 0 }])
      .png()
      .toBuffer(),
  );
}

function madeOnce(
  made: Map<string, Promise<Buffer>>,
  key: string,
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

/** AAC-LC of 48 kHz and one channel, and a silent frame of it. */
const silence = {
  config: {
    codec: 'mp4a.40.2',
    sampleRate: 48_000,
    numberOfChannels: 1,
    description: new Uint8Array([0x11, 0x88]),
  },
  frame: new Uint8Array([0x01, 0x18, 0x20, 0x07]),
};

async function muxFilm({ width, height, seconds, sound, isSilent }: OrderedFilm): Promise<Buffer> {
  const path = join(import.meta.dirname, 'fakeArk/sampleVideo.mp4');
  using input = new Input({ formats: [MP4], source: new FilePathSource(path) });
  const source = await input.getPrimaryVideoTrack();
  const config = await source?.getDecoderConfig();
  if (!source || !config) throw new Error('sampleVideo.mp4 has no video');
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(source).packets()) packets.push(packet);
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video);
  const audio = sound ? new EncodedAudioPacketSource('aac') : null;
  if (audio) output.addAudioTrack(audio);
  await output.start();
  const frames = Math.ceil(seconds * fps);
  const every = seconds / frames;
  const decoderConfig = { ...config, codedWidth: width, codedHeight: height };
  // One packet alone does not show that a track is silent.
  const parts = isSilent ? frames : 1;
  for (let part = 0; part < parts; part += 1) {
    const length = seconds / parts;
    const packet = new EncodedPacket(silence.frame, 'key', part * length, length);
    await audio?.add(packet, { decoderConfig: silence.config });
  }
  for (let frame = 0; frame < frames; frame += 1) {
    const { data, type } = packets[frame % packets.length] ?? {};
    if (!data || !type) throw new Error('sampleVideo.mp4 has no frames');
    await video.add(new EncodedPacket(data, type, frame * every, every), { decoderConfig });
  }
  await output.finalize();
  if (target.buffer === null) throw new Error('the muxer made no file');
  return Buffer.from(target.buffer);
}
