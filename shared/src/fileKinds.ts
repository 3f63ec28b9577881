import { type MediaFormat, mediaFormatOf, mediaFormats } from './mediaFormats.ts';

/** A recognisable kind of file. */
interface KindRow {
  /** Completes "This is …". */
  readonly name: string;
  /** The file's first bytes as Latin-1, from offset `at` or 0. */
  readonly starts?: readonly string[];
  readonly at?: number;
  /** For a codec in an accepted container: sample entries of ISO media files, format tags of WAV. */
  readonly codecs?: readonly (string | number)[];
}

/**
 * The kinds of files that may be given as inputs, in words: first those of `mediaFormats`, which are wrong only in
 * place of another type; then kinds that are never accepted; then codecs of accepted containers that are not accepted.
 */
export const fileKinds = {
  jpeg: { name: 'a JPEG image' },
  png: { name: 'a PNG image' },
  webp: { name: 'a WebP image' },
  mp4: { name: 'an MP4 video' },
  mov: { name: 'a MOV video' },
  webm: { name: 'a WebM video' },
  m4a: { name: 'M4A audio' },
  wav: { name: 'WAV audio' },
  mp3: { name: 'MP3 audio' },
  aac: { name: 'AAC audio' },

  heic: { name: 'a HEIC image' },
  avif: { name: 'an AVIF image' },
  gif: { name: 'a GIF image', starts: ['GIF8'] },
  tiff: { name: 'a TIFF image', starts: ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'] },
  bmp: { name: 'a BMP image', starts: ['BM'] },
  jxl: { name: 'a JPEG XL image', starts: ['\xff\x0a', '\0\0\0\x0cJXL '] },
  jp2: { name: 'a JPEG 2000 image', starts: ['\0\0\0\x0cjP  ', '\xff\x4f\xff\x51'] },
  ico: { name: 'an icon (ICO)', starts: ['\0\0\x01\0'] },
  psd: { name: 'a Photoshop file (PSD)', starts: ['8BPS'] },
  svg: { name: 'an SVG image' },
  mkv: { name: 'a Matroska video (MKV)' },
  avi: { name: 'an AVI video', starts: ['AVI '], at: 8 },
  wmv: { name: 'a Windows Media file (WMV)', starts: ['\x30\x26\xb2\x75\x8e\x66\xcf\x11'] },
  flv: { name: 'a Flash video (FLV)', starts: ['FLV\x01'] },
  mpeg: { name: 'an MPEG-2 video', starts: ['\0\0\x01\xba', '\0\0\x01\xb3'], codecs: ['mp2v'] },
  flac: { name: 'FLAC audio', starts: ['fLaC'] },
  ogg: { name: 'an OGG file', starts: ['OggS'] },
  aiff: { name: 'AIFF audio', starts: ['AIFF', 'AIFC'], at: 8 },
  amr: { name: 'AMR audio', starts: ['#!AMR'], codecs: ['samr', 'sawb'] },
  midi: { name: 'a MIDI file', starts: ['MThd'] },
  rf64: { name: 'RF64 audio', starts: ['RF64', 'BW64'] },
  pdf: { name: 'a PDF document', starts: ['%PDF-'] },
  html: { name: 'a web page (HTML), not the file itself' },
  xml: { name: 'an XML document' },
  json: { name: 'a JSON document' },
  text: { name: 'a text file' },
  zip: { name: 'a ZIP archive', starts: ['PK\x03\x04', 'PK\x05\x06'] },
  gzip: { name: 'a GZIP archive', starts: ['\x1f\x8b'] },
  rar: { name: 'a RAR archive', starts: ['Rar!\x1a\x07'] },
  seven_zip: { name: 'a 7-Zip archive', starts: ['7z\xbc\xaf\x27\x1c'] },
  empty: { name: 'an empty file' },

  animated: { name: 'an animated image' },
  encrypted: { name: 'an encrypted file', codecs: ['encv', 'enca', 'drmi', 'drms'] },
  alac: { name: 'Apple Lossless audio (ALAC)', codecs: ['alac'] },
  mpeg4: { name: 'an MPEG-4 part 2 video', codecs: ['mp4v', 'xvid', 'XVID', 'DIVX', 'DX50'] },
  h263: { name: 'an H.263 video', codecs: ['s263', 'h263', 'H263'] },
  mjpeg: { name: 'a Motion JPEG video', codecs: ['jpeg', 'mjpa', 'mjpb', 'mjpg', 'MJPG'] },
  adpcm: { name: 'ADPCM audio (WAV)', codecs: [0x02, 0x11, 0x45] },
  wav_mp3: { name: 'MP3 audio in a WAV file', codecs: [0x50, 0x55] },
} as const satisfies Record<keyof typeof mediaFormats, KindRow> & Record<string, KindRow>;
/** A kind of file that may be given as an input. */
export type FileKind = keyof typeof fileKinds;

const rows = Object.entries(fileKinds) as [FileKind, KindRow][];

/** The accepted formats of each type of input, in words; `codecs` where the container alone is not enough. */
export const acceptedFiles = {
  image: { formats: 'JPEG, PNG or WebP', codecs: 'a still JPEG, PNG or WebP' },
  video: {
    formats: 'MP4, MOV or WebM',
    codecs: 'MP4 or MOV with H.264, H.265 or AV1, or WebM with VP8, VP9 or AV1',
  },
  audio: { formats: 'MP3, WAV, M4A or AAC', codecs: 'MP3, AAC, M4A with AAC or WAV with PCM' },
} as const;

/** A file of another kind than its input takes. */
export interface WrongFile {
  actualKind: FileKind;
  expected: keyof typeof acceptedFiles;
}

/** Whether the accepted formats must name codecs. */
export const needsCodecs = (kind: FileKind): boolean =>
  kind === 'animated' || ('codecs' in fileKinds[kind] && kind !== 'encrypted');

/** The sentence about such a file: "This is a HEIC image: send JPEG, PNG or WebP." */
export function describeWrongFile({ actualKind, expected }: WrongFile): string {
  const accepted = acceptedFiles[expected];
  return `This is ${fileKinds[actualKind].name}: send ${needsCodecs(actualKind) ? accepted.codecs : accepted.formats}.`;
}

/** The kind of a codec in an accepted container that is not accepted; null for any other. */
export function kindOfCodec(codec: string | number): FileKind | null {
  return rows.find(([, { codecs }]) => codecs?.includes(codec))?.[0] ?? null;
}

/** The kind of an accepted format; null without one. */
export const acceptedKindOf = (format: MediaFormat | null): FileKind | null =>
  (Object.keys(mediaFormats) as (keyof typeof mediaFormats)[]).find(
    (kind) => mediaFormats[kind] === format,
  ) ?? null;

/** Bytes at the start of a file in which its kind is recognised. */
export const kindHeadBytes = 1024;

/**
 * The kind of a file by its first bytes, accepted or not.
 * @param head Up to the first `kindHeadBytes` as Latin-1.
 * @returns Null if it is not recognised.
 */
export function fileKindOf(head: string): FileKind | null {
  if (head === '') return 'empty';
  const format = mediaFormatOf(head);
  // The kind of document of EBML is among its first elements.
  if (format === mediaFormats.webm && head.slice(0, 64).includes('matroska')) return 'mkv';
  const accepted = acceptedKindOf(format);
  if (accepted) return accepted;
  if (head.slice(4, 8) === 'ftyp') return /^.{8}(.{4}){0,12}avi[fs]/s.test(head) ? 'avif' : 'heic';
  const row = rows.find(([, { starts = [], at = 0 }]) =>
    starts.some((start) => head.startsWith(start, at)),
  );
  if (row) return row[0];
  // Packets of a transport stream have 188 bytes.
  if ([0, 188, 376].every((place) => head[place] === 'G')) return 'mpeg';
  return textKindOf(head);
}

/** Control characters that no text has: all but tab, line feed, form feed, carriage return and escape. */
const isControl = (letter: string) => letter < ' ' && !'\t\n\f\r\x1b'.includes(letter);

function textKindOf(head: string): FileKind | null {
  if ([...head].some(isControl)) return null;
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (text.startsWith('<')) {
    if (/<svg[\s>]/i.test(text)) return 'svg';
    if (/<(!doctype html|html|head|body)\b/i.test(text)) return 'html';
    return text.startsWith('<?xml') ? 'xml' : 'text';
  }
  return /^[[{]\s*["\]}\d[{]/.test(text) ? 'json' : 'text';
}
