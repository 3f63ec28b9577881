import { open } from 'node:fs/promises';
import type { InputType } from '@framegate/contract';
import type { inputExtensions } from '../../domain/mediaFiles.ts';

/** What a file's first bytes say it is; for ISO media files the tracks decide between video and audio. */
export interface SniffedMedia {
  type: 'image' | 'video' | 'audio' | 'video or audio';
  mediaType: string;
  /** Of the stored file, without a dot. */
  extension: (typeof inputExtensions)[InputType][number];
}

const kinds = {
  jpeg: { type: 'image', mediaType: 'image/jpeg', extension: 'jpg' },
  png: { type: 'image', mediaType: 'image/png', extension: 'png' },
  webp: { type: 'image', mediaType: 'image/webp', extension: 'webp' },
  mp4: { type: 'video or audio', mediaType: 'video/mp4', extension: 'mp4' },
  mov: { type: 'video', mediaType: 'video/quicktime', extension: 'mov' },
  webm: { type: 'video', mediaType: 'video/webm', extension: 'webm' },
  m4a: { type: 'audio', mediaType: 'audio/mp4', extension: 'm4a' },
  wav: { type: 'audio', mediaType: 'audio/wav', extension: 'wav' },
  mp3: { type: 'audio', mediaType: 'audio/mpeg', extension: 'mp3' },
  aac: { type: 'audio', mediaType: 'audio/aac', extension: 'aac' },
} as const satisfies Record<string, SniffedMedia>;

/** Brands of still pictures in ISO media files (HEIF, AVIF), which are not taken. */
const pictureBrands = ['avif', 'avis', 'heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];

/** What an ISO media file without a video track is. */
export const audioOnlyMp4: SniffedMedia = kinds.m4a;

const headBytes = 12;

/**
 * Tells a file's type by its first bytes, never by its name or by what a server says of it. Null for
 * everything that is not taken: JPEG, PNG, WebP; MP4, MOV, WebM; MP3, WAV, M4A, AAC.
 */
export async function sniffFile(path: string): Promise<SniffedMedia | null> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return sniffMedia(buffer);
  } finally {
    await file.close();
  }
}

function sniffMedia(head: Buffer): SniffedMedia | null {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return kinds.jpeg;
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return kinds.png;
  if (text.startsWith('RIFF')) {
    const form = text.slice(8);
    return form === 'WEBP' ? kinds.webp : form === 'WAVE' ? kinds.wav : null;
  }
  if (text.slice(4, 8) === 'ftyp') {
    const brand = text.slice(8);
    if (pictureBrands.includes(brand)) return null;
    return brand === 'qt  ' ? kinds.mov : brand.startsWith('M4A') ? kinds.m4a : kinds.mp4;
  }
  if (text.startsWith('\x1aE\xdf\xa3')) return kinds.webm;
  if (text.startsWith('ID3')) return kinds.mp3;
  return sniffFrames(head);
}

/** MPEG audio frames begin with eleven set bits, then version and layer: layer 0 is AAC in ADTS. */
function sniffFrames([first = 0, second = 0]: Uint8Array): SniffedMedia | null {
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return kinds.aac;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return (second & 0xe0) === 0xe0 && version !== 1 && layer === 1 ? kinds.mp3 : null;
}
