/** Format of a file by its first bytes. */
export interface MediaFormat {
  /** ISO media files contain video or sound, depending on their tracks. */
  readonly type: 'image' | 'video' | 'audio' | 'video or audio';
  readonly mediaType: string;
  /** File extension without a dot. */
  readonly extension: string;
}

/** The files accepted as inputs, including those of generations. */
export const mediaFormats = {
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
} as const satisfies Record<string, MediaFormat>;

/** Brands of still pictures in ISO media files (HEIF, AVIF), which are not accepted. */
const pictureBrands = ['avif', 'avis', 'heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];

/** Bytes at the start of a file that identify its format. */
export const mediaHeadBytes = 12;

/**
 * The format of a file by its first bytes, never by its name or a server's claim.
 * @param head The first 12 bytes as Latin-1, one character per byte.
 * @returns Null for any format that is not accepted.
 */
export function mediaFormatOf(
  head: string,
): (typeof mediaFormats)[keyof typeof mediaFormats] | null {
  if (head.startsWith('\xff\xd8\xff')) return mediaFormats.jpeg;
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return mediaFormats.png;
  if (head.startsWith('RIFF')) {
    const form = head.slice(8, mediaHeadBytes);
    return form === 'WEBP' ? mediaFormats.webp : form === 'WAVE' ? mediaFormats.wav : null;
  }
  if (head.slice(4, 8) === 'ftyp') {
    const brand = head.slice(8, mediaHeadBytes);
    if (pictureBrands.includes(brand)) return null;
    if (brand === 'qt  ') return mediaFormats.mov;
    return brand.startsWith('M4A') ? mediaFormats.m4a : mediaFormats.mp4;
  }
  if (head.startsWith('\x1aE\xdf\xa3')) return mediaFormats.webm;
  if (head.startsWith('ID3')) return mediaFormats.mp3;
  return soundFrames(head);
}

/** MPEG audio frames begin with eleven set bits, then version and layer: layer 0 is AAC in ADTS. */
function soundFrames(head: string) {
  const second = head.charCodeAt(1);
  if (head.charCodeAt(0) !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return mediaFormats.aac;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return (second & 0xe0) === 0xe0 && version !== 1 && layer === 1 ? mediaFormats.mp3 : null;
}
