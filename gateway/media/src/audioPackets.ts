import { type Box, readInt } from './mp4Boxes.ts';

/** Sizes of QuickTime's audio packets: numbers of samples and of bytes. */
export interface AudioPackets {
  samples: number;
  bytes: number;
}

/** Bytes of one sample of a channel in formats that do not state it as bits. */
const pcmBytes: Record<string, number> = {
  ulaw: 1,
  alaw: 1,
  in24: 3,
  in32: 4,
  fl32: 4,
  fl64: 8,
};
const pcmOfBits = ['raw ', 'NONE', 'twos', 'sowt', 'lpcm', 'ipcm', 'fpcm'];

/** The packets of an audio track, whose tables of QuickTime files count samples of one byte (QTFF, sound media). */
export function audioPackets(moov: Buffer, entry: Box): AudioPackets | null {
  if (entry.end - entry.start < 36) return null;
  const field = (offset: number) => readInt(moov, { ...entry, body: entry.start }, offset);
  const version = field(16) >>> 16;
  const channels = field(24) >>> 16;
  const bits = field(24) & 0xffff;
  if (version === 1) return packetsOf(field(36), field(44));
  if (version === 2) return packetsOf(field(68), field(64));
  const perChannel = pcmBytes[entry.type] ?? (pcmOfBits.includes(entry.type) ? bits / 8 : 0);
  return packetsOf(1, channels * perChannel);
}

const packetsOf = (samples: number, bytes: number): AudioPackets | null =>
  samples > 0 && bytes > 0 ? { samples, bytes } : null;
