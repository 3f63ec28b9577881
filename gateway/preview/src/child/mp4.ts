import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { frameRate, type PixelSize } from '../spec.ts';
import type { EncodedSound } from './sound.ts';
import { colorSpace, type EncodedVideo } from './video.ts';

/** Muxes encoded video and optional sound into an MP4 that can play while loading. */
export async function muxMp4(
  size: PixelSize,
  video: EncodedVideo,
  sound: EncodedSound | null,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const videoTrack = new EncodedVideoPacketSource('avc');
  const soundTrack = sound === null ? null : new EncodedAudioPacketSource('aac');
  output.addVideoTrack(videoTrack, { frameRate });
  if (soundTrack) output.addAudioTrack(soundTrack);
  await output.start();

  const decoderConfig = {
    ...video.config,
    codedWidth: size.width,
    codedHeight: size.height,
    colorSpace,
  };
  const soundPackets = [...(sound?.packets ?? [])];
  /** Interleaves the sound with its frames. */
  const addSoundUntil = async (seconds: number) => {
    while (soundTrack && sound && (soundPackets[0]?.timestamp ?? Infinity) <= seconds) {
      const packet = soundPackets.shift();
      if (packet) await soundTrack.add(packet, { decoderConfig: sound.config });
    }
  };
  for (const packet of video.packets) {
    await addSoundUntil(packet.timestamp);
    await videoTrack.add(packet, { decoderConfig });
  }
  await addSoundUntil(Number.MAX_VALUE);
  await output.finalize();
  if (target.buffer === null) throw new Error('the muxer made no file');
  return clearTimes(new Uint8Array(target.buffer));
}

/** Relevant container boxes, and boxes with times (ISO/IEC 14496-12, section 8). */
const parentBoxes = new Set(['moov', 'trak', 'mdia']);
const timedBoxes = new Set(['mvhd', 'tkhd', 'mdhd']);

/**
 * Sets creation and modification times in an MP4's headers to zero ("unknown"), in place, so that equal renders
 * are equal files.
 */
function clearTimes(mp4: Uint8Array): Uint8Array {
  clearWithin(new DataView(mp4.buffer, mp4.byteOffset, mp4.byteLength), 0, mp4.byteLength);
  return mp4;
}

function clearWithin(view: DataView, from: number, to: number): void {
  for (let at = from; at + 8 <= to;) {
    const size = view.getUint32(at);
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    // Sizes of 0 and 1 (to the end, 64 bits) only occur on media data, which comes last.
    if (size < 8) return;
    if (parentBoxes.has(type)) clearWithin(view, at + 8, at + size);
    if (timedBoxes.has(type)) {
      // Version and flags, then two times of 32 bits, or of 64 in version 1.
      const timesLength = view.getUint8(at + 8) === 1 ? 16 : 8;
      for (let offset = 0; offset < timesLength; offset += 1) view.setUint8(at + 12 + offset, 0);
    }
    at += size;
  }
}
