import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { FRAME_RATE } from '../renderSpec.ts';
import type { PixelSize } from '../videoSize.ts';
import { clearTimes } from './clearTimes.ts';
import { COLOR_SPACE, type EncodedFrames } from './encodeFrames.ts';
import type { EncodedTone } from './encodeTone.ts';

/** Puts encoded frames, and a tone if there is one, into an MP4 that plays while it is still loading. */
export async function muxMp4(
  size: PixelSize,
  frames: EncodedFrames,
  tone: EncodedTone | null,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('avc');
  const audio = tone === null ? null : new EncodedAudioPacketSource('aac');
  output.addVideoTrack(video, { frameRate: FRAME_RATE });
  if (audio) output.addAudioTrack(audio);
  await output.start();

  const decoderConfig = {
    ...frames.config,
    codedWidth: size.width,
    codedHeight: size.height,
    colorSpace: COLOR_SPACE,
  };
  const sounds = [...(tone?.packets ?? [])];
  /** Sound goes in beside the picture that it belongs to. */
  const addSoundUntil = async (seconds: number) => {
    while (audio && tone && (sounds[0]?.timestamp ?? Infinity) <= seconds) {
      const sound = sounds.shift();
      if (sound) await audio.add(sound, { decoderConfig: tone.config });
    }
  };
  for (const packet of frames.packets) {
    await addSoundUntil(packet.timestamp);
    await video.add(packet, { decoderConfig });
  }
  await addSoundUntil(Number.MAX_VALUE);
  await output.finalize();
  if (target.buffer === null) throw new Error('the muxer made no file');
  return clearTimes(new Uint8Array(target.buffer));
}
