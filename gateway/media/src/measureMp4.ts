import { findBox, readInt, requireBox } from './mp4Boxes.ts';
import type { Track, TrackHandler } from './mp4Tracks.ts';
import type { Mp4Survey } from './surveyMp4.ts';

/** The fields of a track that verdicts use. Sizes in pixels, as displayed. */
export interface MeasuredTrack {
  /** Null if no library recognises it. */
  codec: string | null;
  /** The name of the codec in the file. */
  codecId: unknown;
  width?: number;
  height?: number;
}

/** The contents of a video or audio file. */
export interface Contents {
  video: MeasuredTrack | null;
  audio: MeasuredTrack | null;
  seconds: number;
}

/** Sample descriptions of codecs that decoders of MP4 have. */
const knownEntries =
  /^(avc[13]|hvc1|hev1|dvh1|dvhe|av01|vp0[89]|mp4a|Opus|fLaC|\.mp3|ac-3|ec-3|sowt|twos|ipcm|fpcm)$/;

/** Measures a surveyed MP4 by its tables: for files whose other boxes no library can read. */
export function measureMp4({ moov, tracks }: Mp4Survey): Contents {
  const first = (handler: TrackHandler) => tracks.find((track) => track.handler === handler);
  const measure = (track: Track | undefined): MeasuredTrack | null => {
    if (!track) return null;
    const codecId = track.entries[0]?.type ?? '';
    const codec = knownEntries.test(codecId) ? codecId : null;
    return { codec, codecId, ...(track.handler === 'vide' && sizeOf(moov.bytes, track)) };
  };
  const seconds = Math.max(0, ...tracks.map((track) => secondsOf(moov.bytes, track)));
  return { video: measure(first('vide')), audio: measure(first('soun')), seconds };
}

/** The size in the track's head, after its matrix, which may turn it by a quarter. */
function sizeOf(moov: Buffer, { box, entries }: Track): { width: number; height: number } {
  const head = requireBox(moov, box, 'tkhd');
  const matrix = moov[head.body] === 1 ? 52 : 40;
  const displayed = [36, 40].map((offset) =>
    Math.round(readInt(moov, head, matrix + offset) / 65_536),
  );
  const [entry] = entries;
  const stored = entry && { ...entry, body: entry.start };
  const coded = stored
    ? [readInt(moov, stored, 32) >>> 16, readInt(moov, stored, 32) & 0xffff]
    : [];
  const [width = 0, height = 0] = displayed.every((length) => length > 0) ? displayed : coded;
  const isTurned = readInt(moov, head, matrix) === 0 && readInt(moov, head, matrix + 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** The sum of a track's durations; of a fragmented file the duration in its header. */
function secondsOf(moov: Buffer, { box }: Track): number {
  const head = requireBox(moov, box, 'mdia', 'mdhd');
  const isLong = moov[head.body] === 1;
  const timescale = readInt(moov, head, isLong ? 20 : 12);
  const times = findBox(moov, box, 'mdia', 'minf', 'stbl', 'stts');
  const count = times ? readInt(moov, times, 4) : 0;
  let units = 0;
  for (let run = 0; times && run < count; run += 1) {
    units += readInt(moov, times, 8 + run * 8) * readInt(moov, times, 12 + run * 8);
  }
  return timescale > 0 ? units / timescale : 0;
}
