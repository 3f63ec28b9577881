import {
  ADTS,
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP3,
  MP4,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import type { MediaFormat } from '@framegate/contract/mediaFormats';
import { lookAtFilm } from './looks.ts';
import type { MediaVerdict } from './mediaTask.ts';
import { audioOnlyMp4 } from './sniffMedia.ts';

const invalid = (reason: string): MediaVerdict => ({ ok: false, reason });

/**
 * Inspects a video or audio file, in the child process, by its container, without decoding. The duration is the
 * end of the last packet of any track, whatever a header claims.
 * @param isResult Whether it is also measured what it shows and plays.
 */
export async function inspectAudioVideo(
  path: string,
  type: 'video' | 'audio',
  sniffed: MediaFormat,
  isResult = false,
): Promise<MediaVerdict> {
  using input = new Input({
    formats: [MP4, QTFF, WEBM, MP3, WAVE, ADTS],
    source: new FilePathSource(path),
  });
  if (!(await input.canRead())) return invalid(`${sniffed.mediaType} that cannot be read`);
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  const track = type === 'video' ? video : audio;
  if (!track) return invalid(`no ${type} track`);
  if (type === 'audio' && video) return invalid('a video where audio is asked for');
  if ((await track.getCodec()) === null) return invalid(`${type} of an unknown codec`);
  // Reads the last packets themselves: the tables at the start do not show that a file is truncated.
  for (const each of [video, audio]) {
    if (each && !(await new EncodedPacketSink(each).getPacket(Infinity)))
      return invalid('cut short');
  }
  const seconds = Math.round((await input.computeDuration()) * 1000) / 1000;
  if (!(seconds > 0 && seconds < 1e6)) return invalid(`lasts ${seconds} s`);
  const { mediaType, extension } =
    type === 'audio' && sniffed.type === 'video or audio' ? audioOnlyMp4 : sniffed;
  const size = video && {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
  };
  // What cannot be looked at may still be whole.
  const looks = isResult && video && (await lookAtFilm(video, audio).catch(() => null));
  const sound = type === 'video' && { sound: audio !== null && !(looks && looks.isSilent) };
  return { ok: true, mediaType, extension, ...size, seconds, ...sound, ...(looks && { looks }) };
}
