import { open } from 'node:fs/promises';
import {
  ADTS,
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputTrack,
  MATROSKA,
  MP3,
  MP4,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import type { MediaFormat } from '@framegate/contract/mediaFormats';
import { codecName } from './codecNames.ts';
import type { Contents, MeasuredTrack } from './measureMp4.ts';
import type { MediaVerdict } from './mediaTask.ts';
import { audioOnlyMp4, isIsoMedia } from './sniffMedia.ts';

const invalid = (reason: string): MediaVerdict => ({ ok: false, reason });

/** A verdict on the file, found while it is read. */
class UnusableError extends Error {
  override readonly name = 'UnusableError';
}

/**
 * Inspects a video or audio file, in the child process, by its container, without decoding. The duration is the
 * end of the last packet of any track, whatever a header claims. An MP4 or QuickTime file that the library cannot read
 * is measured by the tables of its samples.
 */
export async function inspectAudioVideo(
  path: string,
  type: 'video' | 'audio',
  sniffed: MediaFormat,
): Promise<MediaVerdict> {
  let contents: Contents;
  let oddity: string | undefined;
  try {
    contents = await readContents(path, sniffed);
  } catch (error) {
    if (error instanceof UnusableError) return invalid(error.message);
    if (!isIsoMedia(sniffed)) return invalid(`${sniffed.mediaType} that cannot be read`);
    contents = await surveyContents(path);
    oddity = `its reader failed: ${String(error).slice(0, 80)}`;
  }
  const { video, audio } = contents;
  const track = type === 'video' ? video : audio;
  if (!track) return invalid(`no ${type} track`);
  if (type === 'audio' && video) return invalid('a video where audio is asked for');
  if (track.codec === null) return invalid(`${type} in ${codecName(track.codecId)}`);
  const seconds = Math.round(contents.seconds * 1000) / 1000;
  if (!(seconds > 0 && seconds < 1e6)) return invalid(`lasts ${seconds} s`);
  const { mediaType, extension } =
    type === 'audio' && sniffed.type === 'video or audio' ? audioOnlyMp4 : sniffed;
  const { width, height } = video ?? {};
  const size = width !== undefined && height !== undefined && { width, height };
  const sound = type === 'video' && { sound: audio !== null };
  const oddities = oddity !== undefined && { oddities: [oddity] };
  return { ok: true, mediaType, extension, ...size, seconds, ...sound, ...oddities };
}

/** @throws UnusableError; Error of the library if it cannot read the file. */
async function readContents(path: string, { mediaType }: MediaFormat): Promise<Contents> {
  using input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, ADTS],
    source: new FilePathSource(path),
  });
  if (!(await input.canRead())) throw new Error(`${mediaType} that cannot be read`);
  if ((await input.getFormat()) === MATROSKA) throw new UnusableError('Matroska, not WebM');
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  // Reads the last packets themselves: the tables at the start do not show that a file is truncated.
  if (video) await requireEnd(video);
  const hasSound = audio !== null && (await requireEnd(audio));
  const size = video && {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
  };
  const track = video && { ...(await measureTrack(video)), ...size };
  const seconds = await input.computeDuration();
  return { video: track, audio: hasSound ? await measureTrack(audio) : null, seconds };
}

/** @returns False if the track is empty. @throws UnusableError if its last packet is missing. */
async function requireEnd(track: InputTrack): Promise<boolean> {
  const packets = new EncodedPacketSink(track);
  if (await packets.getPacket(Infinity)) return true;
  if (track.isAudioTrack() && !(await packets.getFirstPacket())) return false;
  throw new UnusableError('cut short');
}

const measureTrack = async (track: InputTrack): Promise<MeasuredTrack> => ({
  codec: await track.getCodec(),
  codecId: await track.getInternalCodecId(),
});

/** @throws InvalidMp4Error if samples are missing. */
async function surveyContents(path: string): Promise<Contents> {
  const { measureMp4 } = await import('./measureMp4.ts');
  const { surveyMp4 } = await import('./surveyMp4.ts');
  const file = await open(path);
  try {
    return measureMp4(await surveyMp4(file));
  } finally {
    await file.close();
  }
}
