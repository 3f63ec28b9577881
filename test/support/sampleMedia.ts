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
}

/** An order with a model's defaults, and the default size of a picture. */
export const usualFilm: OrderedFilm = { width: 1280, height: 720, seconds: 5, sound: false };
export const usualSide = 1024;

const films = new Map<string, Promise<Buffer>>();
const pictures = new Map<string, Promise<Buffer>>();

/**
 * A small MP4 of this size, length and sound, by default as ordered by a model's defaults: the frames of
 * sampleVideo.mp4 under their own header.
 */
export function sampleFilm(order = usualFilm): Promise<Buffer> {
  return madeOnce(films, JSON.stringify(order), () => muxFilm(order));
}

/** A picture of this size in one colour; by default as ordered by a model's defaults. */
export function samplePicture(
  width = usualSide,
  height = width,
  format: 'png' | 'jpeg' | 'webp' = 'png',
): Promise<Buffer> {
  const background = { r: 40, g: 90, b: 120 };
  return madeOnce(pictures, `${width}x${height} ${format}`, () =>
    sharp({ create: { width, height, channels: 3, background } })
      .toFormat(format)
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

async function muxFilm({ width, height, seconds, sound }: OrderedFilm): Promise<Buffer> {
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
  const every = seconds / packets.length;
  const decoderConfig = { ...config, codedWidth: width, codedHeight: height };
  await audio?.add(new EncodedPacket(silence.frame, 'key', 0, seconds), {
    decoderConfig: silence.config,
  });
  for (const [index, { data, type }] of packets.entries()) {
    await video.add(new EncodedPacket(data, type, index * every, every), { decoderConfig });
  }
  await output.finalize();
  if (target.buffer === null) throw new Error('the muxer made no file');
  return Buffer.from(target.buffer);
}
